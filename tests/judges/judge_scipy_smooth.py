# SPDX-License-Identifier: Apache-2.0
"""SciPy on the step smooth of enhance: sums of whole weights over pixels inside the image, exact."""
import numpy as np
from image_inputs import grey
from judging import Case, filtered, package_version

PACKAGES = {"pypi": ["scipy"]}
TOOL = "SciPy"
COMPARED = "enhance: smooth by ndimage.correlate of integers"
TRIANGLE, BINOMIAL = [1, 2, 3, 2, 1], [1, 4, 6, 4, 1]
FILTERS = {"triangle:5": np.outer(TRIANGLE, TRIANGLE), "binomial:5": np.outer(BINOMIAL, BINOMIAL),
           "ones:3x4": np.ones((4, 3), int)}


def version() -> str:
    return package_version("scipy")


def case(dtype: str, name: str) -> Case:
    image, taps = grey(dtype, 23), FILTERS[name]

    def theirs(_):
        from scipy import ndimage
        total = ndimage.correlate(image.astype(np.int64), taps, mode="constant")
        inside = ndimage.correlate(np.ones(image.shape, np.int64), taps, mode="constant")
        return {"result": ((total + inside // 2) // inside).astype(dtype)}

    def ours(folder):
        return {"result": filtered(folder, image, "enhance", None, "--steps", "smooth", "--smooth", name)}

    return Case(f"{name}, {dtype}", theirs, ours)


def cases() -> list[Case]:
    return [case(dtype, name) for dtype in ("uint8", "uint16") for name in FILTERS]
