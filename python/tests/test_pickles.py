# SPDX-License-Identifier: Apache-2.0
"""A plan that was pickled comes back with the same arguments and gives the same results."""
import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest
from expected import random_image

import tessera

WEIGHTS = np.array([[1.0, 2.0, -1.0], [0.5, 3.0, 0.25]])
PLANS = {
    "Convolve": lambda s: tessera.Convolve(s, "float32", WEIGHTS, border="wrap", scale=0.5, anchor=(1, 0)),
    "named filter": lambda s: tessera.Convolve(s, "uint8", "gauss:2", output_type="f32", threads=1),
    "int16": lambda s: tessera.Convolve(s, ">i2", WEIGHTS, border="constant", constant=-7),
    "own dtype": lambda s: tessera.Convolve(s, "float16", WEIGHTS, output_type=np.float16),
    "Erode": lambda s: tessera.Erode(s, "int8", "disk:2", border="reflect"),
    "Dilate": lambda s: tessera.Dilate(s, "bool", WEIGHTS != 2, flip=True),
    "PercentileFilter": lambda s: tessera.PercentileFilter(s, "uint8", 30, footprint=WEIGHTS > 0.6, mode="wrap"),
    "Enhance": lambda s: tessera.Enhance(s, "uint16", steps="contrast,smooth", weights=np.ones((3, 3))),
    "Correlate": lambda s: tessera.Correlate(s, "float32", max_shift=7, scale="energy"),
    "Noise": lambda s: tessera.Noise(s, "float32", (9, 7), zero_is_blank=True),
}
DTYPES = {"named filter": "uint8", "int16": ">i2", "own dtype": "float16", "Erode": "int8", "Dilate": "bool",
          "PercentileFilter": "uint8", "Enhance": "uint16"}


def results_of(plan, image):
    made = plan(image)
    return [made.background, made.rms] if isinstance(plan, tessera.Noise) else [made]


def same(plan, other, image):
    assert type(other) is type(plan)
    assert other.output_shape == plan.output_shape
    for made, wanted in zip(results_of(other, image), results_of(plan, image), strict=True):
        assert made.dtype == wanted.dtype
        assert np.array_equal(made, wanted, equal_nan=True)
    assert other.describe() == plan.describe()


@pytest.mark.parametrize("name", PLANS)
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_plans_come_back(rng, name, protocol):
    image = (random_image(rng, (31, 43), "float32") * 100).astype(DTYPES.get(name, "float32"))
    plan = PLANS[name]((31, 43))
    same(plan, pickle.loads(pickle.dumps(plan, protocol)), image)
    same(plan, copy.deepcopy(plan), image)


def test_a_plan_keeps_the_weights_it_was_made_with(rng):
    image, weights = random_image(rng, (20, 30), "float32"), WEIGHTS.copy()
    plan = tessera.Convolve(image.shape, image.dtype, weights)
    weights[:] = 0
    same(plan, pickle.loads(pickle.dumps(plan)), image)


def test_another_process(rng, tmp_path):
    image = random_image(rng, (20, 30), "float32")
    plan = tessera.Convolve(image.shape, image.dtype, WEIGHTS, border="reflect")
    (tmp_path / "plan").write_bytes(pickle.dumps((plan, image)))
    script = (f"import pickle, numpy; plan, image = pickle.load(open({str(tmp_path / 'plan')!r}, 'rb')); "
              f"numpy.save({str(tmp_path / 'out.npy')!r}, plan(image))")
    subprocess.run([sys.executable, "-c", script], check=True)
    assert np.array_equal(np.load(tmp_path / "out.npy"), plan(image))
