# SPDX-License-Identifier: Apache-2.0
"""clahe against scikit-image's equalize_adapthist: within one level, for every size, tiles and clip."""
from pathlib import Path

import numpy as np
import pytest

import tessera

exposure = pytest.importorskip("skimage.exposure")
DATA = Path(__file__).parents[2] / "tests" / "data"
DTYPES = ["uint8", "uint16"]
SIZES = [(1, 17), (17, 1), (2, 2), (3, 5), (15, 15), (16, 16), (23, 31), (97, 131), (128, 127), (255, 300)]


def adapthist(image, tiles=(8, 8), clip=0.01):
    """The answer of scikit-image for one channel, rounded to the image's type."""
    kernel = [max(side // count, 1) for side, count in zip(image.shape, tiles, strict=True)]
    levels = exposure.equalize_adapthist(image, kernel_size=kernel, clip_limit=clip)
    return np.round(np.iinfo(image.dtype).max * levels).astype(np.int64)


def largest_difference(image, tiles=(8, 8), clip=0.01):
    actual = tessera.enhance(image, steps="clahe", tiles=tiles, clip=clip)
    assert actual.dtype == image.dtype and actual.shape == image.shape
    if image.min() == image.max():
        assert np.array_equal(actual, image)
        return 0
    return np.abs(actual.astype(np.int64) - adapthist(image, tiles, clip)).max()


def pictures(rng, shape, dtype):
    """All values, a ramp, a narrow bell, five values, black with white specks."""
    most = np.iinfo(dtype).max
    height, width = shape
    ramp = np.add.outer(np.arange(height), np.arange(width)) * most // (height + width - 1)
    yield rng.integers(0, most + 1, shape).astype(dtype)
    yield ramp.astype(dtype)
    yield np.clip(rng.normal(most * 0.4, most * 0.05, shape), 0, most).astype(dtype)
    yield rng.integers(most // 3, most // 3 + 5, shape).astype(dtype)
    yield np.where(rng.random(shape) < 0.02, most, 0).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SIZES, ids=str)
def test_agrees_within_one_level(rng, shape, dtype):
    for image in pictures(rng, shape, dtype):
        assert largest_difference(image) <= 1


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("tiles", [(1, 1), (2, 3), (5, 11), (12, 1)], ids=str)
@pytest.mark.parametrize("clip", [0, 1e-6, 0.001, 0.02, 0.5, 0.99, 1])
def test_tiles_and_clip_mean_the_same(rng, tiles, clip, dtype):
    for image in pictures(rng, (61, 203), dtype):
        assert largest_difference(image, tiles, clip) <= 1


@pytest.mark.parametrize("dtype", DTYPES)
def test_long_rows_agree(rng, dtype):
    for image in pictures(rng, (220, 1501), dtype):
        assert largest_difference(image) <= 1


@pytest.mark.parametrize("name", ["jpeg/grey.jpg", "jpeg/rgb420.jpg", "pngsuite/basn0g08.png", "pngsuite/basn0g16.png",
                                  "pngsuite/basn2c08.png", "pngsuite/basn2c16.png"])
def test_files_agree_channel_by_channel(name):
    image = tessera.read(DATA / name)
    channels = image[..., None] if image.ndim == 2 else image
    actual = tessera.enhance(image, steps="clahe", channels="each").reshape(channels.shape)
    for c in range(channels.shape[2]):
        channel = np.ascontiguousarray(channels[..., c])
        if channel.min() < channel.max():
            assert np.abs(actual[..., c].astype(np.int64) - adapthist(channel)).max() <= 1


@pytest.mark.parametrize("dtype", DTYPES)
def test_flat_images_stay_as_they_are(dtype):
    for value in (0, 1, np.iinfo(dtype).max):
        image = np.full((9, 7), value, dtype)
        assert np.array_equal(tessera.enhance(image, steps="clahe"), image)
