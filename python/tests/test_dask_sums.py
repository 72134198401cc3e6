# SPDX-License-Identifier: Apache-2.0
"""tessera.dask: sums of the X-engine over time, and of ensembles over images, are added as one process adds them."""
import pickle

import numpy as np
import pytest

pytest.importorskip("dask")
import dask.array as da
import dask.bag as db
from dask_arrays import CountingSource, delayed_of, same, tasks_of

import tessera
import tessera.dask as td

TIMES = 700
CASES = {
    "int8": ("int8", (TIMES, 6, 3, 2, 2), "tci", {}),
    "full": ("int8", (TIMES, 6, 3, 2, 2), "tci", dict(order="full")),
    "tiles": ("int8", (TIMES, 6, 4, 2, 2), "tci", dict(order="register-tile")),
    "saturated": ("int16", (TIMES, 6, 3, 2, 2), "tci", dict(output_type="i32", average=2)),
    "averaged": ("int8", (6, TIMES, 3, 2, 2), "cti", dict(average=3)),
    "bytes": ("uint8", (6, TIMES, 6, 2), "cti", dict(polarisations=2)),
    "antennas first": ("int16", (3, 6, TIMES, 2, 2), "act", {}),
    "groups": ("int8", (6, 44, 3, 2, 16, 2), "tcc", {}),
    "floats": ("complex64", (TIMES, 6, 3, 2), "tci", {}),
    "float pairs": ("float32", (TIMES, 3, 2, 2), "tap", {}),
    "float tiles": ("complex64", (TIMES, 6, 4, 2), "tci", dict(order="register-tile", output_type="f32")),
}
VALID = ("int8", "floats", "groups", "antennas first")


def voltages(dtype, shape):
    rng = np.random.default_rng(5)
    if dtype == "complex64":
        return (rng.normal(0, 1, shape) + 1j * rng.normal(0, 1, shape)).astype(dtype)
    if dtype == "float32":
        return rng.normal(0, 1, shape).astype(dtype)
    limits = np.iinfo(dtype)
    return rng.integers(limits.min, limits.max, shape, dtype, endpoint=True)


def chunkings(shape):
    return [tuple(max(1, n // 3) for n in shape), tuple(min(n, 90) for n in shape), tuple(n + 1 for n in shape),
            (1, *shape[1:]) if shape[0] < 10 else (min(shape[0], 257), 1, *shape[2:])]


@pytest.mark.parametrize("name", CASES)
def test_xengine(name):
    dtype, shape, layout, options = CASES[name]
    samples = voltages(dtype, shape)
    for as_complex in (False, True):
        wanted = tessera.xengine(samples, layout, as_complex=as_complex, **options)
        for chunks in chunkings(shape):
            same(td.xengine(da.from_array(samples, chunks=chunks), layout, as_complex=as_complex, **options), wanted)


@pytest.mark.parametrize("name", VALID)
def test_samples_that_are_not_valid(name):
    dtype, shape, layout, options = CASES[name]
    samples, antennas = voltages(dtype, shape), 3
    length = 16 * 11 if name == "groups" else 100
    times = 44 * 16 if name == "groups" else TIMES
    valid = np.random.default_rng(2).random((-(-times // length), antennas, 2)) > 0.3
    for mask, stretch in ((valid, length), (valid[:4, :, 0], times // 4)):
        wanted = tessera.xengine(samples, layout, valid=mask, valid_samples=stretch, **options)
        for chunks in chunkings(shape):
            x = da.from_array(samples, chunks=chunks)
            same(td.xengine(x, layout, valid=mask, valid_samples=stretch, **options), wanted)


def test_integers_are_tasks_of_time_and_floats_of_channels():
    for name, parts in (("int8", 7 * 3), ("floats", 3)):
        dtype, shape, layout, options = CASES[name]
        source = CountingSource(voltages(dtype, shape))
        made = td.xengine(source.chunked((100, 2, *shape[2:])), layout, **options)
        assert source.read == []
        assert len([key for key in tasks_of(made, "xengine") if key[1] == "sum"]) == parts
        assert made.chunks[0] == (2, 2, 2)
        same(made, tessera.xengine(source.array, layout, **options))
        assert sum(np.prod(part) for part in source.read) == source.array.size


def test_channels_are_cut_where_they_are_averaged():
    samples = voltages("int8", (50, 12, 3, 2, 2))
    made = td.xengine(da.from_array(samples, chunks=(20, 5, 3, 2, 2)), average=4)
    assert made.chunks[0] == (1, 2)
    same(made, tessera.xengine(samples, average=4))


@pytest.fixture
def photos(rng):
    return [rng.normal(0, 1, (4, 40, 30)).astype("float32") for _ in range(21)]


def ensemble_of(photos, **options):
    """As the command line adds them: blocks of eight in their order."""
    whole = tessera.Ensemble()
    for place, photo in enumerate(photos):
        whole.add(place, tessera.correlate(photo, **options))
    return whole


@pytest.mark.parametrize("count", [1, 7, 8, 9, 21])
def test_ensembles(photos, count):
    photos, options = photos[:count], dict(max_shift=12, sums="pairs", scale="energy")
    whole = ensemble_of(photos, **options)
    of = dict(shape=photos[0].shape, dtype="float32")
    for made in (td.correlate([da.from_array(photo, chunks=(1, 17, 30)) for photo in photos], **options),
                 td.correlate(delayed_of(photos), **of, **options),
                 td.correlate(db.from_sequence(photos, npartitions=min(count, 4)), **of, **options)):
        same(made.mean, whole.means.reshape(2, 12, 12))
        same(made.standard_error, whole.standard_errors.reshape(2, 12, 12))


def test_an_ensemble_is_that_of_the_command_line(cli, rng, tmp_path):
    names = [tmp_path / f"{i:02}.npy" for i in range(11)]
    images = [rng.uniform(0, 1, (40, 30)).astype("float32") for _ in names]
    for name, image in zip(names, images, strict=True):
        np.save(name, image)
    cli("correlate", *names, "-o", tmp_path / "maps.npy", "--max-shift", 10, "--planes", "as-is")
    mean, error = np.load(tmp_path / "maps.npy")
    made = td.correlate(names, max_shift=10)
    same(made.mean, mean)
    same(made.standard_error, error)


def test_ensembles_of_two_and_one_image(photos):
    pairs = td.correlate([da.from_array(photo, chunks=20) for photo in photos[:9]],
                         [da.from_array(photo, chunks=30) for photo in photos[9:18]], max_shift=9)
    whole = tessera.Ensemble()
    for place in range(9):
        whole.add(place, tessera.correlate(photos[place], photos[9 + place], max_shift=9))
    same(pairs.mean, whole.means.reshape(9, 9))
    one = td.correlate(da.from_array(photos[0], chunks=11), max_shift=9, sums="each")
    same(one, tessera.correlate(photos[0], max_shift=9, sums="each"))
    with_other = td.correlate(da.from_array(photos[0], chunks=11), da.from_array(photos[1], chunks=9), max_shift=9)
    same(with_other, tessera.correlate(photos[0], photos[1], max_shift=9))


def test_blocks_join_as_they_are_added(rng):
    values = rng.normal(0, 1, (19, 5))
    whole, joined = tessera.Ensemble(), tessera.Ensemble()
    for place, each in enumerate(values):
        whole.add(place, each)
    for first in range(0, 19, 8):
        block = tessera.Ensemble()
        for place in range(first, min(first + 8, 19)):
            block.add(place, values[place])
        joined.join(pickle.loads(pickle.dumps(block)))
    assert joined.images == whole.images == 19
    assert joined.means.tobytes() == whole.means.tobytes()
    assert joined.standard_errors.tobytes() == whole.standard_errors.tobytes()
    with pytest.raises(ValueError, match="join blocks in their order"):
        joined.join(block)
    with pytest.raises(ValueError, match="more than one block"):
        tessera.Ensemble().join(whole)
    with pytest.raises(ValueError, match="places ascend"):
        whole.add(18, values[0])
    with pytest.raises(ValueError, match="4 values and those before it 5"):
        whole.add(19, values[0][:4])
