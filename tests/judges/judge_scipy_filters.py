# SPDX-License-Identifier: Apache-2.0
"""SciPy on convolve: five borders, odd and even filters, all types; and filters turned by 180 degrees."""
import numpy as np
from image_inputs import SCIPY_BORDERS, grey, weights
from judging import Case, filtered, package_version

PACKAGES = {"pypi": ["scipy"]}
TOOL = "SciPy"
COMPARED = "convolve: ndimage.correlate and convolve, signal.correlate2d"
CONSTANT = 7


def version() -> str:
    return package_version("scipy")


def case(dtype: str, border: str, shape: tuple[int, int], flip: bool) -> Case:
    image, taps = grey(dtype, 1), weights(*shape, seed=2)

    def theirs(_):
        from scipy import ndimage
        function = ndimage.convolve if flip else ndimage.correlate
        result = function(image.astype(np.float64), taps, mode=SCIPY_BORDERS[border], cval=CONSTANT)
        return {"result": result if dtype == "float64" else result.astype(np.float32)}

    def ours(folder):
        options = ["--border", border, "--constant", CONSTANT, "--output-type", "f64" if dtype == "float64" else "f32"]
        return {"result": filtered(folder, image, "convolve", taps, *options, *(["--flip"] if flip else []))}

    # Whole numbers are exact. Floats: 2 n eps S M of docs/accuracy.md, and the half unit of rounding theirs to f32.
    epsilon = np.finfo(dtype).eps if image.dtype.kind == "f" else 0
    largest = max(float(abs(image).max()), CONSTANT if border == "constant" else 0)
    bound = (2 * taps.size + 0.5) * epsilon * abs(taps).sum() * largest
    turned = "turned, " if flip else ""
    return Case(f"{dtype}, {border}, {turned}{shape[0]}x{shape[1]}", theirs, ours, bound)


def valid_case() -> Case:
    image, taps = grey("uint16", 3), weights(5, 4, seed=4)

    def theirs(_):
        from scipy import signal
        return {"result": signal.correlate2d(image.astype(np.float64), taps, mode="valid")}

    def ours(folder):
        return {"result": filtered(folder, image, "convolve", taps, "--border", "valid", "--output-type", "f64")}

    return Case("uint16, valid, 5x4", theirs, ours)


def cases() -> list[Case]:
    borders = [case(dtype, border, (5, 3), False) for dtype in ("uint8", "float32") for border in SCIPY_BORDERS]
    # SciPy's centre of an even filter is size // 2, as ours.
    even = [case(dtype, border, (4, 6), False) for dtype in ("uint16", "float64") for border in ("reflect", "wrap")]
    turned = [case("uint16", "reflect-101", (3, 5), True), case("float64", "constant", (5, 5), True)]
    return [*borders, *even, *turned, valid_case()]
