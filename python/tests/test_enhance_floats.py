# SPDX-License-Identifier: Apache-2.0
"""enhance of float32 and float64 images, and colours by their value, against NumPy and scikit-image."""
import pickle

import numpy as np
import pytest

import tessera

exposure = pytest.importorskip("skimage.exposure")
DTYPES = ["float32", "float64"]
SIZES = [(1, 17), (17, 1), (2, 2), (3, 5), (16, 16), (23, 31), (97, 131), (255, 300)]


def unit(rng, shape, dtype):
    """Images as scikit-image takes them, from 0 to 1: noise, a ramp, a bell, few values, specks."""
    height, width = shape[:2]
    ramp = np.add.outer(np.arange(height), np.arange(width)) / (height + width)
    yield rng.random(shape).astype(dtype)
    if len(shape) == 2:
        yield ramp.astype(dtype)
    yield np.clip(rng.normal(0.4, 0.2, shape), 0, 1).astype(dtype)
    yield (rng.integers(0, 5, shape) / 4).astype(dtype)
    yield np.where(rng.random(shape) < 0.05, 0.9, 0.1).astype(dtype)


def adapthist(image, tiles=(8, 8), clip=0.01):
    kernel = [max(side // count, 1) for side, count in zip(image.shape[:2], tiles, strict=True)]
    return exposure.equalize_adapthist(image, kernel_size=kernel, clip_limit=clip)


def percentile(image, share):
    """The smallest value present with enough finite values at and below it."""
    values = np.sort(image[np.isfinite(image)])
    return values[max(int(np.ceil(round(share * 1e7) / 1e9 * len(values))), 1) - 1]


def stretched(image, low=0.35, high=99.65):
    """scikit-image's formula in double, with exact percentiles."""
    limits = percentile(image, low), percentile(image, high)
    if not limits[0] < limits[1]:
        return image
    wide = exposure.rescale_intensity(image.astype("float64"), in_range=limits, out_range=(0.0, 1.0))
    return wide.astype(image.dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SIZES, ids=str)
def test_clahe_is_skimages_to_the_bit(rng, shape, dtype):
    for image in unit(rng, shape, dtype):
        if image.max() - image.min() < 0.25:
            continue
        actual = tessera.clahe(image)
        assert actual.dtype == image.dtype
        assert np.array_equal(actual, adapthist(image))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("tiles", [(1, 1), (2, 3), (5, 11)], ids=str)
@pytest.mark.parametrize("clip", [0, 0.001, 0.02, 0.5, 1])
def test_clahe_by_tiles_and_clip(rng, tiles, clip, dtype):
    for image in unit(rng, (61, 203), dtype):
        assert np.array_equal(tessera.clahe(image, tiles=tiles, clip=clip), adapthist(image, tiles, clip))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("scale, offset", [(1e-3, 0), (1000, -500), (1e30, 0), (2, -1), (1e-30, 1e-28)])
def test_clahe_of_other_ranges_is_that_of_the_levels(rng, scale, offset, dtype):
    """scikit-image refuses these or rounds them coarsely: its inner function is given levels from the whole range."""
    from skimage.exposure import _adapthist
    image = (rng.random((70, 90)) * scale + offset).astype(dtype)
    wide = image.astype("float64")
    levels = np.round((wide - wide.min()) / (wide.max() - wide.min()) * 16383).astype("uint16")
    made = _adapthist._clahe(levels, [8, 11], 0.01, 256).astype(dtype)
    assert np.array_equal(tessera.clahe(image), (made - made.min()) / (made.max() - made.min()))


@pytest.mark.parametrize("dtype", DTYPES)
def test_clahe_keeps_nan_and_counts_infinities(rng, dtype):
    image = rng.random((64, 80)).astype(dtype)
    image[3:9, 5:20], image[30, 40], image[31, 41] = np.nan, np.inf, -np.inf
    actual = tessera.clahe(image)
    assert np.array_equal(np.isnan(actual), np.isnan(image))
    finite = image[np.isfinite(image)]
    plain = np.nan_to_num(image, nan=finite.min(), posinf=finite.max(), neginf=finite.min())
    assert np.array_equal(actual[~np.isnan(image)], adapthist(plain)[~np.isnan(image)])
    for flat in (np.full((9, 7), -3.5, dtype), np.full((9, 7), np.nan, dtype)):
        assert np.array_equal(tessera.clahe(flat), flat, equal_nan=True)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("low, high", [(0.35, 99.65), (0, 100), (2, 98), (49, 51)])
def test_contrast_is_rescale_intensity(rng, low, high, dtype):
    for image in (rng.normal(0, 1, (61, 57)), rng.lognormal(0, 9, (61, 57)), 1e-42 * rng.random((61, 57)),
                  rng.integers(-2, 3, (61, 57))):
        image = image.astype(dtype)
        actual = tessera.contrast(image, low=low, high=high)
        assert actual.dtype == image.dtype
        expected = stretched(image, low, high)
        assert np.abs(actual.astype("float64") - expected).max() <= np.finfo(dtype).eps
        assert low > 2 or actual.min() == 0


def test_contrast_of_huge_values_and_holes(rng):
    image = np.array([[-1.7e308, 0, np.nan, 1.7e308, np.inf, -np.inf]])
    assert np.array_equal(tessera.contrast(image, low=0, high=100), [[0, 0.5, np.nan, 1, 1, 0]], equal_nan=True)
    holes = rng.random((50, 60)).astype("float32")
    holes[::3, ::2] = np.nan
    assert np.allclose(tessera.contrast(holes), stretched(holes), atol=1e-7, equal_nan=True)


@pytest.mark.parametrize("dtype", DTYPES)
def test_grey_and_smooth_of_floats(rng, dtype):
    photo = rng.random((30, 40, 3)).astype(dtype)
    grey = tessera.grey(photo, weights="bt709")
    assert grey.dtype == photo.dtype and grey.shape == (30, 40)
    assert np.allclose(grey, photo.astype("float64") @ np.array([13933, 46871, 4732]) / 65536, atol=1e-7)
    weights = np.outer([1, 2, 1], [1, 2, 1])
    padded = np.pad(np.stack([grey, np.ones_like(grey)]).astype("float64"), ((0, 0), (1, 1), (1, 1)))
    sums = sum(weights[j, i] * padded[:, j:j + 30, i:i + 40] for j in range(3) for i in range(3))
    for same in (tessera.smooth(grey, weights), tessera.smooth(grey, "binomial:3")):
        assert same.dtype == grey.dtype
        assert np.allclose(same, sums[0] / sums[1], atol=1e-6)


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_chain_of_floats_is_its_steps(rng, dtype):
    photo = rng.random((45, 67, 3)).astype(dtype)
    made = tessera.enhance(photo)
    assert np.array_equal(made, tessera.smooth(tessera.contrast(tessera.grey(photo))))
    other = tessera.enhance(photo, steps="contrast,grey,clahe", channels="each", tiles=(3, 4))
    assert np.array_equal(other, tessera.clahe(tessera.grey(tessera.contrast(photo, channels="each")), tiles=(3, 4)))


def test_plans_layouts_and_files(cli, rng, tmp_path):
    photo = rng.random((31, 43, 3)).astype("float32")
    plan = tessera.Enhance(photo.shape, "float32", steps="contrast,clahe", channels="each")
    expected = plan(photo)
    assert np.array_equal(pickle.loads(pickle.dumps(plan))(photo), expected)
    out = np.empty_like(photo)
    assert plan(photo, out=out) is out and np.array_equal(out, expected)
    planes = np.moveaxis(photo, -1, 0)
    assert np.array_equal(tessera.enhance(planes, steps="contrast,clahe", channels="each", channel_axis=0),
                          np.moveaxis(expected, -1, 0))
    batch = np.stack([photo, 1 - photo])
    made = tessera.clahe(batch, batch_axis=0, channel_axis=-1)
    assert all(np.array_equal(one, tessera.clahe(image)) for one, image in zip(made, batch, strict=True))
    assert np.array_equal(tessera.contrast(photo[::2, ::-1]), tessera.contrast(photo[::2, ::-1].copy()))
    swapped = photo.astype(photo.dtype.newbyteorder())
    assert np.array_equal(tessera.contrast(swapped), tessera.contrast(photo))
    np.save(tmp_path / "a.npy", photo[..., 0])
    cli("enhance", tmp_path / "a.npy", tmp_path / "b.npy", "--steps", "clahe,contrast", "--check")
    assert np.array_equal(np.load(tmp_path / "b.npy"), tessera.enhance(photo[..., 0], steps="clahe,contrast"))


@pytest.mark.parametrize("dtype", ["uint8", "uint16"])
@pytest.mark.parametrize("shape", [(16, 16, 3), (61, 203, 3), (97, 131, 3)], ids=str)
def test_clahe_of_colours_is_skimages_within_a_level(rng, shape, dtype):
    most = np.iinfo(dtype).max
    for image in unit(rng, shape, "float64"):
        image = (image * most).astype(dtype)
        image[:3, :4] = 0  # no value, and so no hue
        theirs = np.round(adapthist(image) * most)
        actual = tessera.clahe(image, channels="value")
        assert actual.dtype == image.dtype and actual.shape == image.shape
        assert np.abs(actual.astype("float64") - theirs).max() <= 1


@pytest.mark.parametrize("dtype", DTYPES)
def test_clahe_of_float_colours_is_skimages(rng, dtype):
    for image in unit(rng, (61, 103, 3), dtype):
        image[:3, :4] = 0
        actual = tessera.clahe(image, channels="value")
        assert np.abs(actual.astype("float64") - adapthist(image)).max() <= 1e-6


@pytest.mark.parametrize("dtype", ["uint8", "uint16", *DTYPES])
@pytest.mark.parametrize("step", ["contrast", "clahe", "equalise"])
def test_value_is_the_step_of_the_maximum(rng, step, dtype):
    floats = dtype.startswith("float")
    if floats and step == "equalise":
        return
    image = rng.random((40, 50, 4)) ** 2
    image = image.astype(dtype) if floats else (image * np.iinfo(dtype).max).astype(dtype)
    image[5, 6, :3] = 0
    value = image[..., :3].max(axis=-1)
    made = getattr(tessera, step)(value)
    actual = getattr(tessera, step)(image, channels="value")
    assert np.array_equal(actual[..., 3], image[..., 3])
    assert np.array_equal(actual[..., :3].max(axis=-1)[value > 0], made[value > 0])
    exact = "float64" if floats else "int64"
    wide, v, m = (a.astype(exact) for a in (image[..., :3], value[..., None], made[..., None]))
    if floats:
        with np.errstate(invalid="ignore", divide="ignore"):
            expected = np.where((v > 0) & (wide != v), wide * m / v, m)
    else:
        expected = np.where(v > 0, (wide * m + v // 2) // np.maximum(v, 1), m)
    assert np.array_equal(actual[..., :3], expected.astype(dtype))
    if not floats:
        counts = tessera.histogram(image, channels="value")
        assert np.array_equal(counts, np.bincount(value.ravel(), minlength=len(counts)))
