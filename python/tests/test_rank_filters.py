# SPDX-License-Identifier: Apache-2.0
"""median_filter, rank_filter and percentile_filter are SciPy's, to the bit."""
import itertools
import re

import numpy as np
import pytest
from expected import random_image
from scipy import ndimage

import tessera

DTYPES = ["uint8", "uint16", "float32", "float64"]
MODES = ["reflect", "mirror", "nearest", "constant", "wrap"]
CROOKED = np.array([[0, 1, 1, 0, 1], [1, 0, 0, 0, 0], [0, 0, 1, 1, 1], [0, 1, 0, 0, 0]], bool)
CORNER = np.zeros((5, 4), bool)
CORNER[0, 3] = CORNER[1, 3] = True
FOOTPRINTS = {"crooked": CROOKED, "corner": CORNER, "disk:2": tessera.named_element("disk:2"),
              "disk:4": tessera.named_element("disk:4"), "cross:3": tessera.named_element("cross:3"),
              "disk:10": tessera.named_element("disk:10"), "line:9,30": tessera.named_element("line:9,30")}
METHODS = ["reference", "square", "network", "bisect", "columns", "boxes"]  # and histogram, for uint8


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 7, 9, (3, 5), (1, 7), (20, 3)], ids=str)
def test_medians(rng, dtype, size):
    image = random_image(rng, (53, 61), dtype)
    actual = tessera.median_filter(image, size)
    assert actual.dtype == image.dtype
    assert np.array_equal(actual, ndimage.median_filter(image, size))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", [3, 5, 7, (2, 3)], ids=str)
def test_every_rank(rng, dtype, size):
    image = random_image(rng, (29, 37), dtype)
    count = int(np.prod(np.broadcast_to(size, 2)))
    for rank in [*range(0, count, max(1, count // 9)), -1, -2, -count]:
        assert np.array_equal(tessera.rank_filter(image, rank, size), ndimage.rank_filter(image, rank, size)), rank


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", FOOTPRINTS)
def test_footprints_and_borders(rng, mode, dtype, name):
    footprint = FOOTPRINTS[name]
    image = random_image(rng, (31, 43), dtype)
    for percentile in (0, 31, 50, 100):
        actual = tessera.percentile_filter(image, percentile, footprint=footprint, mode=mode, cval=0.75)
        expected = ndimage.percentile_filter(image, percentile, footprint=footprint, mode=mode, cval=0.75)
        assert np.array_equal(actual, expected), percentile
    assert np.array_equal(tessera.median_filter(image, footprint=footprint, mode=mode, cval=3),
                          ndimage.median_filter(image, footprint=footprint, mode=mode, cval=3))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("origin", [1, -1, (1, -2), (-2, 0)], ids=str)
@pytest.mark.parametrize("window", [{"size": 5}, {"size": (7, 6)}, {"footprint": CROOKED}], ids=str)
def test_origins(rng, mode, origin, window):
    image = random_image(rng, (23, 29), "float32")
    for rank in (0, 2, 5, -1):
        actual = tessera.rank_filter(image, rank, origin=origin, mode=mode, cval=0.25, **window)
        assert np.array_equal(actual, ndimage.rank_filter(image, rank, origin=origin, mode=mode, cval=0.25, **window))


@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (2, 2), (40, 1), (3, 200)], ids=str)
@pytest.mark.parametrize("size", [3, 5, 7, 8])
def test_images_smaller_than_windows_and_vectors(rng, shape, size):
    for dtype in DTYPES:
        image = random_image(rng, shape, dtype)
        for mode in MODES:
            assert np.array_equal(tessera.median_filter(image, size, mode=mode),
                                  ndimage.median_filter(image, size, mode=mode)), (dtype, mode)


@pytest.mark.parametrize("dtype, method", [*itertools.product(DTYPES, METHODS), ("uint8", "histogram")])
def test_methods_and_threads_give_the_same_bytes(rng, method, dtype):
    image = random_image(rng, (70, 83), dtype)
    for size in (3, 5, 7):
        expected = ndimage.percentile_filter(image, 40, size)
        for threads in (1, 2):
            actual = tessera.percentile_filter(image, 40, size, method=method, backend="cpu", threads=threads)
            assert actual.tobytes() == expected.tobytes()


@pytest.mark.parametrize("axes, shape", [({"channel_axis": -1}, (31, 43, 3)), ({"channel_axis": 0}, (5, 31, 43)),
                                         ({"batch_axis": 0}, (4, 31, 43)),
                                         ({"batch_axis": 0, "channel_axis": -1}, (3, 17, 19, 4))])
@pytest.mark.parametrize("window", [{"size": 3}, {"size": 12}, {"footprint": CROOKED}], ids=str)
def test_channels_and_batches_are_images_of_their_own(rng, axes, shape, window):
    images = random_image(rng, shape, "uint8")
    filtered = [axis % images.ndim for axis in axes.values()]
    expected = np.empty_like(images)
    for index in np.ndindex(*[images.shape[axis] if axis in filtered else 1 for axis in range(images.ndim)]):
        part = tuple(i if axis in filtered else slice(None) for axis, i in enumerate(index))
        expected[part] = ndimage.median_filter(images[part], **window)
    assert np.array_equal(tessera.median_filter(images, **window, **axes), expected)


@pytest.mark.parametrize("turn", [lambda a: a[::2, ::-1], lambda a: a.T, np.asfortranarray])
@pytest.mark.parametrize("dtype", DTYPES)
def test_any_strides(rng, turn, dtype):
    image = turn(random_image(rng, (66, 41), dtype))
    assert np.array_equal(tessera.median_filter(image, 3), ndimage.median_filter(image, 3))
    whole = np.zeros((image.shape[0], 2 * image.shape[1]), dtype)
    out = whole[:, ::2]
    assert tessera.median_filter(image, footprint="disk:2", output=out) is out
    assert np.array_equal(out, ndimage.median_filter(image, footprint=tessera.named_element("disk:2")))
    assert not whole[:, 1::2].any()


@pytest.mark.parametrize("method", METHODS)
def test_nan_do_not_count_and_zeros_have_no_sign(rng, method):
    image = random_image(rng, (40, 50), "float32")
    image[rng.random(image.shape) < 0.05] = np.nan
    image[10:20, 10:20] = np.nan
    image[rng.random(image.shape) < 0.1] = -0.0
    image[0, 0], image[39, 49] = np.inf, -np.inf
    padded = np.pad(image, 1, mode="symmetric")
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3)).reshape(*image.shape, 9)
    valid = np.sort(windows, axis=-1)  # NaN last
    count = (~np.isnan(windows)).sum(-1)
    place = np.maximum((count * 30.0 / 100).astype(int), 0)
    expected = np.take_along_axis(valid, place[..., None], -1)[..., 0] + np.float32(0)
    expected[count == 0] = np.nan
    actual = tessera.percentile_filter(image, 30, 3, method=method, backend="cpu")
    assert actual.tobytes() == expected.astype("float32").tobytes()


def test_a_rank_keeps_its_proportion_among_fewer_values():
    image = np.array([[5, np.nan, 1, 3, np.nan]], np.float64)
    assert tessera.rank_filter(image, 2, (1, 5))[0, 2] == 3  # the middle of 1 3 5
    assert tessera.rank_filter(image, 0, (1, 5))[0, 2] == 1
    assert tessera.rank_filter(image, -1, (1, 5))[0, 2] == 5


IMAGE = np.zeros((8, 9), np.float32)
ERRORS = [
    (lambda: tessera.median_filter(IMAGE), TypeError, "median_filter: give either size or footprint"),
    (lambda: tessera.rank_filter(IMAGE, 9, 3), ValueError, "rank 9 is not offered for 9 pixels; it can be -9 to 8"),
    (lambda: tessera.rank_filter(IMAGE, 1.5, 3), TypeError, "rank_filter: rank is 1.5"),
    (lambda: tessera.median_filter(IMAGE, footprint=np.zeros((2, 3))), ValueError, "all 6 pixels of the footprint"),
    (lambda: tessera.median_filter(IMAGE, footprint="disc:3"), ValueError, "'disc:3' is not known"),
    (lambda: tessera.median_filter(IMAGE, footprint=np.ones(3)), ValueError, "footprint has shape (3,)"),
    (lambda: tessera.median_filter(IMAGE, 3, origin=(0, 2)), ValueError, "origin (0, 2) moves the centre out"),
    (lambda: tessera.median_filter(IMAGE, 2000), ValueError, "size is 2000; each side can be 1 to 1024 pixels"),
    (lambda: tessera.median_filter(IMAGE, 3, mod="wrap"), TypeError, "did you mean"),
]


@pytest.mark.parametrize("call, exception, words", ERRORS)
def test_errors_are_one_sentence(call, exception, words):
    with pytest.raises(exception, match=re.escape(words)) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_output_may_name_the_dtype_of_the_image(rng):
    image = random_image(rng, (9, 8), "uint8")
    expected = ndimage.median_filter(image, 3)
    for own in (np.uint8, "uint8", "u8", np.dtype("u1")):
        assert np.array_equal(tessera.median_filter(image, 3, output=own), expected)
    with pytest.raises(TypeError, match=r'output is float32; the result of uint8 is uint8, give image.astype\("f'):
        tessera.median_filter(image, 3, output=np.float32)


def test_a_footprint_in_the_place_of_the_size(rng):
    image = random_image(rng, (9, 8), "uint8")
    with pytest.raises(TypeError, match="median_filter: size is an array of pixels; give it as footprint="):
        tessera.median(image, np.ones((3, 3)))
