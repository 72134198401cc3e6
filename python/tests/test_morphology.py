# SPDX-License-Identifier: Apache-2.0
"""erode and dilate against SciPy and OpenCV: exact, for every border, type and shape."""
import numpy as np
import pytest
from expected import SCIPY_MODES, random_image
from scipy import ndimage

import tessera

DTYPES = ["uint8", "uint16", "float32", "float64"]
OURS = {"erode": tessera.erode, "dilate": tessera.dilate}
SCIPY = {"erode": ndimage.grey_erosion, "dilate": ndimage.grey_dilation}
# Symmetric ones, even sides, lines, and one that is nothing of all this.
CROOKED = np.array([[0, 1, 1, 0, 1], [1, 0, 0, 0, 0], [0, 0, 1, 1, 1], [0, 1, 0, 0, 0]])
ELEMENTS = ["box:3x3", "box:15x11", "box:2x4", "box:1x40", "disk:1", "disk:2.5", "disk:12", "cross:3",
            "line:11,30", "line:8,0", CROOKED]


def shape_of(element):
    return tessera.named_element(element) if isinstance(element, str) else element


@pytest.mark.parametrize("kind", OURS)
@pytest.mark.parametrize("element", ELEMENTS, ids=str)
@pytest.mark.parametrize("dtype", DTYPES)
def test_agrees_with_scipy_whatever_the_element(rng, kind, element, dtype):
    image = random_image(rng, (61, 67), dtype)
    actual = OURS[kind](image, element, border="reflect")
    expected = SCIPY[kind](image, footprint=shape_of(element), mode="reflect")
    assert actual.dtype == image.dtype
    assert np.array_equal(actual, expected)


@pytest.mark.parametrize("kind", OURS)
@pytest.mark.parametrize("border", SCIPY_MODES)
@pytest.mark.parametrize("element", ["box:5x7", "disk:6", CROOKED], ids=str)
def test_borders_agree_with_scipy(rng, kind, border, element):
    image = random_image(rng, (23, 29), "float32")
    actual = OURS[kind](image, element, border=border, constant=0.25)
    expected = SCIPY[kind](image, footprint=shape_of(element), mode=SCIPY_MODES[border], cval=0.25)
    assert np.array_equal(actual, expected)


@pytest.mark.parametrize("kind", OURS)
@pytest.mark.parametrize("element", ["box:5x7", "disk:4.5", "cross:2", CROOKED], ids=str)
@pytest.mark.parametrize("dtype", DTYPES)
def test_pixels_outside_do_not_count_as_in_opencv(rng, kind, element, dtype):
    cv2 = pytest.importorskip("cv2")
    image = random_image(rng, (40, 50), dtype)
    theirs = getattr(cv2, kind)(image, shape_of(element).astype(np.uint8))
    # OpenCV reads the element as it is in both; here dilation turns it unless it is told not to.
    assert np.array_equal(OURS[kind](image, element, flip=kind == "dilate"), theirs)


@pytest.mark.parametrize("kind", OURS)
def test_pixels_outside_do_not_count_as_in_skimage(rng, kind):
    morphology = pytest.importorskip("skimage.morphology")
    image = random_image(rng, (40, 50), "uint8")
    theirs = {"erode": morphology.erosion, "dilate": morphology.dilation}[kind](image, morphology.disk(3))
    assert np.array_equal(OURS[kind](image, "disk:3"), theirs)


@pytest.mark.parametrize("kind", OURS)
def test_valid_is_the_middle(rng, kind):
    image = random_image(rng, (30, 33), "uint16")
    whole = OURS[kind](image, "box:5x4", border="replicate")
    valid = OURS[kind](image, "box:5x4", border="valid")
    assert valid.shape == (27, 29)
    first = 2 if kind == "erode" else 1  # of four rows, the anchor is the third; turned, the second
    assert np.array_equal(valid, whole[first:first + 27, 2:31])
    assert OURS[kind](image, np.ones((40, 3)), border="valid").shape == (0, 31)


@pytest.mark.parametrize("anchor", [(0, 0), (3, 4), (2, 0)])
@pytest.mark.parametrize("kind", OURS)
def test_anchors(rng, anchor, kind):
    image = random_image(rng, (23, 29), "float32")
    origin = np.array(anchor) - np.array(CROOKED.shape) // 2
    actual = OURS[kind](image, CROOKED, anchor=anchor, border="wrap")
    assert np.array_equal(actual, SCIPY[kind](image, footprint=CROOKED, mode="wrap", origin=origin))


def test_nan_wins_and_has_no_payload():
    image = np.arange(35, dtype=np.float32).reshape(5, 7)
    image.view(np.uint32)[2, 3] = 0xFFC12345
    for ours in OURS.values():
        out = ours(image, "box:3x3")
        assert np.isnan(out[1:4, 2:5]).all() and np.isnan(out).sum() == 9
        assert (out.view(np.uint32)[1:4, 2:5] == 0x7FC00000).all()


@pytest.mark.parametrize("axes, shape", [({"channel_axis": -1}, (31, 43, 3)), ({"channel_axis": 0}, (5, 31, 43)),
                                         ({"batch_axis": 0}, (4, 31, 43))])
def test_channels_and_batches_are_images_of_their_own(rng, axes, shape):
    images = random_image(rng, shape, "uint8")
    axis = list(axes.values())[0]
    actual = tessera.erode(images, "disk:3", **axes)
    expected = np.stack([tessera.erode(one, "disk:3") for one in np.moveaxis(images, axis, 0)], axis)
    assert np.array_equal(actual, expected)


@pytest.mark.parametrize("method", ["reference", "direct", "separable"])
def test_methods_give_the_same_bytes(rng, method):
    image = random_image(rng, (60, 80), "float64")
    plan = tessera.Dilate(image.shape, image.dtype, "box:9x21", method=method, backend="cpu", threads=2)
    assert method in plan.describe()
    assert plan(image).tobytes() == tessera.dilate(image, np.ones((21, 9))).tobytes()


def test_out_and_plans(rng):
    image = random_image(rng, (33, 41), "uint8")
    out = np.zeros((33, 82), np.uint8)[:, ::2]
    plan = tessera.Erode((33, 41), np.uint8, "cross:2")
    assert plan(image, out=out) is out
    assert np.array_equal(out, tessera.erode(image, "cross:2"))
    assert plan.output_shape == (33, 41)


def test_elements_have_names_and_files(rng, tmp_path):
    assert tessera.named_element("disk:12").sum() == 441
    assert all(form and help_text for form, help_text in tessera.elements())
    image = random_image(rng, (20, 20), "uint8")
    np.save(tmp_path / "element.npy", CROOKED.astype(np.float32))
    from_file = tessera.erode(image, str(tmp_path / "element.npy"))
    assert np.array_equal(from_file, tessera.erode(image, CROOKED))


def test_bad_elements_are_refused():
    image = np.zeros((4, 4), np.uint8)
    with pytest.raises(ValueError, match="all 6 pixels of the element are 0"):
        tessera.erode(image, np.zeros((2, 3)))
    with pytest.raises(ValueError, match="dilate: element has shape"):
        tessera.dilate(image, np.ones(3))
    with pytest.raises(ValueError, match="element: 'disc:3' is not known"):
        tessera.dilate(image, "disc:3")
    with pytest.raises(TypeError, match="did you mean"):
        tessera.dilate(image, "disk:3", bordr="wrap")
