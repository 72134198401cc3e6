# SPDX-License-Identifier: Apache-2.0
"""NaN outside the image: what a copy padded with NaN gives, and one sentence for integers."""
import numpy as np
import pytest
from expected import random_image

import tessera

WEIGHTS = np.array([[1.0, 2.0, -1.0, 0.5], [0.5, 3.0, 0.25, 0], [-2.0, 1.0, 0.125, 1]])
CROOKED = np.array([[0, 1, 1, 0, 1], [1, 0, 0, 0, 0], [0, 0, 1, 1, 1], [0, 1, 0, 0, 0]])
NAN = {"border": "constant", "constant": np.nan}
FLOATS = ["float16", "float32", "float64", ">f4"]
INTEGERS = ["bool", "int8", "uint8", ">i2", "int32"]


def padded(image, call):
    """The result on a copy with NaN around it, without what lies there."""
    whole = call(np.pad(image, 20, constant_values=np.nan))
    return whole[20:-20, 20:-20]


def same(actual, expected):
    assert actual.dtype == expected.dtype
    assert np.array_equal(actual, expected, equal_nan=True)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("method", ["auto", "reference", "direct", "separable", "fft"])
def test_sums(rng, dtype, method):
    image = random_image(rng, (61, 47), "float64").astype(dtype)
    weights = "gauss:1.5" if method == "separable" else WEIGHTS
    actual = tessera.convolve(image, weights, method=method, backend="cpu", **NAN)
    expected = padded(image, lambda a: tessera.convolve(a, weights, method="reference"))
    assert np.array_equal(np.isnan(actual), np.isnan(expected)) and np.isnan(actual).any()
    assert np.allclose(actual, expected, rtol=0, atol=1e-2 if dtype == "float16" else 1e-4, equal_nan=True)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("element", ["box:5x7", "disk:4", CROOKED], ids=str)
@pytest.mark.parametrize("call", [tessera.erode, tessera.dilate])
def test_morphology(rng, dtype, element, call):
    image = random_image(rng, (43, 37), "float64").astype(dtype)
    for nan in (np.nan, -np.nan):
        actual = call(image, element, border="constant", constant=nan)
        same(actual, padded(image, lambda a: call(a, element, border="inside")))
        same(call(image, element, border="constant", constant=nan, method="reference"), actual)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("method", ["auto", "reference", "columns", "boxes"])
def test_ranks(rng, dtype, method):
    """NaN do not count."""
    image = random_image(rng, (43, 37), "float64").astype(dtype)
    options = {"method": method, "backend": "cpu"}
    for size in (3, (5, 8)):
        same(tessera.median_filter(image, size, mode="constant", cval=np.nan, **options),
             padded(image, lambda a, size=size: tessera.median_filter(a, size)))
        same(tessera.percentile_filter(image, 30, size, mode="constant", cval=np.nan, **options),
             padded(image, lambda a, size=size: tessera.percentile_filter(a, 30, size)))


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("name, call", [
    ("convolve: constant", lambda a: tessera.convolve(a, "box:3x3", **NAN)),
    ("convolve: constant", lambda a: tessera.convolve(a, "box:3x3", output_type="f32", **NAN)),
    ("erode: constant", lambda a: tessera.erode(a, "box:3x3", **NAN)),
    ("dilate: constant", lambda a: tessera.Dilate(a.shape, a.dtype, "disk:2", **NAN)),
    ("median_filter: cval", lambda a: tessera.median_filter(a, 3, mode="constant", cval=np.nan)),
    ("rank_filter: cval", lambda a: tessera.rank_filter(a, 1, 3, mode="constant", cval=np.nan))])
def test_integers_have_no_nan(dtype, name, call):
    with pytest.raises(ValueError, match=f"^{name} is nan, which u?(int|bool)[0-9]* does not have; give a number"):
        call(np.zeros((8, 9), dtype))


def test_the_constant_of_another_border_does_not_matter(rng):
    image = random_image(rng, (20, 30), "uint8")
    expected = tessera.erode(image, "disk:2", border="reflect")
    same(tessera.erode(image, "disk:2", border="reflect", constant=np.nan), expected)
    same(tessera.median_filter(image, 3, cval=np.nan), tessera.median_filter(image, 3))
