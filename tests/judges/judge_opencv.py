# SPDX-License-Identifier: Apache-2.0
"""OpenCV on filters, morphology, the median, equalisation and grey."""
import numpy as np
from image_inputs import OPENCV_BORDERS, element, grey, scene, weights
from judging import Case, filtered, package_version, tessera

PACKAGES = {"pypi": ["opencv-python-headless>=4.8,<5"]}
TOOL = "OpenCV"
COMPARED = "filter2D, erode, dilate, open, close, medianBlur, equalizeHist, grey"
NOT_JUDGED = ["CLAHE: OpenCV clips and interpolates by another definition; scikit-image judges it"]


def version() -> str:
    return package_version("opencv-python-headless")


def filter_case(dtype: str, border: str, divisor: int) -> Case:
    """Weights of 1/16 give sums that end in a half: both round these to even, and saturate."""
    image, taps = grey(dtype, 11), weights(5, 4, seed=12, divisor=divisor)

    def theirs(_):
        import cv2
        rule = getattr(cv2, OPENCV_BORDERS[border])
        return {"result": cv2.filter2D(image, -1, taps.astype(np.float32), borderType=rule)}

    def ours(folder):
        return {"result": filtered(folder, image, "convolve", taps, "--border", border)}

    bound = 0.0
    if image.dtype.kind == "f":  # both sum in float: twice the bound of docs/accuracy.md
        bound = 4 * taps.size * np.finfo(dtype).eps * abs(taps).sum() * float(abs(image).max())
    return Case(f"filter2D, {dtype}, {border}, weights of 1/{divisor}", theirs, ours, bound)


def morphology_case(kind: str, dtype: str) -> Case:
    """Pixels outside do not count. OpenCV dilates with the element as it is: --flip."""
    image, pixels = grey(dtype, 13), element(4, 5, seed=14)

    def theirs(_):
        import cv2
        return {"result": getattr(cv2, kind)(image, pixels)}

    def ours(folder):
        return {"result": filtered(folder, image, kind, pixels, *(["--flip"] if kind == "dilate" else []))}

    return Case(f"{kind}, {dtype}", theirs, ours)


def both_case(kind: str) -> Case:
    image = grey("uint8", 15)

    def theirs(_):
        import cv2
        operation = {"open": cv2.MORPH_OPEN, "close": cv2.MORPH_CLOSE}[kind]
        return {"result": cv2.morphologyEx(image, operation, np.ones((3, 5), np.uint8))}

    def ours(folder):
        first, second = ("erode", "dilate") if kind == "open" else ("dilate", "erode")
        return {"result": filtered(folder, filtered(folder, image, first, "box:5x3"), second, "box:5x3")}

    return Case(kind, theirs, ours)


def median_case() -> Case:
    image = grey("uint8", 16)

    def theirs(_):
        import cv2
        return {"q50": cv2.medianBlur(image, 5)}

    def ours(folder):
        np.save(folder / "in.npy", image)
        tessera("noise", folder / "in.npy", "-o", folder / "out", "--box", 5, "--border", "replicate",
                "--quantiles", "0.5", "--quiet")
        return {"q50": np.load(folder / "out_q50.npy")}

    return Case("medianBlur", theirs, ours)


def enhance_cases() -> list[Case]:
    """Within one level: OpenCV scales curves in float, and its weights of grey have fewer bits."""
    dark, photo = scene("uint8", 17, 40, 50), scene("uint8", 18, 24, 30, channels=3)

    def theirs_equalised(_):
        import cv2
        return {"result": cv2.equalizeHist(dark)}

    def theirs_grey(_):
        import cv2
        return {"result": cv2.cvtColor(photo, cv2.COLOR_RGB2GRAY)}

    def ours_equalised(folder):
        return {"result": filtered(folder, dark, "enhance", None, "--steps", "equalise")}

    def ours_grey(folder):
        return {"result": np.squeeze(filtered(folder, photo, "enhance", None, "--steps", "grey", "--grey", "bt601"))}

    return [Case("equalizeHist", theirs_equalised, ours_equalised, 1), Case("grey", theirs_grey, ours_grey, 1)]


def cases() -> list[Case]:
    filters = [filter_case(dtype, border, 1 if dtype == "float32" else 16)
               for dtype in ("uint8", "uint16", "float32") for border in OPENCV_BORDERS]
    morphology = [morphology_case(kind, dtype) for kind in ("erode", "dilate") for dtype in ("uint8", "float32")]
    return [*filters, *morphology, both_case("open"), both_case("close"), median_case(), *enhance_cases()]
