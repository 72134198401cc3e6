# SPDX-License-Identifier: Apache-2.0
"""multiprocessing's fork, the default on Linux: children compute, or say at once why they cannot."""
import pytest
from hostile import check_alone

import tessera

# On the CPU: a child cannot use its parent's GPU, whose floats have other last bits.
OPERATIONS = """
import hashlib, multiprocessing
os.environ["TESSERA_BACKEND"] = "cpu"
rng = np.random.default_rng(1)
image = rng.uniform(0, 200, (300, 400)).astype("f4")
photo = rng.integers(0, 255, (300, 400, 3)).astype("u1")
frequency = np.linspace(1.1e9, 1.4e9, 64)
cube = rng.normal(size=(64, 40, 50)).astype("f4")
voltages = rng.integers(-7, 7, (128, 4, 8, 2, 2)).astype("i1")
film = rng.integers(0, 255, (6, 96, 128)).astype("u1")
plan = tessera.Convolve(image.shape, image.dtype, "gauss:3")
axes = tessera.faraday_axes(frequency, phi_max=300, dphi=10)
rmsf = tessera.faraday_rmsf(axes)

def clean():
    spectra = tessera.faraday_synth(cube, cube, axes)
    return tessera.faraday_clean(spectra.fdf, rmsf, 0.3).clean

OPERATIONS = {
    "convolve": lambda: tessera.convolve(image, "gauss:2"),
    "convolve fft": lambda: tessera.convolve(image, rng_filter, method="fft"),
    "a plan of the parent": lambda: plan(image),
    "erode": lambda: tessera.erode(image, "disk:5"),
    "enhance": lambda: tessera.clahe(photo),
    "histogram": lambda: tessera.histogram(photo),
    "correlate": lambda: tessera.correlate(image, max_shift=20),
    "noise": lambda: tessera.noise(image, box=32).background,
    "percentile": lambda: tessera.percentile_filter(image, 30, size=21),
    "synth": lambda: tessera.faraday_synth(cube, cube, axes).fdf,
    "synth by gemm": lambda: tessera.faraday_synth(cube, cube, axes, method="gemm").fdf,
    "clean": clean,
    "xengine": lambda: tessera.xengine(voltages),
    "cells": lambda: np.stack([tessera.track_cells(film)[name] for name in ("POSITION_X", "POSITION_Y")]),
    "scene": lambda: tessera.sample_scene(200, 100),
}
rng_filter = rng.uniform(size=(41, 41))

def digest(name):
    return hashlib.sha256(np.ascontiguousarray(OPERATIONS[name]()).tobytes()).hexdigest()
"""


def test_every_operation_works_in_children_of_a_parent_that_used_it():
    check_alone(OPERATIONS + """
expected = {}
for name in list(OPERATIONS):
    try:
        expected[name] = digest(name)
    except ValueError as error:
        assert "gemm" in name and "gemm" in str(error), (name, error)  # a build without a BLAS
        del OPERATIONS[name]
with multiprocessing.get_context("fork").Pool(2) as pool:
    found = dict(zip(OPERATIONS, pool.map(digest, OPERATIONS, chunksize=1)))
assert found == expected, [name for name in found if found[name] != expected[name]]
assert {name: digest(name) for name in OPERATIONS} == expected  # and the parent goes on
""", timeout=600)


def test_fork_while_other_threads_compute():
    check_alone(OPERATIONS + """
expected = {name: digest(name) for name in ("convolve", "a plan of the parent", "noise", "xengine")}
stop = False
def keep_computing(name):
    while not stop: OPERATIONS[name]()
others = [threading.Thread(target=keep_computing, args=(name,), daemon=True) for name in ("convolve", "noise")]
for other in others: other.start()
for _ in range(10):
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        os._exit(0 if {name: digest(name) for name in expected} == expected else 1)
    assert os.waitpid(child, 0)[1] == 0
stop = True
for other in others: other.join()
""", timeout=600)


def test_an_engine_that_another_thread_used_at_the_fork_says_so():
    check_alone("""
rng = np.random.default_rng(1)
voltages = rng.integers(-7, 7, (1 << 16, 4, 32, 2, 2)).astype("i1")
engine = tessera.XEngine(32, 2, 4, threads=1)
other = threading.Thread(target=lambda: [engine.add(voltages) for _ in range(20)])
other.start()
time.sleep(0.2)
child = os.fork()
if child == 0:
    signal.alarm(60)
    try:
        engine.samples
    except ValueError as error:
        os._exit(0 if "forked" in str(error) else 1)
    os._exit(0)  # forked between two blocks
assert os.waitpid(child, 0)[1] == 0
other.join()
""", timeout=600)


@pytest.mark.skipif(not tessera.info()["devices"], reason="no GPU")
def test_a_child_says_that_the_gpu_is_the_parents():
    check_alone("""
image = np.ones((64, 64), "f4")
expected = tessera.convolve(image, "gauss:1", backend="cuda")
child = os.fork()
if child == 0:
    signal.alarm(60)
    try:
        tessera.convolve(image, "gauss:1", backend="cuda")
    except MemoryError as error:
        os._exit(0 if "spawn" in str(error) and np.isfinite(tessera.convolve(image, "gauss:1")).all() else 2)
    os._exit(1)
assert os.waitpid(child, 0)[1] == 0
assert np.array_equal(tessera.convolve(image, "gauss:1", backend="cuda"), expected)
""")

