# SPDX-License-Identifier: Apache-2.0
"""Files decode to the pixels that the field's other readers see.

TESSERA_HOSTILE_DATA names a folder with more files to compare.
"""
import os
from pathlib import Path

import numpy as np
import pytest

import tessera

cv2 = pytest.importorskip("cv2")
PIL_Image = pytest.importorskip("PIL.Image")
tifffile = pytest.importorskip("tifffile")
fits = pytest.importorskip("astropy.io.fits")

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = [ROOT / "tests" / "data"] + [Path(name) for name in [os.environ.get("TESSERA_HOSTILE_DATA")] if name]


def files(*suffixes):
    return [path for folder in FOLDERS for path in sorted(folder.rglob("*")) if path.suffix in suffixes]


def read_or_skip(path):
    try:
        return tessera.read(path)
    except OSError as refusal:
        pytest.skip(f"refused: {refusal}")


def by_opencv(path):
    """As stored, colours in Tessera's order."""
    image = cv2.imread(str(path), cv2.IMREAD_UNCHANGED | cv2.IMREAD_IGNORE_ORIENTATION)
    if image is None or image.ndim == 2:
        return image
    return np.ascontiguousarray(image[..., [2, 1, 0, 3][:image.shape[2]]])


def by_pillow(path):
    """What a palette or a few bits stand for."""
    with PIL_Image.open(path) as image:
        if image.mode == "P":
            image = image.convert("RGBA" if "transparency" in image.info else "RGB")
        elif image.mode == "1" or (image.mode == "L" and "transparency" in image.info):
            image = image.convert("L" if image.mode == "1" else "LA")
        elif image.mode == "RGB" and "transparency" in image.info:
            image = image.convert("RGBA")
        return np.asarray(image)


@pytest.mark.parametrize("path", files(".png", ".jpg"), ids=lambda path: path.name)
def test_pictures(path):
    ours = read_or_skip(path)
    try:
        theirs = by_opencv(path) if ours.dtype == np.uint16 and ours.ndim == 3 else by_pillow(path)
    except (OSError, SyntaxError, ValueError) as refusal:
        pytest.fail(f"we read what Pillow refuses: {refusal}")
    assert ours.shape == theirs.shape
    assert np.array_equal(ours, theirs)


@pytest.mark.parametrize("path", files(".tif", ".tiff"), ids=lambda path: path.name)
def test_tiffs(path):
    ours = read_or_skip(path)
    try:
        theirs = tifffile.imread(path)
    except Exception as refusal:
        pytest.skip(f"tifffile refuses it: {refusal}")
    if theirs.shape != ours.shape:
        theirs = tifffile.imread(path, key=0)
    if theirs.ndim == 3 and theirs.shape[0] in (2, 3, 4) and theirs.shape[1:] == ours.shape[:2]:
        theirs = np.moveaxis(theirs, 0, -1)
    assert ours.shape == theirs.shape
    assert np.array_equal(ours, theirs.astype(ours.dtype), equal_nan=ours.dtype.kind == "f")


@pytest.mark.parametrize("path", files(".fits", ".fit"), ids=lambda path: path.name)
def test_fits(path):
    ours = read_or_skip(path)
    with fits.open(path) as hdus:
        theirs = next(hdu.data for hdu in hdus if hdu.data is not None and getattr(hdu, "is_image", True))
    theirs = theirs.reshape((-1,) + theirs.shape[-2:]) if theirs.ndim > 2 else theirs
    theirs = theirs[0] if theirs.ndim == 3 and theirs.shape[0] == 1 else theirs
    assert ours.shape == theirs.shape
    assert np.array_equal(ours, theirs.astype(ours.dtype), equal_nan=ours.dtype.kind == "f")
