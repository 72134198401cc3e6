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
    """The samples that a palette or a few bits stand for."""
    with PIL_Image.open(path) as image:
        if image.mode == "P":
            image = image.convert("RGBA" if "transparency" in image.info else "RGB")
        elif image.mode == "1":
            image = image.convert("L")
        elif image.mode == "RGB" and "transparency" in image.info:
            image = image.convert("RGBA")
        return np.asarray(image)


def same_picture(ours, path):
    if ours.dtype == np.uint16 and ours.ndim == 3:
        theirs = by_opencv(path)  # Pillow has no 16-bit colours; OpenCV makes RGBA of grey and alpha
        if theirs.ndim == 2:
            return np.array_equal(ours[..., 0], theirs)  # and drops a transparent grey
        return np.array_equal(ours, theirs[..., [0, 3]] if ours.shape[2] == 2 else theirs)
    theirs = by_pillow(path)
    if theirs.ndim == 2 and ours.ndim == 3 and ours.shape[2] == 2:
        ours = ours[..., 0]  # Pillow keeps the transparent grey as a number next to the image
    return np.array_equal(ours, theirs)


@pytest.mark.parametrize("path", files(".png", ".jpg"), ids=lambda path: path.name)
def test_pictures(path):
    ours = read_or_skip(path)
    try:
        assert same_picture(ours, path)
    except (OSError, SyntaxError, ValueError) as refusal:
        pytest.fail(f"we read what Pillow refuses: {refusal}")


def page_by_tifffile(page, dtype):
    image = page.asarray()
    if page.photometric == tifffile.PHOTOMETRIC.PALETTE:
        image = np.moveaxis(page.colormap[:, image], 0, -1)
        image = image >> 8 if dtype == np.uint8 else image
    if image.dtype == bool:
        image = image.astype(np.uint8) * 255
    return image


def by_tifffile(path, ours):
    """The first pages that are alike, with palettes as they look."""
    with tifffile.TiffFile(path) as file:
        many = ours.ndim - (1 if ours.ndim > 2 and ours.shape[-1] <= 4 else 0) > 2
        if many and file.is_imagej and len(file.pages) < len(ours):  # only the first image has a directory
            return file.series[0].asarray().reshape((-1, *ours.shape[1:]))
        theirs = [page_by_tifffile(page, ours.dtype) for page in file.pages[:len(ours) if many else 1]]
        theirs = np.stack(theirs) if many else theirs[0]
    if theirs.ndim == 3 and theirs.shape[0] in (2, 3, 4) and theirs.shape[1:] == ours.shape[:2]:
        theirs = np.moveaxis(theirs, 0, -1)
    return theirs


@pytest.mark.parametrize("path", files(".tif", ".tiff"), ids=lambda path: path.name)
def test_tiffs(path):
    ours = read_or_skip(path)
    try:
        theirs = by_tifffile(path, ours)
    except Exception as refusal:
        pytest.skip(f"tifffile refuses it: {refusal}")
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
