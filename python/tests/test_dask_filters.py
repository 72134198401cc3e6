# SPDX-License-Identifier: Apache-2.0
"""tessera.dask: filters of images have the bytes of one call, whatever the chunks, and tasks get no more than they
need."""
import numpy as np
import pytest

dask = pytest.importorskip("dask")
import dask.array as da  # noqa: E402
from dask_arrays import CountingSource, same, tasks_of, three_chunks  # noqa: E402

import tessera  # noqa: E402
import tessera.dask as td  # noqa: E402
from tessera.dask import _blocks, _inputs, _plans  # noqa: E402

CHUNKS = ["odd", "rows", "whole"]
BORDERS = ["reflect", "reflect-101", "wrap", "constant", "inside", "valid", "replicate"]
DTYPES = ["uint8", "uint16", "float32", "float64", "bool", "int8", "int16", "int32", "uint32", "float16", ">i2", ">f4"]


def picture(rng, shape, dtype="float32"):
    values = rng.uniform(0, 120, shape)
    return values > 60 if dtype == "bool" else values.astype(dtype)


@pytest.fixture
def image(rng):
    values = picture(rng, (71, 53))
    values[5, 7], values[40, 3], values[70, 52] = np.nan, np.inf, -0.0
    return values


@pytest.mark.parametrize("chunks", CHUNKS)
@pytest.mark.parametrize("border", BORDERS)
def test_convolve(image, border, chunks):
    x = da.from_array(image, chunks=three_chunks(image.shape)[chunks])
    for name in ("gauss:2.5", "box:4x6"):
        same(td.convolve(x, name, border=border), tessera.convolve(image, name, border=border))


@pytest.mark.parametrize("border", ["reflect", "wrap", "valid", "constant"])
@pytest.mark.parametrize("chunks", [(100, 50), (1, -1), (33, 217), (1000, 1000)])
def test_tiles_are_cut_where_the_method_cuts_them(rng, border, chunks):
    image = picture(rng, (301, 217))
    plan = tessera.Convolve(image.shape, image.dtype, "box:31x31", border=border, method="fft")
    assert plan.row_step > 1
    made = td.convolve(da.from_array(image, chunks=chunks), "box:31x31", border=border, method="fft")
    assert all(end % plan.row_step == 0 for end in np.cumsum(made.chunks[0])[:-1])
    same(made, tessera.convolve(image, "box:31x31", border=border, method="fft"))


@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes(rng, dtype):
    image = picture(rng, (47, 31), dtype)
    for chunks in three_chunks(image.shape).values():
        x = da.from_array(image, chunks=chunks)
        same(td.convolve(x, "gauss:1.5"), tessera.convolve(image, "gauss:1.5"))
        same(td.erode(x, "box:4x3", border="wrap"), tessera.erode(image, "box:4x3", border="wrap"))
        same(td.dilate(x, "disk:3"), tessera.dilate(image, "disk:3"))
        same(td.percentile_filter(x, 30, size=5), tessera.percentile_filter(image, 30, size=5))


@pytest.mark.parametrize("border", BORDERS)
def test_erode_and_dilate(image, border):
    element = np.array([[0, 1], [1, 1], [0, 0], [1, 1]], bool)
    for chunks in three_chunks(image.shape).values():
        x = da.from_array(image, chunks=chunks)
        for name in ("erode", "dilate"):
            made, wanted = (getattr(module, name) for module in (td, tessera))
            same(made(x, element, border=border), wanted(image, element, border=border))


@pytest.mark.parametrize("mode", ["reflect", "mirror", "nearest", "constant", "wrap"])
def test_percentile_filter(image, mode):
    for chunks in three_chunks(image.shape).values():
        x = da.from_array(image, chunks=chunks)
        for options in (dict(size=(7, 4)), dict(footprint="disk:3", origin=(1, -1))):
            same(td.percentile_filter(x, 70, mode=mode, **options),
                 tessera.percentile_filter(image, 70, mode=mode, **options))


@pytest.mark.parametrize("shape", [(1, 1), (1, 40), (40, 1), (2, 3), (0, 7)])
def test_odd_sizes(rng, shape):
    image = picture(rng, shape)
    for chunks in ((1, 1), (5, 5)):
        x = da.from_array(image, chunks=chunks)
        same(td.convolve(x, "box:3x3", border="replicate"), tessera.convolve(image, "box:3x3", border="replicate"))
        same(td.erode(x, "disk:2"), tessera.erode(image, "disk:2"))


def test_other_axes(rng):
    photo = picture(rng, (40, 30, 3), "uint8")
    x = da.from_array(photo, chunks=(16, 20, 2))
    same(td.convolve(x, "gauss:2", channel_axis=-1), tessera.convolve(photo, "gauss:2", channel_axis=-1))
    same(td.dilate(x, "disk:2", batch_axis=2), tessera.dilate(photo, "disk:2", batch_axis=2))
    many = picture(rng, (6, 40, 30))
    x = da.from_array(many, chunks=(6, 16, 20))
    same(td.convolve(x, "gauss:2", channel_axis=0), tessera.convolve(many, "gauss:2", channel_axis=0))
    weights = rng.normal(size=(3, 5, 5)).astype("float32")
    same(td.convolve(x, weights), tessera.convolve(many, weights))
    same(td.percentile_filter(x, 50, size=(3, 3, 3)), tessera.percentile_filter(many, 50, size=(3, 3, 3)))
    line = picture(rng, (90,))
    x = da.from_array(line, chunks=20)
    same(td.convolve(x, np.ones(5, "float32")), tessera.convolve(line, np.ones(5, "float32")))


@pytest.mark.parametrize("options", [dict(), dict(method="fft")])
def test_images_of_a_batch_are_separate_tasks(rng, options):
    film = picture(rng, (5, 140, 60))
    made = td.convolve(da.from_array(film, chunks=(2, 50, 60)), "box:15x15", batch_axis=0, **options)
    assert made.chunks[0] == (2, 2, 1)
    same(made, tessera.convolve(film, "box:15x15", batch_axis=0, **options))


def test_nothing_is_read_when_the_graph_is_built(image):
    source = CountingSource(image)
    made = td.convolve(source.chunked((20, 20)), "gauss:2.5")
    assert source.read == []
    same(made, tessera.convolve(image, "gauss:2.5"))
    assert source.read != []


def rows_in(chunks):
    return sum(row[0].shape[0] for row in chunks)


@pytest.mark.parametrize("columns", [50, 20])
def test_a_task_gets_its_block_and_its_halo(rng, monkeypatch, columns):
    image, given = picture(rng, (120, 50)), []
    join = _blocks.join_chunks

    def counted(chunks, axes):
        given.append(rows_in(chunks))
        return join(chunks, axes)

    monkeypatch.setattr(_blocks, "join_chunks", counted)
    source = CountingSource(image)
    made = td.erode(source.chunked((20, columns)), "disk:3")
    assert len(tasks_of(made, "erode")) == made.numblocks[0] == 6
    same(made, tessera.erode(image, "disk:3"))
    assert sorted(given) == [23, 23, 26, 26, 26, 26]
    assert sum(rows * n for rows, n in source.read) == image.size  # every chunk once
    given.clear()
    assert made.blocks[2].compute(scheduler="synchronous").shape == (20, 50)
    assert given == [26]


def test_a_task_reads_its_part_of_a_file(rng, monkeypatch, tmp_path):
    image, read = picture(rng, (120, 50)), []
    np.save(tmp_path / "image.npy", image)
    part_of = _inputs.ArrayFile.__getitem__

    def counted(file, index):
        part = part_of(file, index)
        read.extend([len(part)] if part.size else [])
        return part

    monkeypatch.setattr(_inputs.ArrayFile, "__getitem__", counted)
    with dask.config.set({"array.chunk-size": "4kiB"}):
        made = td.erode(tmp_path / "image.npy", "disk:3")
    assert made.numblocks[0] > 2 and read == []
    same(made, tessera.erode(image, "disk:3"))
    ends = np.cumsum(made.chunks[0])
    assert sorted(read) == sorted(np.minimum(ends + 3, 120) - np.maximum(ends - made.chunks[0] - 3, 0))


def test_a_plan_is_made_once_per_process(image, monkeypatch):
    made, make = [], _plans._checked_plan

    def counted(recipe):
        made.append(recipe)
        return make(recipe)

    monkeypatch.setattr(_plans, "_checked_plan", counted)
    x = da.from_array(image, chunks=(3, -1))
    for _ in range(2):
        td.convolve(x, "gauss:1.75").compute(scheduler="threads")
    assert len(made) == 1


def test_an_array_of_weights_is_kept_as_it_is(image):
    weights = np.ones((3, 3), "float32")
    made = td.convolve(da.from_array(image, chunks=20), weights)
    wanted = tessera.convolve(image, weights)
    weights[:] = 7
    same(made, wanted)


@pytest.mark.parametrize("border", ["wrap", "valid", "inside"])
def test_rows_of_a_plan(image, border):
    """Rows of a result from the rows of the image that they need: the calls that tasks make."""
    plan = tessera.Convolve(image.shape, image.dtype, "box:4x6", border=border)
    whole = plan(image)
    for first, end in [(0, 5), (7, 8), (60, len(whole)), (0, len(whole)), (3, 3)]:
        first_row, rows = plan.needed_rows(first, end)
        made = plan.run_rows(np.ascontiguousarray(image[rows]), first_row, (first, end))
        assert made.tobytes() == whole[first:end].tobytes()


def test_rows_of_a_plan_are_checked(image):
    plan = tessera.Convolve(image.shape, image.dtype, "box:3x3")
    with pytest.raises(ValueError, match="rows 60 to 80 are not among them"):
        plan.run_rows(image, 0, (60, 80))
    with pytest.raises(ValueError, match="row 10 is needed"):
        plan.run_rows(image[11:20].copy(), 11, (11, 15))
    with pytest.raises(ValueError, match="with gaps"):
        tessera.Convolve((9, 9, 3), "uint8", "box:3x3", channel_axis=-1).run_rows(
            np.zeros((9, 3, 9), "uint8").transpose(0, 2, 1), 0, (0, 9))
    with pytest.raises(ValueError, match="it must be"):
        plan.run_rows(image[:, :-1].copy(), 0, (0, 9))


def test_files(image, tmp_path):
    np.save(tmp_path / "image.npy", image)
    wanted = tessera.convolve(image, "gauss:2")
    same(td.convolve(tmp_path / "image.npy", "gauss:2"), wanted)
    same(td.convolve(str(tmp_path / "image.npy"), "gauss:2"), wanted)


def test_zarr(image, tmp_path):
    zarr = pytest.importorskip("zarr")
    stored = zarr.open_array(str(tmp_path / "image.zarr"), mode="w", shape=image.shape, chunks=(20, 30),
                             dtype=image.dtype)
    stored[:] = image
    made = td.convolve(tmp_path / "image.zarr", "gauss:2")
    assert made.chunks[0] == (20, 20, 20, 11)
    same(made, tessera.convolve(image, "gauss:2"))
