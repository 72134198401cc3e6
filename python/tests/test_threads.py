# SPDX-License-Identifier: Apache-2.0
"""Python's threads together with the library's."""
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from expected import random_image

import tessera


@pytest.fixture
def no_forced_switches():
    """The interpreter then lets go only where it is let go."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    yield
    sys.setswitchinterval(before)


def test_other_threads_run_meanwhile(rng, no_forced_switches):
    image = random_image(rng, (256, 512), "float32")
    weights = rng.uniform(-1, 1, (31, 31))
    plan = tessera.Convolve(image.shape, image.dtype, weights, method="reference", backend="cpu", threads=1)
    out = np.empty_like(image)
    count, stop, started = 0, False, threading.Event()

    def count_up():
        nonlocal count
        while not stop:
            started.set()
            count += 1
            time.sleep(0)  # lets go, so that the caller gets its turn back

    other = threading.Thread(target=count_up)
    other.start()
    started.wait()
    before = count
    plan(image, out)
    during = count - before
    stop = True
    other.join()
    assert during > 10


def test_eight_threads_share_a_plan(rng):
    images = [random_image(rng, (97, 131, 3), "uint8") for _ in range(64)]
    plan = tessera.Convolve(images[0].shape, "uint8", "gauss:1.5", channel_axis=-1)
    expected = [plan(image) for image in images]
    fresh = tessera.Convolve(images[0].shape, "uint8", "gauss:1.5", channel_axis=-1)
    # Every second image is planar: the threads also meet a layout the plan has not seen.
    given = [np.asfortranarray(image) if i % 2 else image for i, image in enumerate(images)]
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(fresh, given))
    for actual, wanted in zip(results, expected, strict=True):
        assert np.array_equal(actual, wanted)
