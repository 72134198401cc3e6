# SPDX-License-Identifier: Apache-2.0
"""percentile_filter is SciPy's, to the bit."""
import re

import numpy as np
import pytest
from expected import random_image
from scipy import ndimage

import tessera

DTYPES = ["uint8", "uint16", "float32", "float64"]
MODES = ["reflect", "mirror", "nearest", "constant", "wrap"]
SIZES = [1, 2, 3, 8, 15, (1, 9), (12, 1), (5, 4), (31, 22)]
PERCENTILES = [0, 20, 25, 50, 73.3, 99.9, 100, -1, -20, -100]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_sizes(rng, dtype, size):
    image = random_image(rng, (33, 41), dtype)
    actual = tessera.percentile_filter(image, 30, size)
    assert actual.dtype == image.dtype
    assert np.array_equal(actual, ndimage.percentile_filter(image, 30, size))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("size", [4, (7, 3), (6, 40)], ids=str)
@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_modes(rng, mode, size, dtype):
    image = random_image(rng, (23, 29), dtype)
    for cval in (0.0, 0.25, 7):
        actual = tessera.percentile_filter(image, 62, size, mode=mode, cval=cval)
        assert np.array_equal(actual, ndimage.percentile_filter(image, 62, size, mode=mode, cval=cval))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("cval", [0.5, 1.5, 2.5, 2.999, 254.9, -0.7])
def test_fractions_outside(rng, dtype, cval):
    """SciPy drops the fraction of cval if the image has integers."""
    image = rng.integers(0, 5, (9, 11)).astype(dtype)
    actual = tessera.percentile_filter(image, 50, 3, mode="constant", cval=cval)
    assert np.array_equal(actual, ndimage.percentile_filter(image, 50, 3, mode="constant", cval=cval))


@pytest.mark.parametrize("percentile", PERCENTILES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_percentiles(rng, percentile, dtype):
    image = random_image(rng, (21, 18), dtype)
    actual = tessera.percentile_filter(image, percentile, (6, 7))
    assert np.array_equal(actual, ndimage.percentile_filter(image, percentile, (6, 7)))


@pytest.mark.parametrize("mode", MODES)
def test_boxes_larger_than_the_image(rng, mode):
    image = random_image(rng, (5, 4), "float32")
    actual = tessera.percentile_filter(image, 40, (9, 12), mode=mode)
    assert np.array_equal(actual, ndimage.percentile_filter(image, 40, (9, 12), mode=mode))


def test_it_is_the_median_the_least_and_the_greatest(rng):
    image = random_image(rng, (40, 30), "uint16")
    assert np.array_equal(tessera.percentile_filter(image, 50, 7), ndimage.median_filter(image, 7))
    assert np.array_equal(tessera.percentile_filter(image, 0, 6), ndimage.minimum_filter(image, 6))
    assert np.array_equal(tessera.percentile_filter(image, 100, (3, 8)), ndimage.maximum_filter(image, (3, 8)))


def test_ties_and_infinities(rng):
    image = rng.integers(0, 4, (30, 30)).astype("float32")
    image[3, 4], image[9, 9] = np.inf, -np.inf
    for percentile in (0, 35, 100):
        assert np.array_equal(tessera.percentile_filter(image, percentile, 5),
                              ndimage.percentile_filter(image, percentile, 5))


def test_nan_do_not_count(rng):
    image = random_image(rng, (12, 12), "float32")
    image[2:9, 3:10] = np.nan
    actual = tessera.percentile_filter(image, 50, 5, mode="nearest")
    assert np.isnan(actual[4:7, 5:8]).all() and np.isnan(actual).sum() == 9
    values = np.sort(image[2:7, :5][np.isfinite(image[2:7, :5])])
    assert actual[4, 2] == values[int(len(values) * 50 / 100)]


@pytest.mark.parametrize("method", ["reference", "boxes", "columns", "bisect"])
def test_methods_and_threads_give_the_same_bytes(rng, method):
    image = random_image(rng, (70, 60), "float32")
    expected = ndimage.percentile_filter(image, 20, (9, 16))
    for threads in (0, 1, 2):
        actual = tessera.percentile_filter(image, 20, (9, 16), method=method, backend="cpu", threads=threads)
        assert np.array_equal(actual, expected)


@pytest.mark.parametrize("turn", [lambda a: a[::2, ::-1], lambda a: a.T, np.asfortranarray])
def test_any_strides(rng, turn):
    image = turn(random_image(rng, (33, 41), "uint8"))
    assert np.array_equal(tessera.percentile_filter(image, 50, 5), ndimage.percentile_filter(image, 50, 5))


def test_out(rng):
    image = random_image(rng, (20, 25), "float64")
    whole = np.zeros((20, 50))
    out = whole[:, ::2]
    assert tessera.percentile_filter(image, 10, 3, out=out) is out
    assert np.array_equal(out, ndimage.percentile_filter(image, 10, 3)) and not whole[:, 1::2].any()
    assert tessera.percentile_filter(image, 90, 3, output=out) is out
    assert np.array_equal(out, ndimage.percentile_filter(image, 90, 3))


IMAGE = np.zeros((8, 9), np.float32)
ERRORS = [
    (lambda: tessera.percentile_filter(IMAGE.astype(np.int64), 50, 3), TypeError, "image has dtype int64"),
    (lambda: tessera.percentile_filter(IMAGE[0, 0], 50, 3), ValueError, "percentile_filter: image has shape ()"),
    (lambda: tessera.percentile_filter(IMAGE, 101, 3), ValueError, "percentile 101"),
    (lambda: tessera.percentile_filter(IMAGE, -101, 3), ValueError, "percentile -101"),
    (lambda: tessera.percentile_filter(IMAGE, np.nan, 3), ValueError, "percentile nan"),
    (lambda: tessera.percentile_filter(IMAGE, 50, 0), ValueError, "size is 0; each side can be 1 to 1024 pixels"),
    (lambda: tessera.percentile_filter(IMAGE, 50, 1.5), TypeError, "percentile_filter: size is 1.5; it must be"),
    (lambda: tessera.percentile_filter(IMAGE, 50, (3, 3, 3)), TypeError, "a whole number or (rows, columns)"),
    (lambda: tessera.percentile_filter(IMAGE, 50, 3, mode="mirrored"), ValueError, "mirror"),
    (lambda: tessera.percentile_filter(IMAGE, 50, 3, footprint=np.ones((3, 3))), TypeError,
     "give either size or footprint"),
    (lambda: tessera.percentile_filter(IMAGE, 50), TypeError, "give either size or footprint"),
    (lambda: tessera.percentile_filter(IMAGE, 50, 3, origin=2), ValueError, "origin 2 moves the centre out"),
    (lambda: tessera.percentile_filter(IMAGE, 50, 3, axes=0), TypeError, "axes is not offered; give channel_axis"),
    (lambda: tessera.percentile_filter(np.ma.masked_less(IMAGE, 1), 50, 3), TypeError, "image is a masked array"),
    (lambda: tessera.percentile_filter(IMAGE, 50, 3, out=IMAGE, output=IMAGE), TypeError, "both given"),
    (lambda: tessera.percentile_filter(IMAGE, 50, 3, cval="x"), TypeError, "cval is 'x'; it must be a number"),
    (lambda: tessera.percentile_filter(IMAGE, 50, 3, threads=-1), ValueError, "0 or more"),
    (lambda: tessera.percentile_filter(IMAGE, 50, 3, out=IMAGE[1:]), ValueError, "out is (7, 9)"),
]


@pytest.mark.parametrize("call, exception, words", ERRORS)
def test_errors_are_one_sentence(call, exception, words):
    with pytest.raises(exception, match=re.escape(words)) as caught:
        call()
    assert "\n" not in str(caught.value)
