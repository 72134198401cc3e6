# SPDX-License-Identifier: Apache-2.0
"""Arrays of one axis are filtered as one row, with weights and windows of one row: SciPy's results."""
import pickle

import numpy as np
import pytest
from expected import SCIPY_MODES, random_image
from scipy import ndimage

import tessera

WEIGHTS = np.array([1.0, -2.0, 0.5, 3.0])
ELEMENT = np.array([1, 0, 1, 1])


def line(rng, dtype, shape=(67,)):
    return (random_image(rng, shape, "float64") * 100).astype(dtype)


@pytest.mark.parametrize("border", SCIPY_MODES)
def test_sums(rng, border):
    image, mode = line(rng, "float64"), SCIPY_MODES[border]
    expected = ndimage.correlate(image, WEIGHTS, mode=mode, cval=2)
    actual = tessera.convolve(image, WEIGHTS, border=border, constant=2)
    assert actual.shape == image.shape
    assert np.allclose(actual, expected, rtol=0, atol=1e-9)
    assert np.array_equal(actual, tessera.convolve(image, WEIGHTS[None], border=border, constant=2))
    assert tessera.convolve(image, WEIGHTS, border="valid").shape == (64,)


@pytest.mark.parametrize("dtype", ["bool", "uint8", ">i2", "int32", "float16", "float32"])
@pytest.mark.parametrize("step", [1, -1, 3])
def test_order(rng, dtype, step):
    image = line(rng, dtype, (180,))[::step]
    plain = image.astype(float)
    native = np.dtype(dtype).newbyteorder("=")
    cases = [
        (tessera.erode(image, ELEMENT, border="reflect"), ndimage.grey_erosion(plain, footprint=ELEMENT)),
        (tessera.dilate(image, ELEMENT, border="reflect"), ndimage.grey_dilation(plain, footprint=ELEMENT)),
        (tessera.erode(image, "box:5x1", border="reflect"), ndimage.grey_erosion(plain, 5)),
        (tessera.median_filter(image, 5), ndimage.median_filter(plain, 5)),
        # SciPy 1.17 takes the whole box of a footprint of one axis.
        (tessera.median_filter(image, footprint=ELEMENT),
         ndimage.median_filter(plain[None], footprint=ELEMENT[None])[0]),
        (tessera.rank_filter(image, 1, 4, origin=1), ndimage.rank_filter(plain, 1, 4, origin=1)),
        (tessera.percentile_filter(image, 20, 9, mode="wrap"), ndimage.percentile_filter(plain, 20, 9, mode="wrap")),
    ]
    for number, (actual, expected) in enumerate(cases):
        assert actual.dtype == native and actual.shape == image.shape
        assert np.array_equal(actual, expected.astype(native)), number


def test_sizes_of_one_axis(rng):
    image = line(rng, "float64")
    for size, origin in [((5,), (1,)), ([4], 0), (7, (-2,)), ((1, 5), (0, 1))]:
        own, moved = np.ravel(size)[-1], np.ravel(origin)[-1]
        how = {"origin": origin, "mode": "nearest"}
        expected = ndimage.median_filter(image, own, origin=moved, mode="nearest")
        assert np.array_equal(tessera.median_filter(image, size, **how), expected)
        expected = ndimage.uniform_filter(image, own, origin=moved, mode="nearest")
        assert np.allclose(tessera.uniform_filter(image, size, **how), expected, rtol=0, atol=1e-10)
    for how in ({"sigma": (2,)}, {"sigma": 2, "order": (1,)}, {"sigma": 2, "radius": (3,)}, {"sigma": np.array(1.5)}):
        plain = {name: np.ravel(value)[0] for name, value in how.items()}
        assert np.allclose(tessera.gaussian_filter(image, **how), ndimage.gaussian_filter(image, **plain), atol=1e-10)
    with pytest.raises(ValueError, match="uniform_filter: size has 3 rows; an image of one axis needs one row"):
        tessera.uniform_filter(image, (3, 5))


def test_channels_and_batches(rng):
    image = line(rng, "float32", (3, 50, 6))
    whole = tessera.convolve(image, WEIGHTS, batch_axis=0, channel_axis=-1)
    turned = tessera.convolve(np.moveaxis(image, -1, 0), WEIGHTS, batch_axis=-2, channel_axis=0)
    assert whole.shape == image.shape and np.array_equal(np.moveaxis(turned, 0, -1), whole)
    for batch in range(3):
        for channel in range(6):
            assert np.array_equal(whole[batch, :, channel], tessera.convolve(image[batch, :, channel], WEIGHTS))


def test_results_and_plans(rng):
    image = line(rng, "int16")
    out = np.empty(134, "int16")[::2]
    assert tessera.convolve(image, WEIGHTS, out=out) is out
    plan = tessera.Convolve(image.shape, image.dtype, WEIGHTS)
    assert plan.output_shape == (67,)
    assert np.array_equal(plan(image), out)
    assert np.array_equal(pickle.loads(pickle.dumps(plan))(image), out)
    assert tessera.Erode((67,), "uint8", ELEMENT, border="valid").output_shape == (64,)


@pytest.mark.parametrize("length", [0, 1, 2])
def test_short_lines(rng, length):
    for dtype in ("int16", "float32"):
        image = line(rng, dtype, (length,))
        results = tessera.convolve(image, WEIGHTS), tessera.erode(image, ELEMENT), tessera.median_filter(image, 3)
        for actual in results:
            assert actual.shape == (length,) and actual.dtype == dtype


@pytest.mark.parametrize("call, words", [
    (lambda a: tessera.convolve(a, np.ones((3, 3))), "convolve: filter has 3 rows; an image of one axis needs one row"),
    (lambda a: tessera.convolve(a, "gauss:2"), "convolve: filter has 17 rows; an image of one axis needs one row"),
    (lambda a: tessera.erode(a, "disk:2"), "erode: element has 5 rows"),
    (lambda a: tessera.median_filter(a, (3, 5)), "median_filter: size has 3 rows"),
    (lambda a: tessera.median_filter(a, footprint="disk:1"), "median_filter: footprint has 3 rows"),
    (lambda a: tessera.convolve(a[None], WEIGHTS), r"filter has shape \(4,\); it must be \(rows, columns\)"),
    (lambda a: tessera.convolve(a.reshape(1, 1, -1), WEIGHTS[None]), r"shape \(1, 1, 67\), which leaves 3 axes"),
    (lambda a: tessera.convolve(a[0], WEIGHTS[None]), r"shape \(\), which leaves 0 axes"),
    (lambda a: tessera.enhance(a.astype("uint8")), "which leaves 1 axes")])
def test_one_sentence_says_what_is_right(rng, call, words):
    with pytest.raises(ValueError, match=words):
        call(line(rng, "float32"))
