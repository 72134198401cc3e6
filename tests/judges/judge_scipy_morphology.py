# SPDX-License-Identifier: Apache-2.0
"""SciPy on erode and dilate, and on openings and closings made of them: five borders, elements without symmetry."""
import numpy as np
from image_inputs import SCIPY_BORDERS, element, grey
from judging import Case, filtered, package_version

PACKAGES = {"pypi": ["scipy"]}
TOOL = "SciPy"
COMPARED = "grey_erosion, grey_dilation, grey_opening, grey_closing"
CONSTANT = 100
STEPS = {"erosion": ["erode"], "dilation": ["dilate"], "opening": ["erode", "dilate"], "closing": ["dilate", "erode"]}


def version() -> str:
    return package_version("scipy")


def case(kind: str, dtype: str, border: str, shape: tuple[int, int]) -> Case:
    image, pixels = grey(dtype, 5), element(*shape, seed=6)

    def theirs(_):
        from scipy import ndimage
        function = getattr(ndimage, f"grey_{kind}")
        return {"result": function(image, footprint=pixels, mode=SCIPY_BORDERS[border], cval=CONSTANT)}

    def ours(folder):
        result: np.ndarray = image
        for step in STEPS[kind]:
            result = filtered(folder, result, step, pixels, "--border", border, "--constant", CONSTANT)
        return {"result": result}

    return Case(f"{kind}, {dtype}, {border}, {shape[0]}x{shape[1]}", theirs, ours)


def cases() -> list[Case]:
    borders = [case(kind, "uint8", border, (5, 4)) for kind in ("erosion", "dilation") for border in SCIPY_BORDERS]
    types = [case(kind, dtype, "reflect", (3, 7)) for dtype in ("uint16", "float32") for kind in STEPS]
    both = [case(kind, "uint8", border, (5, 5)) for kind in ("opening", "closing") for border in ("reflect", "wrap")]
    return [*borders, *types, *both]
