# SPDX-License-Identifier: Apache-2.0
"""docs/coming-from.md: every row of its tables is run, both sides on the same image.

A new row needs one line in the page and one case in CASES.
"""
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from expected import random_image
from scipy import ndimage
from skimage import color, exposure, feature, filters, morphology

import tessera

cv2 = pytest.importorskip("cv2")
PAGE = Path(__file__).resolve().parents[2] / "docs" / "coming-from.md"
PEERS = "ndimage|filters|morphology|color|feature|exposure|cv2"
ROW = re.compile(rf"^\| `((?:{PEERS})\.\w+\(.*?)` \| `(tessera\.\w+\(.*?)` \|", re.MULTILINE)
ROWS = ROW.findall(PAGE.read_text())
WEIGHTS = np.array([[1, 2, 0], [0, -3, 1], [4, 1, 0.5]])


@dataclass(frozen=True)
class Case:
    """How both sides of a row are compared."""

    dtypes: tuple[str, ...] = ("float64", "float32")  # of the image
    apart: float = 0  # how far results may be from each other; floats: relative to the largest value
    factor: float = 1  # of the peer's result: it may be in 0..1


EXACT = Case(("uint8", "uint16", "float32", "float64"))
SUM = Case(apart=1e-5)
BYTES = Case(("uint8",))
CASES = {
    "ndimage.correlate": SUM, "ndimage.convolve": SUM, "ndimage.correlate1d": SUM,
    "ndimage.gaussian_filter": SUM, "ndimage.gaussian_filter1d": SUM,
    "ndimage.uniform_filter": SUM, "ndimage.uniform_filter1d": SUM,
    "ndimage.sobel": SUM, "ndimage.prewitt": SUM, "ndimage.laplace": SUM,
    "ndimage.gaussian_laplace": SUM, "ndimage.gaussian_gradient_magnitude": SUM,
    "ndimage.median_filter": EXACT, "ndimage.rank_filter": EXACT, "ndimage.percentile_filter": EXACT,
    "ndimage.minimum_filter": EXACT, "ndimage.maximum_filter": EXACT,
    "ndimage.grey_erosion": EXACT, "ndimage.grey_dilation": EXACT, "ndimage.morphological_gradient": EXACT,
    "filters.gaussian": SUM, "filters.sobel": SUM, "filters.scharr": SUM, "filters.prewitt": SUM,
    "filters.laplace": SUM, "filters.difference_of_gaussians": SUM, "filters.unsharp_mask": SUM,
    "filters.median": EXACT, "morphology.erosion": EXACT, "morphology.dilation": EXACT,
    "morphology.opening": EXACT, "morphology.closing": EXACT,
    "morphology.white_tophat": EXACT, "morphology.black_tophat": EXACT,
    "feature.match_template": SUM,
    "color.rgb2gray": Case(("uint8",), apart=1, factor=255),
    "exposure.equalize_adapthist": Case(apart=1e-6), "exposure.rescale_intensity": Case(apart=1e-6),
    "cv2.filter2D": SUM, "cv2.sepFilter2D": SUM,
    "cv2.GaussianBlur": Case(("uint8",), apart=1), "cv2.blur": Case(("uint8",), apart=1),
    "cv2.Sobel": Case(("uint8", "float32"), apart=1e-5), "cv2.Scharr": Case(("uint8", "float32"), apart=1e-5),
    "cv2.Laplacian": Case(("uint8", "float32"), apart=1e-5),
    "cv2.medianBlur": BYTES, "cv2.erode": EXACT, "cv2.dilate": EXACT,
    "cv2.cvtColor": Case(("uint8",), apart=1), "cv2.equalizeHist": Case(("uint8",), apart=1),
}


def name_of(call):
    return call.partition("(")[0]


def run(call, image, colours):
    names = {"a": image, "rgb": colours, "w": WEIGHTS, "np": np, "cv2": cv2, "ndimage": ndimage, "filters": filters,
             "feature": feature, "morphology": morphology, "color": color, "exposure": exposure, "tessera": tessera}
    return np.asarray(eval(call, names))


def test_every_row_has_a_case():
    assert len(ROWS) > 40
    assert {name_of(theirs) for theirs, _ in ROWS} == CASES.keys()
    tables = [line for line in PAGE.read_text().splitlines() if " | `tessera." in line]
    assert len(tables) == len(ROWS), "a row of the page is not read as one"


@pytest.mark.filterwarnings("ignore::tessera.ClippedWarning")
@pytest.mark.parametrize("theirs, ours", ROWS, ids=[name_of(theirs) for theirs, _ in ROWS])
def test_both_sides_agree(rng, theirs, ours):
    case = CASES[name_of(theirs)]
    for dtype in case.dtypes:
        for shape in [(47, 61), (20, 17)]:
            image, colours = random_image(rng, shape, dtype), random_image(rng, (*shape, 3), dtype)
            expected = case.factor * run(theirs, image, colours).astype("float64")
            actual = run(ours, image, colours)
            assert actual.shape == expected.shape
            off = np.abs(actual.astype("float64") - expected).max()
            unit = 1 if actual.dtype.kind in "iu" else np.abs(expected).max()
            assert off <= case.apart * unit, f"{theirs} of {dtype}: {off} apart"


def test_a_row_that_is_wrong_is_found(rng):
    image = random_image(rng, (20, 17), "float64")
    theirs = run("ndimage.gaussian_filter(a, 2)", image, None)
    assert np.abs(theirs - run("tessera.gaussian_filter(a, 2.1)", image, None)).max() > 1e-3


@pytest.mark.parametrize("row", re.findall(r"^\| `(reflect-101|reflect|replicate|constant|wrap)` \| (.*)$",
                                           PAGE.read_text(), re.MULTILINE), ids=lambda row: row[0])
def test_names_of_borders(rng, row):
    name, cells = row
    image = random_image(rng, (9, 8), "float64")
    expected = tessera.convolve(image, "gauss:1", border=name)
    others = [word for cell in cells.split(" | ")[1:] for word in re.findall(r"`([\w-]+)`", cell)]
    assert others
    for other in others:
        for how in ({"border": other}, {"mode": other}):
            assert np.array_equal(tessera.convolve(image, "gauss:1", **how), expected), other
        assert np.array_equal(tessera.erode(image, "disk:2", mode=other), tessera.erode(image, "disk:2", border=name))
    scipy, pad = (re.findall(r"`([\w-]+)`", cell) for cell in cells.split(" | ")[1:3])
    for mode in scipy:
        assert np.allclose(expected, ndimage.gaussian_filter(image, 1, mode=mode))
    for mode in pad:
        padded = np.pad(image, 4, mode=mode)
        assert np.allclose(expected, tessera.convolve(padded, "gauss:1", border="valid"))


def test_what_the_page_says_of_the_peers():
    one = np.ones((1, 1))
    value = np.full((1, 1), 193, "uint8")
    assert ndimage.correlate(value, 0.9 * one)[0, 0] == 173  # 173.7
    assert tessera.convolve(value, 0.9 * one)[0, 0] == 174
    assert ndimage.correlate(np.uint8(one), -one)[0, 0] == 255
    assert tessera.convolve(np.uint8(one), -one)[0, 0] == 0
    assert filters.gaussian(value)[0, 0] == pytest.approx(193 / 255)
