# SPDX-License-Identifier: Apache-2.0
"""tessera.dask: noise and enhance have the bytes of one call, whatever the chunks."""
import numpy as np
import pytest

pytest.importorskip("dask")
import dask.array as da
from dask_arrays import CountingSource, same, tasks_of, three_chunks

import tessera
import tessera.dask as td

MAPS = ["background", "rms", "snr"]
MODES = {
    "exact": dict(),
    "binned": dict(mode="binned"),
    "grid": dict(mode="grid"),
    "two passes": dict(two_pass=True),
    "reflect": dict(border="reflect"),
    "zeros are blank": dict(zero_is_blank=True, nomask=True),
    "filled": dict(fill=True),
}


def same_maps(made, wanted):
    for name in MAPS:
        same(getattr(made, name), getattr(wanted, name))
    assert made.method == wanted.method


@pytest.fixture
def field(rng):
    values = rng.normal(100, 30, (91, 67)).astype("float32")
    values[5, 7], values[40:60, 20:50], values[70, 3] = np.inf, np.nan, 0
    return values


@pytest.mark.parametrize("mode", MODES)
def test_noise(field, mode):
    wanted = tessera.noise(field, (17, 12), **MODES[mode])
    for name, chunks in three_chunks(field.shape).items():
        if name != "rows" or mode in ("exact", "grid"):
            same_maps(td.noise(da.from_array(field, chunks=chunks), (17, 12), **MODES[mode]), wanted)


@pytest.mark.parametrize("chunks", [(100, 300), (1, -1), (1000, 1000)])
def test_binned_noise_is_cut_at_its_tiles(rng, chunks):
    field = rng.normal(0, 1, (600, 70)).astype("float32")
    made = td.noise(da.from_array(field, chunks=chunks), 9, mode="binned")
    assert made.rms.chunks[0] == ((600,) if chunks[0] == 1000 else (256, 256, 88))
    same_maps(made, tessera.noise(field, 9, mode="binned"))


@pytest.mark.parametrize("dtype", ["uint8", "int16", "int32", "float64", "bool", "float16"])
def test_dtypes_and_masks_of_noise(rng, field, dtype):
    image = (np.nan_to_num(field) > 100 if dtype == "bool" else np.clip(np.nan_to_num(field), 0, 120)).astype(dtype)
    mask = rng.random(image.shape) < 0.2
    x, blanks = da.from_array(image, chunks=(40, 30)), da.from_array(mask, chunks=(25, 67))
    same_maps(td.noise(x, 15), tessera.noise(image, 15))
    for options in (dict(), dict(fill=True), dict(mode="grid")):
        same_maps(td.noise(x, 15, mask=blanks, **options), tessera.noise(image, 15, mask=mask, **options))


def test_planes_of_a_cube_are_separate_tasks(rng):
    cube = rng.normal(0, 1, (5, 60, 40))
    made = td.noise(da.from_array(cube, chunks=(2, 25, 40)), 11)
    assert made.rms.chunks == ((2, 2, 1), (25, 25, 10), (40,))
    same_maps(made, tessera.noise(cube, 11))


def test_noise_reads_nothing_when_the_graph_is_built(field):
    source = CountingSource(field)
    made = td.noise(source.chunked((30, 30)), 9)
    assert source.read == []
    same(made.rms, tessera.noise(field, 9).rms)


STEPS = ["grey,contrast,smooth", "clahe", "contrast,smooth,clahe", "smooth"]


@pytest.mark.parametrize("dtype, steps", [
    *((dtype, steps) for dtype in ("uint8", "uint16", "float32", "float64") for steps in STEPS),
    ("uint8", "grey,equalise"), ("uint16", "histogram,equalise")])
def test_enhance(rng, dtype, steps):
    for shape in ((61, 47), (40, 33, 3)):
        scan = rng.normal(120, 30, shape).clip(0, 255)
        scan = (scan / 300 if dtype.startswith("float") else scan).astype(dtype)
        wanted = tessera.enhance(scan, steps=steps)
        for name, chunks in three_chunks(shape).items():
            if name != "rows" or (dtype == "uint8" and steps == STEPS[0]):
                same(td.enhance(da.from_array(scan, chunks=chunks), steps=steps), wanted)


def test_other_axes_of_enhance(rng):
    photo = rng.integers(0, 255, (3, 40, 30), "uint8")
    x = da.from_array(photo, chunks=(1, 17, 20))
    for options in (dict(channel_axis=0), dict(channel_axis=0, steps="contrast", channels="value"),
                    dict(batch_axis=0)):
        same(td.enhance(x, **options), tessera.enhance(photo, **options))


def test_weights_of_enhance(rng):
    scan = rng.integers(0, 255, (50, 40), "uint8")
    weights = np.array([[1, 2, 1], [0, 5, 1], [1, 1, 3]])
    made = td.enhance(da.from_array(scan, chunks=11), steps="smooth", weights=weights)
    same(made, tessera.enhance(scan, steps="smooth", weights=weights))


def test_enhance_sweeps_and_then_makes_rows():
    scan = np.repeat(np.arange(180, dtype="uint8")[:, np.newaxis], 20, 1)  # every chunk has values of its own
    source = CountingSource(scan)
    made = td.enhance(source.chunked((10, 20)), steps="equalise")
    assert source.read == []
    keys = tasks_of(made, "enhance")
    assert len([key for key in keys if key[1] == "look"]) == 18
    assert len([key for key in keys if key[1] == "add"]) == 3 + 1
    assert len([key for key in keys if key[1] not in ("look", "add")]) == 18
    same(made, tessera.enhance(scan, steps="equalise"))
