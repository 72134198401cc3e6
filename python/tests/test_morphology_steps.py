# SPDX-License-Identifier: Apache-2.0
"""Openings, closings, top-hats and gradients against scikit-image and SciPy: exact."""
import numpy as np
import pytest
from expected import SCIPY_MODES, random_image
from scipy import ndimage

import tessera

morphology = pytest.importorskip("skimage.morphology")

DTYPES = ["bool", "uint8", "uint16", "int16", "int32", "uint32", "float32", "float64"]
CROOKED = np.array([[0, 1, 1, 0, 1], [1, 0, 0, 0, 0], [0, 0, 1, 1, 1]])
EVEN = np.array([[0, 1, 1, 0], [1, 0, 0, 1]])
ELEMENTS = ["box:3x3", "disk:4", "cross:2", "line:7,30", "box:9x1", CROOKED, EVEN, "box:2x5", "line:6,90"]
SKIMAGE = {"opening": morphology.opening, "closing": morphology.closing,
           "white_tophat": morphology.white_tophat, "black_tophat": morphology.black_tophat}
SKIMAGE_MODES = SCIPY_MODES | {"inside": "ignore"}


def image_of(rng, shape, dtype):
    if dtype == "bool":
        return rng.random(shape) < 0.6
    if np.issubdtype(dtype, np.signedinteger):
        info = np.iinfo(dtype)
        return rng.integers(info.min, info.max, shape, dtype, endpoint=True)
    return random_image(rng, shape, dtype)


def pixels_of(element):
    return tessera.named_element(element) if isinstance(element, str) else element


def as_skimage(word, pixels):
    """scikit-image pads even sides at their beginning, so that their middle is the pixel before ours, and closes with
    the element turned."""
    return {"anchor": tuple((side - 1) // 2 for side in pixels.shape), "flip": word in ("closing", "black_tophat")}


def saturated_difference(a, b):
    if a.dtype == bool:
        return a ^ b
    if not np.issubdtype(a.dtype, np.integer):
        return a - b
    info = np.iinfo(a.dtype)
    return np.clip(a.astype(np.int64) - b.astype(np.int64), info.min, info.max).astype(a.dtype)


def by_skimage(word, image, pixels, **how):
    """scikit-image's own result; where its integers wrap, the saturated difference."""
    result = SKIMAGE[word](image, pixels, **how)
    if word == "white_tophat":
        expected = saturated_difference(image, morphology.opening(image, pixels, **how))
    elif word == "black_tophat":
        expected = saturated_difference(morphology.closing(image, pixels, **how), image)
    else:
        return result
    fits = np.ones(image.shape, bool)
    if np.issubdtype(image.dtype, np.integer):
        fits = (expected != np.iinfo(image.dtype).min) & (expected != np.iinfo(image.dtype).max)
    assert np.array_equal(result[fits], expected[fits])
    return expected


@pytest.mark.parametrize("word", SKIMAGE)
@pytest.mark.parametrize("border", SKIMAGE_MODES)
@pytest.mark.parametrize("element", ELEMENTS, ids=str)
@pytest.mark.parametrize("dtype", DTYPES)
def test_agrees_with_skimage(rng, word, border, element, dtype):
    image = image_of(rng, (23, 29), dtype)
    pixels = pixels_of(element)
    constant = {"bool": 1, "float32": 0.25, "float64": 0.25}.get(dtype, 77)
    actual = getattr(tessera, word)(image, element, border=border, constant=constant, **as_skimage(word, pixels))
    assert actual.dtype == image.dtype
    assert np.array_equal(actual, by_skimage(word, image, pixels, mode=SKIMAGE_MODES[border], cval=constant))


@pytest.mark.parametrize("word", SKIMAGE)
@pytest.mark.parametrize("element", ["box:5x3", "disk:1", "disk:6", "cross:4"])
def test_the_defaults_of_both_agree_for_symmetric_elements(rng, word, element):
    image = random_image(rng, (31, 27), "uint8")
    assert np.array_equal(getattr(tessera, word)(image, element), SKIMAGE[word](image, pixels_of(element)))


@pytest.mark.parametrize("seed", range(150))
def test_random_cases_agree_with_skimage_and_scipy(seed):
    rng = np.random.default_rng(seed)
    dtype = rng.choice(DTYPES)
    image = image_of(rng, tuple(rng.integers(1, 40, 2)), dtype)
    pixels = rng.random(tuple(rng.integers(1, 9, 2))) < rng.choice([0.3, 0.7, 1])
    pixels[tuple(rng.integers(0, pixels.shape))] = True
    border = rng.choice(list(SKIMAGE_MODES))
    how = {"border": border, "constant": float(rng.integers(0, 2))}
    theirs = {"mode": SKIMAGE_MODES[border], "cval": how["constant"]}
    for word in SKIMAGE:
        actual = getattr(tessera, word)(image, pixels, **as_skimage(word, pixels), **how)
        assert np.array_equal(actual, by_skimage(word, image, pixels, **theirs)), (word, border, dtype)
    if border == "inside":
        return
    wide = image.astype(np.int64) if np.issubdtype(image.dtype, np.integer) else image
    low, high = (f(wide, footprint=pixels, **theirs) for f in (ndimage.grey_erosion, ndimage.grey_dilation))
    expected = saturated_difference(high.astype(image.dtype), low.astype(image.dtype))
    assert np.array_equal(tessera.morphological_gradient(image, pixels, **how), expected)


@pytest.mark.parametrize("border", SCIPY_MODES)
@pytest.mark.parametrize("element", ELEMENTS, ids=str)
def test_agrees_with_scipy(rng, border, element):
    image = random_image(rng, (23, 29), "float32")
    how = {"footprint": pixels_of(element), "mode": SCIPY_MODES[border], "cval": 0.25}
    for ours, theirs in ((tessera.opening, ndimage.grey_opening), (tessera.closing, ndimage.grey_closing),
                         (tessera.white_tophat, ndimage.white_tophat), (tessera.black_tophat, ndimage.black_tophat),
                         (tessera.morphological_gradient, ndimage.morphological_gradient)):
        assert np.array_equal(ours(image, element, border=border, constant=0.25), theirs(image, **how)), ours


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "int8", "int16", "int32", "uint32", "float16", ">i2", ">f4"])
@pytest.mark.parametrize("element", ["box:3x3", "disk:4", CROOKED], ids=str)
def test_gradients_of_every_dtype_agree_with_scipy(rng, dtype, element):
    # Small numbers: SciPy's differences wrap.
    image = rng.integers(0 if "u" in dtype else -60, 60, (23, 29)).astype(dtype)
    expected = ndimage.morphological_gradient(image.astype(np.float64), footprint=pixels_of(element))
    actual = tessera.morphological_gradient(image, element, border="reflect")
    assert actual.dtype == np.dtype(dtype).newbyteorder("=")
    assert np.array_equal(actual, np.clip(expected, 0 if "u" in dtype else None, None))


def test_signed_differences_do_not_wrap():
    image = np.full((5, 5), -30000, np.int16)
    image[2, 2] = 30000
    assert morphology.white_tophat(image, np.ones((3, 3)))[2, 2] == 60000 - 65536
    spots = tessera.white_tophat(image, "box:3x3")
    assert spots[2, 2] == 32767 and np.count_nonzero(spots) == 1
    assert tessera.morphological_gradient(image, "box:3x3")[1:4, 1:4].min() == 32767


@pytest.mark.parametrize("dtype", ["uint8", "int8", "uint16", "int16", "uint32", "int32"])
def test_an_element_that_reaches_no_pixel_gives_limits(rng, dtype):
    """At one side of the image this element reaches none: a limit is subtracted there, not infinity."""
    element, info = np.array([[1, 0, 0]]), np.iinfo(dtype)
    image = rng.integers(max(info.min, -9), 9, (3, 8)).astype(dtype)
    low, high = np.roll(image, 1, axis=1), np.roll(image, -1, axis=1)
    low[:, 0], high[:, -1] = info.max, info.min
    opened = np.roll(low, -1, axis=1)
    opened[:, -1] = info.min
    closed = np.roll(high, 1, axis=1)
    closed[:, 0] = info.max
    assert np.array_equal(tessera.white_tophat(image, element), saturated_difference(image, opened))
    assert np.array_equal(tessera.black_tophat(image, element), saturated_difference(closed, image))
    assert np.array_equal(tessera.morphological_gradient(image, element), saturated_difference(high, low))


@pytest.mark.parametrize("dtype", ["uint8", "int8", "uint16", ">i2", "int32", "uint32", "float16", "float32"])
def test_the_constant_is_a_value_of_the_dtype(rng, dtype):
    """SciPy cuts fractions off. Out of the dtype's range it wraps; here its nearest value counts."""
    image = rng.integers(0, 9, (7, 8)).astype(dtype)
    native = image.dtype.newbyteorder("=")
    for constant in (3.7, 0.1, -0.9 if "u" in dtype else -3.7):
        whole = constant if native.kind == "f" else np.trunc(constant)
        for word in ("erode", "dilate", *SKIMAGE, "morphological_gradient"):
            call = getattr(tessera, word)
            wide = np.pad(image.astype(native), 4, constant_values=native.type(whole))
            one = call(image, "box:3x3", border="constant", constant=constant)
            assert one.dtype == native
            if word in ("erode", "dilate", "morphological_gradient"):
                assert np.array_equal(one, call(wide, "box:3x3")[4:-4, 4:-4]), (word, constant)
            assert np.array_equal(one, call(image, "box:3x3", border="constant", constant=float(native.type(whole))))
    if native.kind == "f":
        return
    assert (tessera.dilate(image, "box:3x3", border="constant", constant=1e12)[0] == np.iinfo(native).max).all()
    assert (tessera.erode(image, "box:3x3", border="constant", constant=-1e12)[0] == np.iinfo(native).min).all()
    expected = ndimage.grey_erosion(image.astype(native), size=3, mode="constant", cval=3.7)
    assert np.array_equal(tessera.erode(image, "box:3x3", mode="constant", cval=3.7), expected)


def test_gradients_of_truth_are_edges():
    image = np.zeros((7, 7), bool)
    image[2:5, 2:5] = True
    edges = tessera.morphological_gradient(image, "box:3x3")
    assert edges.dtype == bool
    assert np.array_equal(edges, ndimage.binary_dilation(image, np.ones((3, 3))) &
                          ~ndimage.binary_erosion(image, np.ones((3, 3)), border_value=1))


def test_nan_in_reach_of_both_passes_is_nan():
    image = np.arange(99, dtype=np.float32).reshape(9, 11)
    image.view(np.uint32)[4, 5] = 0xFFC12345
    for word in (*SKIMAGE, "morphological_gradient"):
        out = getattr(tessera, word)(image, "box:3x3")
        reach = 1 if word == "morphological_gradient" else 2
        expected = np.zeros(image.shape, bool)
        expected[4 - reach:5 + reach, 5 - reach:6 + reach] = True
        assert np.array_equal(np.isnan(out), expected), word
        assert (out.view(np.uint32)[expected] == 0x7FC00000).all()


@pytest.mark.parametrize("axes, shape", [({"channel_axis": -1}, (31, 43, 3)), ({"channel_axis": 0}, (5, 31, 43)),
                                         ({"batch_axis": 0}, (4, 31, 43))])
def test_axes_lines_steps_and_out(rng, axes, shape):
    axis = list(axes.values())[0]
    for dtype in ("uint8", "int16"):
        images = image_of(rng, shape, dtype)
        out = np.zeros((*shape[:-1], 2 * shape[-1]), dtype)[..., ::2]
        assert tessera.black_tophat(images, CROOKED, out=out, threads=2, **axes) is out
        singly = [tessera.black_tophat(one, CROOKED) for one in np.moveaxis(images, axis, 0)]
        assert np.array_equal(out, np.stack(singly, axis))
        turned = images[::-1, ::-2]
        expected = tessera.white_tophat(np.ascontiguousarray(turned), "disk:2", **axes)
        assert np.array_equal(tessera.white_tophat(turned, "disk:2", **axes), expected)
    line = random_image(rng, (50,), "uint8")
    assert np.array_equal(tessera.opening(line, "box:3x1", border="reflect"), ndimage.grey_opening(line, 3))


def test_valid_shrinks_by_both_passes(rng):
    image = random_image(rng, (30, 33), "uint16")
    for word in SKIMAGE:
        whole = getattr(tessera, word)(image, "box:5x4", border="replicate")
        valid = getattr(tessera, word)(image, "box:5x4", border="valid")
        assert np.array_equal(valid, whole[3:27, 4:29])
    edges = tessera.morphological_gradient(image, "box:5x3", border="valid")
    assert np.array_equal(edges, tessera.morphological_gradient(image, "box:5x3", border="reflect")[1:29, 2:31])
    assert tessera.opening(image, np.ones((16, 3)), border="valid").shape == (0, 29)


def test_small_and_empty_images():
    for word in (*SKIMAGE, "morphological_gradient"):
        call = getattr(tessera, word)
        for shape in ((0, 5), (5, 0)):
            assert call(np.zeros(shape, np.int16), "disk:3").shape == shape
        for border in SCIPY_MODES:
            expected = 0 if "hat" in word or "grad" in word else 7
            assert call(np.full((1, 1), 7, np.uint8), CROOKED, border=border, constant=7) == expected


def test_bad_calls_name_the_word():
    image = np.zeros((4, 4), np.uint8)
    with pytest.raises(ValueError, match="opening: all 6 pixels of the element are 0"):
        tessera.opening(image, np.zeros((2, 3)))
    with pytest.raises(ValueError, match="white_tophat: element has shape"):
        tessera.white_tophat(image, np.ones(3))
    with pytest.raises(TypeError, match=r"black_tophat\(\) has no option 'bordr'; did you mean 'border'"):
        tessera.black_tophat(image, "disk:3", bordr="wrap")
    with pytest.raises(ValueError, match="only convolve, erode, dilate and the rank filters take volumes"):
        tessera.closing(np.zeros((5, 6, 7)), "disk:3")
    with pytest.raises(ValueError, match="morphological_gradient: constant is nan"):
        tessera.morphological_gradient(image, "disk:3", border="constant", constant=np.nan)
