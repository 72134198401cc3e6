# SPDX-License-Identifier: Apache-2.0
"""tessera.dask on a cluster of two processes, one of which is killed in the middle; and workers that would run
something else."""
import os
import pickle
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

pytest.importorskip("distributed")
import dask.array as da
import distributed
from dask_arrays import SlowSource

import tessera
import tessera.dask as td
from tessera.dask._plans import choose


@pytest.fixture
def client(tmp_path):
    with (distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None,
                                   local_directory=tmp_path / "workers") as cluster,
          distributed.Client(cluster) as client):
        yield client


def processes_that_read(folder):
    return [int(name.split("-")[0]) for name in os.listdir(folder)]


def test_a_worker_is_killed_in_the_middle(client, rng, tmp_path):
    image = rng.uniform(0, 255, (400, 60)).astype("float32")
    q, u = (rng.normal(0, 1, (16, 40, 6)).astype("float32") for _ in "qu")
    frequency = np.linspace(0.8e9, 1.1e9, 16)
    folder = tmp_path / "read"
    folder.mkdir()
    x = da.from_array(SlowSource(image, folder, 0.05), chunks=(10, 60), meta=np.empty((0, 0), "float32"), name="slow")
    spectra = td.faraday_synth(*(da.from_array(cube, chunks=(16, 7, 6)) for cube in (q, u)), frequency, phi_max=100,
                               dphi=10)
    made = {"smooth": td.convolve(x, "gauss:2"), "rms": td.noise(x, 9).rms, "contrast": td.enhance(x, steps="contrast"),
            "fdf": spectra.fdf}
    whole = {"smooth": tessera.convolve(image, "gauss:2"), "rms": tessera.noise(image, 9).rms,
             "contrast": tessera.enhance(image, steps="contrast"),
             "fdf": tessera.faraday_synth(q, u, frequency, phi_max=100, dphi=10).fdf}
    running = client.compute(list(made.values()))
    end = time.monotonic() + 60
    while len(read := processes_that_read(folder)) < 12 or len(set(read)) < 2:
        assert time.monotonic() < end, "the workers do not work"
        time.sleep(0.01)
    assert not all(future.done() for future in running)
    victim = read[0]
    os.kill(victim, signal.SIGKILL)
    found = client.gather(running)
    for name, result in zip(made, found, strict=True):
        assert result.tobytes() == whole[name].tobytes(), name
    assert len(processes_that_read(folder)) > 40, "nothing was read again: no task was lost"


def test_sums_and_files_on_workers(client, rng, tmp_path):
    samples = rng.integers(-100, 100, (300, 6, 3, 2, 2), "int8")
    np.save(tmp_path / "voltages.npy", samples)
    photos = [rng.normal(0, 1, (40, 30)).astype("float32") for _ in range(9)]
    whole = tessera.Ensemble()
    for place, photo in enumerate(photos):
        whole.add(place, tessera.correlate(photo, max_shift=9))
    sums = td.xengine(da.from_array(samples, chunks=(100, 2, 3, 2, 2)))
    from_file = td.xengine(tmp_path / "voltages.npy")
    mean = td.correlate([da.from_array(photo, chunks=20) for photo in photos], max_shift=9).mean
    found = client.gather(client.compute([sums, from_file, mean]))
    assert found[0].tobytes() == found[1].tobytes() == tessera.xengine(samples).tobytes()
    assert found[2].tobytes() == whole.means.tobytes()


WORKER = """
import os, pickle, sys
if "ONE_CORE" in os.environ:
    os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
from tessera.dask._plans import plan_of
recipe = pickle.load(sys.stdin.buffer)
try:
    print(plan_of(recipe).describe())
except RuntimeError as error:
    print(error)
"""


def on_a_worker(recipe, **environment):
    done = subprocess.run([sys.executable, "-c", WORKER], input=pickle.dumps(recipe), capture_output=True,
                          env={**os.environ, **environment})
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode().strip()


def other_target():
    """A SIMD target that this machine has and does not choose."""
    described = tessera.Convolve((64, 64), "float32", "gauss:2").describe()
    for name in ("avx2", "scalar", "neon", "emu128"):
        done = subprocess.run([sys.executable, "-c", "import tessera; print(tessera.Convolve((64, 64), 'float32', "
                               "'gauss:2').describe())"], capture_output=True, text=True,
                              env={**os.environ, "TESSERA_ISA": name})
        if done.returncode == 0 and done.stdout.strip() != described:
            return name
    return None


def test_a_worker_with_another_simd_target_says_so():
    target = other_target()
    if target is None:
        pytest.skip("this machine has one SIMD target")
    recipe, plan = choose("convolve", "Convolve", (64, 64), np.dtype("float32"), "gauss:2")
    assert on_a_worker(recipe) == plan.describe()
    said = on_a_worker(recipe, TESSERA_ISA=target)
    assert said.startswith("tessera.dask.convolve: this worker would run 'convolve 64x64 f32") and target in said
    assert "and the caller 'convolve 64x64 f32" in said and "the last bits may differ" in said
    exact, plan = choose("erode", "Erode", (64, 64), np.dtype("uint8"), "disk:3", exact=True)
    assert on_a_worker(exact, TESSERA_ISA=target).startswith("erode 64x64 u8")


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="the system does not bind processes to cores")
@pytest.mark.parametrize("options", [dict(), dict(method="fft")])
def test_a_worker_with_one_core_runs_the_same(options):
    recipe, plan = choose("convolve", "Convolve", (3000, 2000), np.dtype("float32"), "box:31x31", **options)
    assert on_a_worker(recipe, ONE_CORE="1", OMP_NUM_THREADS="1") == plan.describe()


def test_a_worker_without_the_method_says_so():
    recipe, _ = choose("convolve", "Convolve", (64, 64), np.dtype("float32"), "gauss:2")
    recipe.keywords["method"] = "sundial"
    assert on_a_worker(recipe).startswith("tessera.dask.convolve: this worker cannot run cpu sundial, which was chosen "
                                          "for the whole array (convolve: ")


def test_a_worker_with_another_version_says_so(monkeypatch):
    monkeypatch.setattr("tessera.__version__", "0.0.7")
    recipe, _ = choose("convolve", "Convolve", (64, 64), np.dtype("float32"), "gauss:2")
    object.__setattr__(recipe, "version", "0.0.7")
    assert "and the caller 0.0.7; give all of them the same version" in on_a_worker(recipe)
