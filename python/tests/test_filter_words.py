# SPDX-License-Identifier: Apache-2.0
"""Functions with SciPy's and scikit-image's names give their values, computed in float64."""
import re
import warnings

import numpy as np
import pytest
from expected import random_image
from scipy import ndimage
from skimage import filters

import tessera

DTYPES = ["uint8", "uint16", "int16", "int32", "float32", "float64"]
MODES = ["reflect", "mirror", "nearest", "constant", "wrap"]
SHAPES = [(41, 53), (1, 1), (1, 19), (3, 2)]


def skimage_of(function, **how):
    """scikit-image takes floats as they are; images of integers it would scale to 0..1."""
    return lambda image, *, mode="reflect", **more: function(image.astype("float64"), mode=mode, **how, **more)


# ours, the peer on float64, arguments
WORDS = {
    "gaussian": (tessera.gaussian_filter, ndimage.gaussian_filter, [{"sigma": 1.3}, {"sigma": (0.8, 3)},
                                                                     {"sigma": 2, "truncate": 2.5},
                                                                     {"sigma": 2, "radius": 3},
                                                                     {"sigma": (0, 1.5)}]),
    "derivatives": (tessera.gaussian_filter, ndimage.gaussian_filter, [{"sigma": 1.3, "order": 1},
                                                                        {"sigma": (2, 1), "order": (0, 2)},
                                                                        {"sigma": 2, "order": (3, 1)}]),
    "gaussian of skimage": (tessera.gaussian, lambda image, **how: filters.gaussian(
        image.astype("float64"), preserve_range=True, **{"mode": "reflect", **how}), [{"sigma": 1.7}]),
    "uniform": (tessera.uniform_filter, ndimage.uniform_filter, [{}, {"size": 4}, {"size": (5, 2)},
                                                                  {"size": 6, "origin": (1, -2)}]),
    "sobel": (tessera.sobel, ndimage.sobel, [{}, {"axis": 0}, {"axis": 1}, {"axis": -2}]),
    "prewitt": (tessera.prewitt, ndimage.prewitt, [{}, {"axis": 0}]),
    "scharr": (tessera.scharr, skimage_of(filters.scharr), [{"axis": 0}, {"axis": 1}]),
    "magnitudes": (lambda image, function, **how: getattr(tessera, function)(image, axis=None, **how),
                   lambda image, function, **how: skimage_of(getattr(filters, function))(image, **how),
                   [{"function": "sobel"}, {"function": "scharr"}, {"function": "prewitt"}]),
    "laplace": (tessera.laplace, ndimage.laplace, [{}]),
    "gaussian_laplace": (tessera.gaussian_laplace, ndimage.gaussian_laplace, [{"sigma": 1.2}, {"sigma": (1, 2)}]),
    "gaussian_gradient_magnitude": (tessera.gaussian_gradient_magnitude, ndimage.gaussian_gradient_magnitude,
                                    [{"sigma": 1.2}, {"sigma": (1, 2)}]),
    "difference_of_gaussians": (tessera.difference_of_gaussians, lambda image, **how: (
        filters.difference_of_gaussians(image.astype("float64"), **{"mode": "nearest", **how})),
                                [{"low_sigma": 1}, {"low_sigma": 1, "high_sigma": 3},
                                 {"low_sigma": (1, 0.7), "high_sigma": (2, 2.5), "truncate": 3}]),
}
CASES = [pytest.param(name, arguments, id=f"{name} {arguments}") for name, (_, _, list_) in WORDS.items()
         for arguments in list_]


def exact(peer, image, arguments):
    """The peer's result in float64; NaN and the like are left to the tests of convolve."""
    return np.asarray(peer(image.astype("float64"), **arguments))


def assert_as(actual, expected, image, single):
    """Equal to float64 within the bound of float sums; integers also rounded and saturated."""
    largest = max(1e-300, float(np.abs(image.astype("float64")).max(initial=0)))
    bound = largest * (1e-5 if single else 1e-12)
    if actual.dtype.kind == "f":
        assert np.abs(actual - expected).max(initial=0) <= bound
        return
    limits = np.iinfo(actual.dtype)
    right = np.clip(np.rint(expected), limits.min, limits.max)
    wrong = actual != right
    # A sum that lies between two integers up to the bound may be rounded to either.
    between = np.abs(expected - np.floor(expected) - 0.5) <= bound
    assert np.all(between | ~wrong) and np.abs(actual.astype("float64") - right).max(initial=0) <= 1


@pytest.mark.filterwarnings("ignore::tessera.ClippedWarning")
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name, arguments", CASES)
def test_the_peers_values(rng, name, arguments, dtype):
    ours, peer, _ = WORDS[name]
    for shape in SHAPES:
        image = random_image(rng, shape, dtype)
        actual = ours(image, **arguments)
        assert actual.dtype == image.dtype and actual.shape == shape
        assert_as(actual, exact(peer, image, arguments), image, dtype in ("uint8", "uint16", "int16", "float32"))


@pytest.mark.parametrize("mode", [*MODES, "grid-mirror", "grid-wrap", "grid-constant"])
@pytest.mark.parametrize("name, arguments", CASES)
def test_modes(rng, name, arguments, mode):
    ours, peer, _ = WORDS[name]
    image = random_image(rng, (23, 31), "float64")
    own = {"grid-mirror": "reflect", "grid-wrap": "wrap", "grid-constant": "constant"}.get(mode, mode)
    actual = ours(image, **arguments, mode=mode)
    assert_as(actual, exact(peer, image, arguments | {"mode": own}), image, False)


@pytest.mark.parametrize("name", ["gaussian", "uniform", "laplace"])
def test_a_constant_outside(rng, name):
    ours, peer, arguments = WORDS[name]
    image = random_image(rng, (23, 31), "float64")
    for given in arguments:
        how = given | {"mode": "constant", "cval": 0.75}
        assert_as(ours(image, **how), exact(peer, image, how), image, False)


def test_a_constant_surrounds_the_image_once():
    """SciPy surrounds the image again before its second pass, so its derivative of a constant is not 0."""
    flat = np.full((5, 6), 2.0)
    assert not tessera.sobel(flat, mode="constant", cval=2).any()
    assert ndimage.sobel(flat, mode="constant", cval=2).any()


def test_unsharp_masks(rng):
    image = random_image(rng, (31, 27, 3), "float64")
    for radius, amount in [(1, 1), (2.5, 0.4)]:
        actual = tessera.unsharp_mask(image, radius, amount, channel_axis=-1)
        for channel in range(3):
            expected = filters.unsharp_mask(image[..., channel].copy(), radius, amount, preserve_range=True)
            assert np.abs(actual[..., channel] - expected).max() <= 1e-12
    wide = tessera.unsharp_mask(image, (1, 2), channel_axis=-1)
    assert np.allclose(wide, 2 * image - ndimage.gaussian_filter(image, (1, 2, 0)), rtol=0, atol=1e-12)


def test_lines(rng):
    line = random_image(rng, (47,), "float64")
    for ours, peer, arguments in [(tessera.gaussian_filter, ndimage.gaussian_filter, {"sigma": 2}),
                                  (tessera.gaussian_filter, ndimage.gaussian_filter, {"sigma": 2, "order": 1}),
                                  (tessera.uniform_filter, ndimage.uniform_filter, {"size": 4, "origin": 1}),
                                  (tessera.sobel, ndimage.sobel, {}), (tessera.prewitt, ndimage.prewitt, {"axis": 0}),
                                  (tessera.laplace, ndimage.laplace, {}),
                                  (tessera.gaussian_laplace, ndimage.gaussian_laplace, {"sigma": 1.5}),
                                  (tessera.gaussian_gradient_magnitude, ndimage.gaussian_gradient_magnitude,
                                   {"sigma": 1.5})]:
        actual = ours(line, **arguments)
        assert actual.shape == line.shape and np.allclose(actual, peer(line, **arguments), rtol=0, atol=1e-13)
    with pytest.raises(ValueError, match="an image of one axis has no magnitude; give axis -1"):
        tessera.scharr(line)


def test_channels_batches_strides_and_out(rng):
    stack = random_image(rng, (4, 21, 30, 3), "float32")[:, ::2, ::-1]
    for function, arguments in [(tessera.gaussian_filter, {"sigma": 1.5}), (tessera.sobel, {"axis": 0}),
                                (tessera.scharr, {}), (tessera.gaussian_gradient_magnitude, {"sigma": 1})]:
        out = np.empty(stack.shape, "float32")
        result = function(stack, **arguments, batch_axis=0, channel_axis=-1, out=out, threads=1)
        assert result is out
        for image in range(4):
            for channel in range(3):
                assert np.array_equal(out[image, ..., channel], function(stack[image, ..., channel], **arguments))


def test_the_dtype_of_the_result(rng):
    image = random_image(rng, (20, 20), "uint8")
    for wanted in ("float32", np.float32, np.dtype("f4"), "f32"):
        for result in (tessera.sobel(image, output=wanted), tessera.sobel(image, output_type=wanted)):
            assert result.dtype == np.float32
            assert np.array_equal(result, ndimage.sobel(image, output="float32"))
    assert tessera.laplace(image, output="int16").dtype == np.int16
    assert tessera.scharr(image, output="float64").dtype == np.float64
    out = np.empty((20, 20), "uint8")
    assert tessera.gaussian(image, 2, output=out) is out
    signed = image.astype("int16")
    assert np.array_equal(tessera.sobel(signed, output_type="int16"), tessera.sobel(signed))
    with pytest.raises(TypeError, match="sobel: output and output_type are both given; leave out one"):
        tessera.sobel(image, output="f4", output_type="f4")
    with pytest.raises(TypeError, match="sobel: out and output are both given; leave out one of them"):
        tessera.sobel(image, out=out, output=out)


def test_clipping_is_not_silent(rng):
    image = random_image(rng, (20, 20), "uint8")
    for call in (lambda **how: tessera.sobel(image, **how), lambda **how: tessera.laplace(image, **how),
                 lambda **how: tessera.gaussian_filter(image, 1, order=1, **how),
                 lambda **how: tessera.difference_of_gaussians(image, 1, **how)):
        with pytest.warns(tessera.ClippedWarning, match='uint8 has none; output_type="int16" keeps them'):
            call()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            call(output_type="float32")
            call(output_type="int16")
            call(out=np.empty((20, 20), "uint8"))
    with pytest.warns(tessera.ClippedWarning, match='uint32 has none; output_type="float32" keeps them'):
        tessera.prewitt(image.astype("uint32"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tessera.sobel(image.astype("int16"))
        tessera.sobel(image, axis=None)
        tessera.gaussian_filter(image, 2)
        tessera.unsharp_mask(image)


def test_weights_are_still_there():
    assert tessera.gaussian(2).shape == (17, 17) and tessera.gaussian(np.float64(2), 3).shape == (7, 7)
    assert tessera.gaussian(sigma=1, radius=1).sum() == pytest.approx(1)
    assert tessera.sobel("x").tolist() == [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]
    assert tessera.scharr("y").tolist() == [[-3, -10, -3], [0, 0, 0], [3, 10, 3]]
    assert tessera.prewitt(axis="x").tolist() == [[-1, 0, 1]] * 3
    with pytest.raises(ValueError, match="prewitt along"):
        tessera.prewitt("z")


@pytest.mark.parametrize("call, error, words", [
    (lambda image: tessera.gaussian_filter(image, -1), ValueError, "sigma is -1; it must be 0 or more"),
    (lambda image: tessera.gaussian_filter(image, (1, 2, 3)), TypeError,
     r"gaussian_filter: sigma is \(1, 2, 3\); it must be a number or \(rows, columns\)"),
    (lambda image: tessera.gaussian_filter(image, 1, radius=-2), ValueError, "radius is -2; it can be 0 or more"),
    (lambda image: tessera.gaussian_filter(image, 1, order=-1), ValueError, "order -1 is not offered"),
    (lambda image: tessera.gaussian_filter(image, 1, mode="none"), ValueError, "mode: 'none' is not known"),
    (lambda image: tessera.gaussian_filter(image, 1, sigmas=1), TypeError, "gaussian_filter() has no option 'sigmas'"),
    (lambda image: tessera.uniform_filter(image, 3, origin=2), ValueError, "origin 2 moves the centre out"),
    (lambda image: tessera.uniform_filter(image, 0), ValueError, "a box of 0x0 has no weights"),
    (lambda image: tessera.sobel(image, axis=2), ValueError, "sobel: axis is 2; it can be 0"),
    (lambda image: tessera.difference_of_gaussians(image, 2, 1), ValueError, "must not be less than the first"),
    (lambda image: tessera.sobel(image[None]), ValueError, "sobel: image has shape"),
    (lambda image: tessera.sobel(np.ma.masked_less(image, 0.5)), TypeError, "masked"),
])
def test_errors(rng, call, error, words):
    with pytest.raises(error) as caught:
        call(random_image(rng, (9, 8), "float32"))
    assert re.search(words.replace("filter()", r"filter\(\)"), str(caught.value)), str(caught.value)


def test_every_method_and_backend_is_taken(rng):
    image = random_image(rng, (64, 70), "float32")
    for method in ("reference", "direct", "separable", "auto"):
        assert np.allclose(tessera.gaussian_filter(image, 1, method=method, backend="cpu"),
                           ndimage.gaussian_filter(image.astype("float64"), 1), atol=1e-5)
    for method in ("reference", "pair"):
        assert np.allclose(tessera.sobel(image, axis=None, method=method), filters.sobel(image), atol=1e-5)
    assert np.array_equal(tessera.median(image, 3), ndimage.median_filter(image, 3))
