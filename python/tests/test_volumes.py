# SPDX-License-Identifier: Apache-2.0
"""Arrays of three axes are filtered as volumes by weights of three axes: SciPy's results."""
import pickle

import numpy as np
import pytest
from expected import SCIPY_MODES, assert_close, bound, random_image
from scipy import ndimage

import tessera

SHAPES = [(9, 20, 31), (1, 13, 40), (4, 1, 7), (30, 3, 2), (2, 70, 300)]
MODES = [mode for mode in SCIPY_MODES if mode != "constant"]


def volume(rng, dtype, shape=SHAPES[0]):
    if np.dtype(dtype).kind in "ui":
        return random_image(rng, shape, dtype) if np.dtype(dtype).kind == "u" else rng.integers(-99, 99, shape, dtype)
    return (random_image(rng, shape, "float64") * 100).astype(dtype)


def separable(rng, shape):
    along = [rng.uniform(-1, 1, n) for n in shape]
    return along[0][:, None, None] * along[1][:, None] * along[2]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", ["uint8", "uint16", "float32", "float64"])
def test_sums(rng, shape, dtype):
    image = volume(rng, dtype, shape)
    for border, mode in SCIPY_MODES.items():
        for size in [(3, 3, 3), (2, 4, 3), (5, 1, 2), (3, 9, 9)]:
            for weights in (rng.uniform(-1, 1, size), separable(rng, size), np.ones(size) / np.prod(size)):
                expected = ndimage.correlate(image.astype(float), weights, mode=mode, cval=2)
                actual = tessera.convolve(image, weights, border=border, constant=2)
                assert actual.dtype == image.dtype
                tolerance = bound(image, weights, constant=2, double=dtype == "float64")
                assert_close(actual, expected, tolerance)


def test_turned(rng):
    image = volume(rng, "float64")
    for size in [(3, 3, 3), (4, 3, 5)]:
        weights = rng.uniform(-1, 1, size)
        expected = ndimage.convolve(image, weights, mode="mirror")
        assert np.allclose(tessera.convolve(image, weights, flip=True), expected, rtol=0, atol=1e-10)


def test_valid(rng):
    image, weights = volume(rng, "float64"), rng.uniform(-1, 1, (3, 5, 4))
    windows = np.lib.stride_tricks.sliding_window_view(image, weights.shape)
    expected = np.einsum("zyxkji,kji->zyx", windows, weights)
    assert np.allclose(tessera.convolve(image, weights, border="valid"), expected, rtol=0, atol=1e-10)
    assert tessera.convolve(image[:2], weights, border="valid").shape == (0, 16, 28)
    assert np.array_equal(tessera.erode(image, np.ones((3, 1, 1)), border="valid"),
                          np.minimum(np.minimum(image[:-2], image[1:-1]), image[2:]))


def test_numbers_that_are_not_finite(rng):
    image = volume(rng, "float32")
    image[4, 9, 9], image[2, 3, 20] = np.nan, np.inf
    weights = separable(rng, (3, 3, 3))
    weights[0] = 0  # 0 times NaN is NaN; SciPy leaves such weights out
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(image.astype(float), 1, "reflect"), weights.shape)
    with np.errstate(invalid="ignore"):
        expected = (windows * weights).sum((3, 4, 5))
    actual = tessera.convolve(image, weights)
    assert np.array_equal(np.isnan(actual), np.isnan(expected))
    assert np.array_equal(np.isinf(actual), np.isinf(expected))
    element = np.ones((3, 3, 3))
    assert np.isnan(tessera.erode(image, element)).sum() == 27
    assert not np.isnan(tessera.median_filter(image, 3)).any()


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", ["bool", "uint8", ">i2", "uint16", "int32", "float16", "float32", "float64"])
def test_order(rng, shape, dtype):
    image = volume(rng, "float64", shape).astype(dtype)
    plain, native = image.astype(float), np.dtype(dtype).newbyteorder("=")
    for mode in MODES:
        border = mode
        scipy_mode = SCIPY_MODES[mode]
        for element in (np.ones((3, 3, 3)), ndimage.generate_binary_structure(3, 1), rng.random((2, 4, 3)) < .5):
            element = np.asarray(element)
            element.flat[0] = 1
            pairs = [
                (tessera.erode(image, element, border=border),
                 ndimage.grey_erosion(plain, footprint=element, mode=scipy_mode)),
                (tessera.median_filter(image, footprint=element, mode=scipy_mode),
                 ndimage.median_filter(plain, footprint=element, mode=scipy_mode)),
                (tessera.percentile_filter(image, 30, footprint=element, mode=scipy_mode),
                 ndimage.percentile_filter(plain, 30, footprint=element, mode=scipy_mode)),
            ]
            if element.shape == (3, 3, 3):  # SciPy anchors even sides of dilations elsewhere
                pairs.append((tessera.dilate(image, element, border=border),
                              ndimage.grey_dilation(plain, footprint=element, mode=scipy_mode)))
            for number, (actual, expected) in enumerate(pairs):
                assert actual.dtype == native and actual.shape == image.shape
                assert np.array_equal(actual, expected.astype(native)), (number, mode)


def test_outside_does_not_count(rng):
    """The border of morphology and, as constant NaN, of ranks."""
    image, element = volume(rng, "float32"), rng.random((3, 3, 4)) < .6
    wide = np.pad(image.astype(float), 2, constant_values=np.inf)
    inside = (slice(2, -2),) * 3
    assert np.array_equal(tessera.erode(image, element), ndimage.grey_erosion(wide, footprint=element)[inside])
    wide = np.pad(image.astype(float), 2, constant_values=np.nan)
    expected = np.empty_like(image)
    for index in np.ndindex(image.shape):
        z, y, x = index
        window = wide[z + 1:z + 4, y + 1:y + 4, x:x + 4][element]
        values = np.sort(window[~np.isnan(window)])
        expected[index] = values[len(values) // 2] if len(values) else np.nan
    assert np.array_equal(tessera.median_filter(image, footprint=element, mode="constant", cval=np.nan), expected,
                          equal_nan=True)


@pytest.mark.parametrize("method", ["network", "bisect", "reference"])
def test_methods_of_ranks(rng, method):
    for dtype in ("uint8", "uint16", "float32"):
        image = volume(rng, dtype, (5, 37, 90))
        element = rng.random((3, 3, 3)) < .7
        expected = ndimage.rank_filter(image, 4, footprint=element, mode="wrap")
        assert np.array_equal(tessera.rank_filter(image, 4, footprint=element, mode="wrap", method=method), expected)
    with pytest.raises(ValueError, match="the footprint is not 3x3"):
        tessera.median_filter(image, 3, method="square")


def test_large_windows(rng):
    """More pixels than networks take, and than a byte counts."""
    image = volume(rng, "uint8", (11, 40, 50))
    assert np.array_equal(tessera.median_filter(image, 5), ndimage.median_filter(image, 5))
    assert np.array_equal(tessera.rank_filter(image, -3, (7, 7, 9)), ndimage.rank_filter(image, -3, (7, 7, 9)))


@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32"])
def test_layouts_and_threads(rng, dtype):
    image = volume(rng, "float64", (40, 33, 61)).astype(dtype)
    weights, element = rng.uniform(-1, 1, (3, 3, 3)), ndimage.generate_binary_structure(3, 2)
    turned = np.asfortranarray(image)
    mirrored = image[::-1, :, ::-1].copy()[::-1, :, ::-1]
    for filtered in (lambda a, **more: tessera.convolve(a, weights, **more),
                     lambda a, **more: tessera.dilate(a, element, **more),
                     lambda a, **more: tessera.median_filter(a, footprint=element, **more)):
        expected = filtered(image)
        for other in (turned, mirrored):
            assert np.array_equal(filtered(other), expected)
        for threads in (1, 2, 7):
            assert np.array_equal(filtered(image, threads=threads), expected)
        out = np.empty((80, 33, 61), dtype)[::2]
        assert filtered(image, out=out) is out and np.array_equal(out, expected)
        small = filtered(image.astype(np.dtype(dtype).newbyteorder(">")), memory_limit=200000, out=np.empty_like(image))
        assert np.array_equal(small, expected)  # strips of rows give the same bits


def test_plans(rng):
    image, weights = volume(rng, "float32"), rng.uniform(-1, 1, (1, 3, 3))
    plan = tessera.Convolve(image.shape, image.dtype, weights)
    again = pickle.loads(pickle.dumps(plan))
    assert np.array_equal(plan(image), again(image))
    assert np.array_equal(plan(image), tessera.convolve(image, weights[0], batch_axis=0))
    plan = tessera.Erode(image.shape, image.dtype, np.ones((3, 3, 3)))
    assert "by 3x3x3" in plan.describe()
    assert np.array_equal(pickle.loads(pickle.dumps(plan))(image), tessera.erode(image, np.ones((3, 3, 3))))


CUBE = np.zeros((6, 7, 8), "float32")


@pytest.mark.parametrize(("call", "text"), [
    (lambda: tessera.convolve(CUBE, np.ones((3, 3))), "a volume needs weights, or a size, of three axes"),
    (lambda: tessera.convolve(CUBE, "gauss:2"), "a volume needs weights, or a size, of three axes"),
    (lambda: tessera.convolve(CUBE[0], np.ones((3, 3, 3))), "unless the image has the axes planes, rows and columns"),
    (lambda: tessera.convolve(CUBE, np.ones((3, 3, 3)), channel_axis=0), "unless the image has the axes"),
    (lambda: tessera.convolve(CUBE, np.ones((3, 3, 3)), border="inside"), "border inside is not offered"),
    (lambda: tessera.convolve(CUBE, np.ones((3, 0, 3))), "it needs at least one weight each way"),
    (lambda: tessera.erode(CUBE, np.zeros((3, 3, 3))), "all 27 pixels of the element are 0"),
    (lambda: tessera.erode(CUBE, np.full((3, 3, 3), np.nan)), "plane 0 of the element is nan"),
    (lambda: tessera.opening(CUBE, np.ones((3, 3, 3))), "only erode and dilate take volumes"),
    (lambda: tessera.median_filter(CUBE[:, :, :3], 3), "colours with channel_axis"),
    (lambda: tessera.median_filter(CUBE, (3, 3)), "a volume needs weights, or a size, of three axes"),
    (lambda: tessera.median_filter(CUBE, (3, 0, 3)), r"size is \(3, 0, 3\); each side can be 1 to 1024"),
    (lambda: tessera.median_filter(CUBE, 3, origin=1), "origin is offered for images")])
def test_refusals(call, text):
    with pytest.raises(ValueError, match=text):
        call()


def test_a_size_of_three_axes_takes_colours_for_planes(rng):
    image = volume(rng, "uint8", (20, 30, 3))
    assert np.array_equal(tessera.median_filter(image, (3, 3, 3)), ndimage.median_filter(image, 3))
