# SPDX-License-Identifier: Apache-2.0
"""Right answers: against SciPy, for every border, type, layout and option."""
import numpy as np
import pytest
from expected import BORDERS, assert_close, bound, correlate, random_image
from scipy import ndimage

import tessera

# (rows, columns): one weight, even sides, lines, and the largest the issue names.
FILTERS = [(1, 1), (1, 7), (5, 1), (2, 2), (3, 3), (4, 6), (7, 5), (17, 43), (43, 17)]
DTYPES = ["uint8", "uint16", "float32", "float64"]


@pytest.mark.parametrize("border", BORDERS)
@pytest.mark.parametrize("taps", FILTERS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_borders_agree_with_scipy(rng, border, taps, dtype):
    image = random_image(rng, (61, 67), dtype)
    weights = rng.uniform(-1, 1, taps)
    constant = 0.25
    actual = tessera.convolve(image, weights, border=border, constant=constant)
    assert actual.dtype == image.dtype
    expected = correlate(image, weights, border, constant)
    assert_close(actual, expected, bound(image, weights, constant, double=dtype == "float64"))


@pytest.mark.parametrize("border", [b for b in BORDERS if b != "valid"])
def test_filters_larger_than_the_image(rng, border):
    image = random_image(rng, (5, 3), "float64")
    weights = rng.uniform(-1, 1, (17, 13))
    actual = tessera.convolve(image, weights, border=border)
    assert_close(actual, correlate(image, weights, border), bound(image, weights, double=True))


def test_valid_without_room_is_empty(rng):
    image = random_image(rng, (5, 9), "float32")
    assert tessera.convolve(image, np.ones((7, 3)), border="valid").shape == (0, 7)


@pytest.mark.parametrize("border", BORDERS)
@pytest.mark.parametrize("anchor", [(0, 0), (4, 5), (2, 0), (1, 3)])
def test_anchors(rng, border, anchor):
    image = random_image(rng, (23, 29), "float32")
    weights = rng.uniform(-1, 1, (5, 6))
    actual = tessera.convolve(image, weights, border=border, anchor=anchor)
    assert_close(actual, correlate(image, weights, border, anchor=anchor), bound(image, weights))


@pytest.mark.parametrize("taps", [(3, 3), (5, 7), (1, 9)])
def test_flip_is_convolution(rng, taps):
    image = random_image(rng, (31, 37), "float32")
    weights = rng.uniform(-1, 1, taps)
    actual = tessera.convolve(image, weights, border="wrap", flip=True)
    expected = ndimage.convolve(image.astype(float), weights, mode="wrap")
    assert_close(actual, expected, bound(image, weights))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("channels", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("axis", [-1, 0, 1])
def test_channels_are_filtered_one_by_one(rng, dtype, channels, axis):
    grey = [random_image(rng, (19, 33), dtype) for _ in range(channels)]
    weights = rng.uniform(-1, 1, (3, 5))
    actual = tessera.convolve(np.stack(grey, axis), weights, channel_axis=axis)
    expected = np.stack([tessera.convolve(channel, weights) for channel in grey], axis)
    assert np.array_equal(actual, expected)


@pytest.mark.parametrize("shape, axes", [
    ((4, 21, 18), {"batch_axis": 0}),
    ((21, 18, 4), {"batch_axis": -1}),
    ((4, 21, 18, 3), {"batch_axis": 0, "channel_axis": -1}),
    ((4, 3, 21, 18), {"batch_axis": 0, "channel_axis": 1}),
])
def test_images_of_a_batch_have_their_own_borders(rng, shape, axes):
    images = random_image(rng, shape, "float32")
    actual = tessera.convolve(images, "gauss:1", **axes)
    batch = axes["batch_axis"]
    rest = {"channel_axis": 0 if axes["channel_axis"] == 1 else -1} if "channel_axis" in axes else {}
    for one, filtered in zip(np.moveaxis(images, batch, 0), np.moveaxis(actual, batch, 0), strict=True):
        assert np.array_equal(filtered, tessera.convolve(one, "gauss:1", **rest))


@pytest.mark.parametrize("output, dtype", [("f64", "float64"), (np.float32, "float32"), ("uint8", "uint8"),
                                           (None, "uint8"), ("auto", "uint8")])
def test_output_types(rng, output, dtype):
    image = random_image(rng, (16, 16), "uint8")
    weights = rng.uniform(-1, 1, (3, 3))
    actual = tessera.convolve(image, weights, output_type=output)
    assert actual.dtype == dtype
    assert_close(actual, correlate(image, weights), bound(image, weights, double=dtype == "float64"))


def test_scale(rng):
    image = random_image(rng, (16, 16), "float32")
    weights = rng.uniform(-1, 1, (3, 3))
    expected = -2.5 * correlate(image, weights)
    assert_close(tessera.convolve(image, weights, scale=-2.5), expected, bound(image, weights, scale=2.5))


@pytest.mark.parametrize("method", ["auto", "reference", "direct"])
def test_methods(rng, method):
    image = random_image(rng, (40, 50), "float32")
    weights = rng.uniform(-1, 1, (7, 7))
    actual = tessera.convolve(image, weights, method=method, backend="cpu")
    assert_close(actual, correlate(image, weights), bound(image, weights))


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
@pytest.mark.parametrize("memory_limit", [0, 1 << 22])
def test_bits_do_not_depend_on_threads_or_memory(rng, threads, memory_limit):
    image = random_image(rng, (211, 307), "float32")
    expected = tessera.convolve(image, "gauss:1.5")
    actual = tessera.convolve(image, "gauss:1.5", threads=threads, memory_limit=memory_limit)
    assert actual.tobytes() == expected.tobytes()


@pytest.mark.parametrize("weights", [[[1, 2, 1]], np.ones((3, 3), int), np.ones((3, 3), np.float16),
                                     np.asfortranarray(np.arange(15.0).reshape(3, 5))[::-1]])
def test_filters_of_any_kind(rng, weights):
    image = random_image(rng, (12, 14), "float64")
    expected = correlate(image, weights)
    assert_close(tessera.convolve(image, weights), expected, bound(image, weights, double=True))


def test_named_filters(rng):
    image = random_image(rng, (32, 32), "float32")
    for text, weights in [("gauss:2.5", tessera.gaussian(2.5)), ("box:5x3", tessera.box(5, 3)),
                          ("triangle:5", tessera.triangle(5))]:
        assert np.array_equal(tessera.named_filter(text), weights)
        assert np.array_equal(tessera.convolve(image, text), tessera.convolve(image, weights))
    assert tessera.box(5, 3).shape == (3, 5)
    assert tessera.gaussian(2.5).shape == (21, 21)
    assert all(form and help_text for form, help_text in tessera.filters())
    for weights in (tessera.gaussian(1.5, 4), tessera.anisotropic_gaussian(3, 1, 30)):
        assert weights.dtype == np.float64 and abs(weights.sum() - 1) < 1e-12
    assert tessera.sobel("x").shape == tessera.laplacian().shape == (3, 3)
    assert tessera.gabor(8, 30, 2).shape == (13, 13)


def test_filter_from_a_file(rng, tmp_path):
    image = random_image(rng, (32, 32), "float32")
    weights = rng.uniform(-1, 1, (3, 5))
    np.save(tmp_path / "weights.npy", weights)
    actual = tessera.convolve(image, str(tmp_path / "weights.npy"))
    assert np.array_equal(actual, tessera.convolve(image, weights))
