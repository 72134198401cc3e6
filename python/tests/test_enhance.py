# SPDX-License-Identifier: Apache-2.0
"""enhance and its steps against their formulas in NumPy, against OpenCV and scikit-image."""
import threading

import numpy as np
import pytest
from expected import random_image

import tessera

DTYPES = ["uint8", "uint16"]
CLASSIC = np.array([77, 151, 28]) * 256


def most_of(image):
    return np.iinfo(image.dtype).max


def plain_grey(image, weights=CLASSIC):
    return ((image[..., :3].astype(np.int64) @ weights + 2**15) >> 16).astype(image.dtype)


def plain_counts(image):
    return np.bincount(image.ravel(), minlength=most_of(image) + 1)


def plain_range(image, low_percent=35, high_percent=9965):
    """The smallest values with enough pixels at and below them; percents in hundredths."""
    below = np.cumsum(plain_counts(image))
    return [int(np.searchsorted(below, -(-share * image.size // 10000))) for share in (low_percent, high_percent)]


def stretched(image, low, high):
    if low >= high:
        return image
    most, wide = most_of(image), image.astype(np.int64)
    return np.clip(((wide - low) * most + (high - low) // 2) // (high - low), 0, most).astype(image.dtype)


def plain_equalise(image):
    below = np.cumsum(plain_counts(image))
    first = below[image.min()]
    rest = int(image.size - first)
    if rest == 0:
        return image
    curve = np.maximum((below - first) * most_of(image) + rest // 2, 0) // rest
    return curve[image].astype(image.dtype)


def plain_smooth(image, weights):
    weights = np.asarray(weights, np.int64)
    rows, columns = weights.shape
    anchor = rows // 2, columns // 2
    total, inside = np.zeros(image.shape, np.int64), np.zeros(image.shape, np.int64)
    for j in range(rows):
        for i in range(columns):
            for y in range(image.shape[0]):
                x = np.arange(image.shape[1])
                sy, sx = y + j - anchor[0], x + i - anchor[1]
                ok = (0 <= sx) & (sx < image.shape[1])
                if 0 <= sy < image.shape[0]:
                    total[y, ok] += weights[j, i] * image[sy, sx[ok]].astype(np.int64)
                    inside[y, ok] += weights[j, i]
    made = np.clip((total + inside // 2) // np.maximum(inside, 1), 0, most_of(image))
    return np.where(inside > 0, made, image).astype(image.dtype)


def dull(rng, shape, dtype):
    """Something to stretch: the middle half of all values, more of the dark ones."""
    most = np.iinfo(dtype).max
    return (most * (0.25 + 0.5 * rng.beta(2, 5, shape))).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("weights, numbers", [("classic", CLASSIC), ("100,65000,436", np.array([100, 65000, 436]))])
def test_grey_is_the_formula(rng, dtype, weights, numbers):
    photo = random_image(rng, (31, 43, 3), dtype)
    actual = tessera.grey(photo, weights=weights)
    assert actual.shape == (31, 43) and actual.dtype == photo.dtype
    assert np.array_equal(actual, plain_grey(photo, numbers))


def test_grey_is_opencvs_within_a_level(rng):
    cv2 = pytest.importorskip("cv2")
    photo = random_image(rng, (50, 60, 3), "uint8")
    theirs = cv2.cvtColor(photo, cv2.COLOR_RGB2GRAY).astype(int)
    assert np.abs(tessera.grey(photo, weights="bt601").astype(int) - theirs).max() <= 1  # they have 14 or 15 bits


def test_alpha_stays(rng):
    photo = random_image(rng, (20, 30, 4), "uint8")
    grey = tessera.grey(photo)
    assert grey.shape == (20, 30, 2)
    assert np.array_equal(grey[..., 0], plain_grey(photo)) and np.array_equal(grey[..., 1], photo[..., 3])
    clear = tessera.contrast(photo)
    assert np.array_equal(clear[..., 3], photo[..., 3])


@pytest.mark.parametrize("dtype", DTYPES)
def test_histogram_is_numpys(rng, dtype):
    photo = random_image(rng, (33, 41, 3), dtype)
    each = tessera.histogram(photo)
    assert each.dtype == np.int64 and each.shape == (3, most_of(photo) + 1)
    for channel in range(3):
        assert np.array_equal(each[channel], plain_counts(photo[..., channel]))
    assert np.array_equal(tessera.histogram(photo, channels="together"), each.sum(axis=0))
    assert np.array_equal(tessera.histogram(photo[::2, ::-3, 1]), plain_counts(photo[::2, ::-3, 1]))
    assert tessera.histogram(np.dstack([photo, photo[..., :1]])).shape == each.shape  # without alpha
    batch = tessera.histogram(np.moveaxis(photo, -1, 0), batch_axis=0)
    assert np.array_equal(batch, each)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("low, high", [(0.35, 99.65), (0, 100), (2, 98), (49, 51)])
def test_contrast_by_percentiles_is_the_formula(rng, dtype, low, high):
    image = dull(rng, (61, 57), dtype)
    expected = stretched(image, *plain_range(image, round(low * 100), round(high * 100)))
    assert np.array_equal(tessera.contrast(image, low=low, high=high), expected)


def test_contrast_by_threshold_is_the_formula(rng):
    image = dull(rng, (200, 300), "uint8")
    above = np.flatnonzero(plain_counts(image) > 80)
    assert np.array_equal(tessera.contrast(image, rule="threshold"), stretched(image, above[0], above[-1]))
    flat = np.full((40, 50), 77, np.uint8)
    assert np.array_equal(tessera.contrast(flat, rule="threshold"), flat)
    assert np.array_equal(tessera.contrast(flat), flat)


def test_colours_share_a_curve_or_have_their_own(rng):
    photo = dull(rng, (40, 50, 3), "uint8")
    photo[..., 1] //= 2
    together = tessera.contrast(photo)
    assert np.array_equal(together, stretched(photo, *plain_range(photo)))
    each = tessera.contrast(photo, channels="each")
    for channel in range(3):
        one = photo[..., channel]
        assert np.array_equal(each[..., channel], stretched(one, *plain_range(one)))


@pytest.mark.parametrize("dtype", DTYPES)
def test_equalise_is_the_formula(rng, dtype):
    image = dull(rng, (61, 57), dtype)
    assert np.array_equal(tessera.equalise(image), plain_equalise(image))


def test_equalise_is_opencvs_within_a_level(rng):
    cv2 = pytest.importorskip("cv2")
    for shape in [(64, 48), (200, 301)]:
        image = dull(rng, shape, "uint8")
        theirs = cv2.equalizeHist(image)
        apart = np.abs(tessera.equalise(image).astype(int) - theirs)
        assert apart.max() <= 1  # theirs scales in float and rounds halves to even


@pytest.mark.parametrize("shape", [(64, 64), (97, 120)])
@pytest.mark.parametrize("clip", [0.01, 0.05])
def test_clahe_is_skimages_within_a_level(rng, shape, clip):
    exposure = pytest.importorskip("skimage.exposure")
    image = dull(rng, shape, "uint8")
    theirs = exposure.equalize_adapthist(image, clip_limit=clip) * 255
    assert np.abs(tessera.clahe(image, clip=clip).astype(float) - theirs).max() <= 1.001


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("weights", [np.outer([1, 2, 3, 2, 1], [1, 2, 3, 2, 1]), [[0, 1, 0], [1, 4, 1], [0, 1, 0]],
                                     [[1, -1, 3, 2]]], ids=["triangle", "cross", "crooked"])
def test_smooth_is_the_formula(rng, dtype, weights):
    image = random_image(rng, (23, 29), dtype)
    assert np.array_equal(tessera.smooth(image, weights), plain_smooth(image, weights))


def test_smooth_by_name_and_file(rng, tmp_path):
    image = random_image(rng, (23, 29), "uint8")
    triangle = np.outer([1, 2, 3, 2, 1], [1, 2, 3, 2, 1])
    expected = plain_smooth(image, triangle)
    np.save(tmp_path / "weights.npy", triangle.astype(np.float64))
    for same in (tessera.smooth(image), tessera.smooth(image, "triangle:5"),
                 tessera.smooth(image, str(tmp_path / "weights.npy")), tessera.enhance(image, steps="smooth"),
                 tessera.enhance(image, steps="smooth", weights=triangle)):
        assert np.array_equal(same, expected)


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_chain_is_its_steps(rng, dtype):
    photo = dull(rng, (45, 67, 3), dtype)
    grey = plain_grey(photo)
    expected = plain_smooth(stretched(grey, *plain_range(grey)), np.outer([1, 2, 3, 2, 1], [1, 2, 3, 2, 1]))
    assert np.array_equal(tessera.enhance(photo), expected)
    other = tessera.enhance(photo, steps="contrast,grey,equalise", channels="each")
    assert np.array_equal(other, tessera.equalise(tessera.grey(tessera.contrast(photo, channels="each"))))


def test_layouts_and_batches(rng):
    photo = dull(rng, (31, 43, 3), "uint8")
    expected = tessera.enhance(photo)
    assert np.array_equal(tessera.enhance(np.moveaxis(photo, -1, 0), channel_axis=0), expected)
    wide = np.zeros((62, 86, 3), np.uint8)
    wide[::2, ::2] = photo
    assert np.array_equal(tessera.enhance(wide[::2, ::2]), expected)
    assert np.array_equal(tessera.enhance(photo[::-1, ::-1]), expected[::-1, ::-1])
    batch = np.stack([photo, photo[::-1], 255 - photo])
    made = tessera.enhance(batch, batch_axis=0, channel_axis=-1)
    assert made.shape == (3, 31, 43)
    assert all(np.array_equal(one, tessera.enhance(image)) for one, image in zip(made, batch, strict=True))
    planar = np.moveaxis(batch, -1, 1)
    assert np.array_equal(tessera.enhance(planar, batch_axis=0, channel_axis=1), made)


@pytest.mark.parametrize("axis", [0, 1, 2, 3])
def test_results_have_their_colours_on_the_axis_of_the_image(rng, axis):
    batch = dull(rng, (2, 31, 43, 4), "uint16")
    expected = tessera.enhance(batch, steps="contrast,smooth", batch_axis=0, channel_axis=-1)
    moved = np.moveaxis(batch, -1, axis)
    made = tessera.enhance(moved, steps="contrast,smooth", batch_axis=0 if axis else 1, channel_axis=axis)
    assert made.shape == moved.shape
    assert np.array_equal(np.moveaxis(made, axis, -1), expected)
    if axis < 3:
        planes = np.ascontiguousarray(np.moveaxis(batch[0], -1, axis))
        one = tessera.contrast(planes, channel_axis=axis)
        assert np.array_equal(np.moveaxis(one, axis, -1), tessera.contrast(batch[0]))


class OtherLibrary:
    """An array that speaks DLPack and nothing else."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **words):
        return self.array.__dlpack__(**words)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_planes_of_colours_of_other_libraries(rng):
    photo = dull(rng, (31, 43, 3), "uint8")
    planes = np.ascontiguousarray(np.moveaxis(photo, -1, 0))
    assert np.array_equal(tessera.enhance(OtherLibrary(planes), channel_axis=0), tessera.enhance(photo))


def test_out_plans_and_threads(rng):
    photo = dull(rng, (64, 80, 3), "uint8")
    expected = tessera.enhance(photo)
    plan = tessera.Enhance(photo.shape, photo.dtype)
    assert plan.output_shape == (64, 80)
    assert "grey, contrast, smooth" in plan.describe()
    out = np.zeros((64, 160), np.uint8)[:, ::2]
    assert plan(photo, out=out) is out
    assert np.array_equal(out, expected)
    assert tessera.contrast(photo, out=(kept := np.empty_like(photo))) is kept
    found = []
    workers = [threading.Thread(target=lambda: found.append(plan(photo))) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(found) == 4 and all(np.array_equal(each, expected) for each in found)


@pytest.mark.parametrize("shape", [(1, 1), (1, 40), (40, 1), (2, 3)])
def test_small_images(rng, shape):
    image = random_image(rng, shape, "uint8")
    assert np.array_equal(tessera.smooth(image), plain_smooth(image, np.outer([1, 2, 3, 2, 1], [1, 2, 3, 2, 1])))
    assert np.array_equal(tessera.equalise(image), plain_equalise(image))
    assert tessera.enhance(image).shape == shape


def test_same_bytes_as_the_command_line(cli, rng, tmp_path):
    photo = dull(rng, (70, 90, 3), "uint8")
    tessera.write(tmp_path / "a.png", photo)
    cli("enhance", tmp_path / "a.png", tmp_path / "b.npy", "--steps", "grey,equalise,smooth", "--smooth", "ones:3x5")
    expected = np.load(tmp_path / "b.npy")
    assert np.array_equal(tessera.enhance(photo, steps="grey,equalise,smooth", smooth="ones:3x5"), expected)


@pytest.mark.parametrize("call, error, text", [
    (lambda p: tessera.equalise(p.astype("float32")), ValueError, "equalise counts every value, and the image is f32"),
    (lambda p: tessera.contrast(p.astype("float64"), rule="threshold"), ValueError, "floats take rule percentiles"),
    (lambda p: tessera.histogram(p.astype("float32")), ValueError, "histogram counts every value"),
    (lambda p: tessera.enhance(p.astype("int16")), TypeError, "uint8, uint16, float32 and float64 work"),
    (lambda p: tessera.histogram(p.astype("int16")), TypeError, "uint8 and uint16 work"),
    (lambda p: tessera.contrast(p, channels="hue"), ValueError, "together, each or value"),
    (lambda p: tessera.contrast(p, channels="value", method="fused"), ValueError, "only method steps of the CPU"),
    (lambda p: tessera.enhance(p.astype("complex64")), TypeError, "complex64"),
    (lambda p: tessera.enhance(p, steps="grry"), ValueError, "grey"),
    (lambda p: tessera.enhance(p, stps="grey"), TypeError, "did you mean 'steps'"),
    (lambda p: tessera.contrast(p, low=60, high=40), ValueError, "60"),
    (lambda p: tessera.contrast(p, rule="otsu"), ValueError, "percentiles"),
    (lambda p: tessera.grey(p, weights="1,2"), ValueError, "1,2"),
    (lambda p: tessera.smooth(p, "square:3"), ValueError, "square:3"),
    (lambda p: tessera.smooth(p, np.ones(3)), ValueError, "smooth: weights has shape (3,)"),
    (lambda p: tessera.clahe(p, tiles=(0, 8)), ValueError, "0"),
    (lambda p: tessera.grey(p, out=np.empty((20, 21, 3), np.uint8)), ValueError, "grey: out is (20, 21, 3) of uint8"),
    (lambda p: tessera.contrast(p, out=np.empty((3, 20, 21), np.uint8).transpose(1, 2, 0)), ValueError, "side by side"),
    (lambda p: tessera.histogram(p[None]), ValueError, "axes"),
    (tessera.Enhance((4, 4), "uint8"), ValueError, "it must be (4, 4) of uint8"),
])
def test_bad_calls(rng, call, error, text):
    with pytest.raises(error) as raised:
        call(random_image(rng, (20, 21, 3), "uint8"))
    assert text in str(raised.value)


def test_docstrings_have_examples():
    for function in (tessera.enhance, tessera.grey, tessera.histogram, tessera.contrast, tessera.equalise,
                     tessera.clahe, tessera.smooth):
        assert ">>> " in function.__doc__ and "Options" in function.__doc__
