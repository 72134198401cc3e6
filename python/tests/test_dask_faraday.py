# SPDX-License-Identifier: Apache-2.0
"""tessera.dask: synthesis, RM-CLEAN and maps have the bytes of one call, whatever the chunks of pixels."""
import pickle

import numpy as np
import pytest

pytest.importorskip("dask")
import dask
import dask.array as da
from dask_arrays import CountingSource, same, tasks_of

import tessera
import tessera.dask as td

CHANNELS = 24
FREQUENCY = np.linspace(0.8e9, 1.1e9, CHANNELS)
DEPTHS = dict(phi_max=200, dphi=10)
SHAPES = {
    "cube": ((CHANNELS, 13, 11), 0, (9, 5, 4)),
    "rows": ((CHANNELS, 13, 11), 0, (-1, 1, -1)),
    "large": ((CHANNELS, 13, 11), 0, (99, 99, 99)),
    "last": ((13, 11, CHANNELS), -1, (4, 11, 8)),
    "pixels": ((CHANNELS, 31), 0, (CHANNELS, 10)),
    "as many": ((CHANNELS, CHANNELS), 0, (CHANNELS, 5)),
    "pixels first": ((31, CHANNELS), 1, (10, CHANNELS)),
    "one": ((CHANNELS,), 0, (7,)),
}


class Sky:
    """Q and U with channels and voxels that are missing, in one shape."""

    def __init__(self, name, dtype="float32"):
        rng = np.random.default_rng(3)
        self.shape, self.axis, self.chunks = SHAPES[name]
        self.q, self.u = (rng.normal(0, 1, self.shape).astype(dtype) for _ in "qu")
        dead = [slice(None)] * len(self.shape)
        dead[self.axis] = [3, 17]
        self.q[tuple(dead)] = np.nan
        self.u.ravel()[rng.integers(0, self.u.size, self.u.size // 40)] = np.inf
        pixels = tuple(n for i, n in enumerate(self.shape) if i != self.axis % len(self.shape))
        self.map = (rng.random(pixels) + 0.5).astype(dtype) if pixels else 0.5
        self.cube = (rng.random(self.shape) + 0.5).astype(dtype)
        self.dask = [da.from_array(array, chunks=self.chunks) for array in (self.q, self.u)]

    def of_dask(self, value):
        large = isinstance(value, np.ndarray) and value.ndim > 1
        return da.from_array(value, chunks=6) if large else value


def same_axes(made, wanted):
    assert (made.lambda2_0, made.fwhm, made.frequency_0) == (wanted.lambda2_0, wanted.fwhm, wanted.frequency_0)
    assert np.array_equal(made.phi, wanted.phi) and np.array_equal(made.weights, wanted.weights)


CASES = {
    "plain": lambda sky: dict(),
    "noise map": lambda sky: dict(noise=sky.map),
    "noise list by variance": lambda sky: dict(noise=np.linspace(1, 2, CHANNELS), weights="variance"),
    "noise map by variance": lambda sky: dict(noise=sky.map, weights="variance"),
    "noise cube": lambda sky: dict(noise=sky.cube),
    "weights": lambda sky: dict(weights=np.linspace(1, 2, CHANNELS)),
    "model": lambda sky: dict(model=sky.cube),
    "spectrum": lambda sky: dict(model=np.linspace(1, 2, CHANNELS), noise=2.0),
}


@pytest.mark.parametrize("name", SHAPES)
def test_synth(name):
    sky = Sky(name)
    for case, given in CASES.items():
        options = dict(**DEPTHS, axis=sky.axis)
        if len(sky.shape) == 1 and case == "noise cube":
            continue
        wanted = tessera.faraday_synth(sky.q, sky.u, FREQUENCY, **given(sky), **options)
        inputs = {name: sky.of_dask(value) for name, value in given(sky).items()}
        made = td.faraday_synth(*sky.dask, FREQUENCY, **inputs, **options)
        same(made.fdf, wanted.fdf)
        same(made.bands, wanted.bands)
        same_axes(made.axes.compute(scheduler="synchronous"), wanted.axes)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["cube", "last", "pixels"])
def test_axes_that_are_given_clean_and_maps(name, dtype):
    sky = Sky(name, dtype)
    axes = tessera.faraday_axes(FREQUENCY, phi_max=300)
    wanted = tessera.faraday_synth(sky.q, sky.u, axes, weights=sky.cube, noise=sky.cube, axis=sky.axis)
    made = td.faraday_synth(*sky.dask, axes, weights=sky.of_dask(sky.cube), noise=sky.cube, axis=sky.axis)
    assert made.axes is axes
    same(made.fdf, wanted.fdf)
    same(made.bands, wanted.bands)
    rmsf = tessera.faraday_rmsf(axes, fit=True)
    own = [tessera.faraday_rmsf(axes, flagged=np.arange(CHANNELS) == 4)]
    places = np.zeros(sky.map.shape, "int32") - (sky.map > 1)
    for cutoff, more in ((0.3, {}), (sky.map, dict(own_rmsfs=own, rmsf_of_pixel=places))):
        cleaned = tessera.faraday_clean(wanted.fdf, rmsf, cutoff, axis=sky.axis, **more)
        lazy = td.faraday_clean(made.fdf, rmsf, sky.of_dask(cutoff), axis=sky.axis, **more)
        for part in ("clean", "components", "iterations"):
            same(getattr(lazy, part), getattr(cleaned, part))
    for options in (dict(), dict(maps=["rm", "angle-0"], noise=0.1, fwhm=50)):
        maps = tessera.faraday_maps(wanted.fdf, axes, bands=wanted.bands, axis=sky.axis, **options)
        lazy = td.faraday_maps(made.fdf, axes, bands=made.bands, axis=sky.axis, **options)
        assert list(lazy) == list(maps)
        for label, wanted_map in maps.items():
            same(lazy[label], wanted_map)


def test_synthesis_is_lazy_and_has_one_task_for_each_chunk_of_pixels():
    sky = Sky("cube")
    q = CountingSource(sky.q)
    made = td.faraday_synth(q.chunked((9, 5, 4)), sky.dask[1], FREQUENCY, **DEPTHS)
    assert q.read == []
    blocks = {key[1:] for key in tasks_of(made.fdf, "faraday_synth") if len(key) == 3}
    assert len(blocks) == 3 * 3 and made.fdf.chunks == ((41,), (5, 5, 3), (4, 4, 3))
    with dask.config.set(scheduler="synchronous"):
        dask.compute(made.fdf, made.bands)
    assert sum(np.prod(part) for part in q.read) == q.array.size  # every voxel once, for channels without data too


def test_axes_and_rmsfs_can_be_pickled():
    axes = tessera.faraday_axes(FREQUENCY, weights=np.linspace(0, 1, CHANNELS), **DEPTHS)
    again = pickle.loads(pickle.dumps(axes))
    same_axes(again, axes)
    assert (again.dphi, again.max_scale) == (axes.dphi, axes.max_scale)
    sky = Sky("pixels")
    same_bytes = [tessera.faraday_synth(sky.q, sky.u, each).fdf.tobytes() for each in (axes, again)]
    assert same_bytes[0] == same_bytes[1]
    rmsf = tessera.faraday_rmsf(axes, fit=True)
    other = pickle.loads(pickle.dumps(rmsf))
    assert np.array_equal(other.value, rmsf.value) and np.array_equal(other.phi, rmsf.phi)
    assert (other.fwhm, other.fitted) == (rmsf.fwhm, True)


def test_dead_channels():
    sky = Sky("cube")
    dead = tessera.faraday_dead_channels(sky.q, sky.u)
    assert [k for k, flag in enumerate(dead) if flag] == [3, 17]
    model = np.ones(CHANNELS)
    model[5] = 0
    dead = tessera.faraday_dead_channels(sky.q, sky.u, model=model)
    assert [k for k, flag in enumerate(dead) if flag] == [3, 5, 17]


def test_a_single_pixel_has_a_noise_of_its_own():
    """A map of one pixel is not a list of channels, and a cube of one pixel not either."""
    sky = Sky("cube")
    axes = tessera.faraday_axes(FREQUENCY, **DEPTHS)
    whole = tessera.faraday_synth(sky.q, sky.u, axes, noise=sky.cube, weights="variance")
    one = np.s_[:, 4:5, 6:7]
    part = tessera.faraday_synth(sky.q[one], sky.u[one], axes, noise=sky.cube[one], weights="variance")
    assert part.fdf.tobytes() == whole.fdf[one].tobytes() and part.bands.tobytes() == whole.bands[one].tobytes()
    whole = tessera.faraday_synth(sky.q, sky.u, axes, noise=sky.map)
    part = tessera.faraday_synth(sky.q[one], sky.u[one], axes, noise=sky.map[4:5, 6:7])
    assert part.bands.tobytes() == whole.bands[one].tobytes()
