# SPDX-License-Identifier: Apache-2.0
"""scikit-image on morphology, CLAHE, contrast and smoothing."""
import numpy as np
from image_inputs import element, grey, scene
from judging import Case, filtered, package_version

PACKAGES = {"pypi": ["scikit-image>=0.23,<1"]}
TOOL = "scikit-image"
COMPARED = "erosion, dilation, opening, closing, equalize_adapthist, contrast"
STEPS = {"erosion": ["erode"], "dilation": ["dilate"], "opening": ["erode", "dilate"], "closing": ["dilate", "erode"]}


def version() -> str:
    return package_version("scikit-image")


def morphology_case(kind: str, dtype: str) -> Case:
    """Pixels outside do not count: mode "ignore". scikit-image dilates with the element as it is (until its version 2,
    gh-6676): --flip. Its closing is then that of the rotated element."""
    image, pixels = grey(dtype, 19), element(5, 3, seed=20)

    def theirs(_):
        from skimage import morphology
        return {"result": getattr(morphology, kind)(image, pixels, mode="ignore")}

    def ours(folder):
        result: np.ndarray = image
        for step in STEPS[kind]:
            result = filtered(folder, result, step, pixels, *(["--flip"] if kind in ("dilation", "closing") else []))
        return {"result": result}

    return Case(f"{kind}, {dtype}", theirs, ours)


def clahe_case(dtype: str, tiles: tuple[int, int], clip: float) -> Case:
    image = scene(dtype, 21, 48, 60)

    def theirs(_):
        from skimage import exposure
        kernel = [max(side // count, 1) for side, count in zip(image.shape, tiles, strict=True)]
        levels = exposure.equalize_adapthist(image, kernel_size=kernel, clip_limit=clip)
        return {"result": np.round(np.iinfo(dtype).max * levels).astype(dtype)}

    def ours(folder):
        return {"result": filtered(folder, image, "enhance", None, "--steps", "clahe", "--tiles",
                                   f"{tiles[1]},{tiles[0]}", "--clip", clip)}

    return Case(f"equalize_adapthist, {dtype}, tiles {tiles[0]}x{tiles[1]}, clip {clip}", theirs, ours, 1)


def contrast_case(dtype: str) -> Case:
    """Within one level: scikit-image cuts off what we round."""
    image = scene(dtype, 22, 40, 50)

    def theirs(_):
        from skimage import exposure
        low, high = np.percentile(image, [2, 98], method="inverted_cdf")
        return {"result": exposure.rescale_intensity(image, in_range=(int(low), int(high)), out_range=dtype)}

    def ours(folder):
        return {"result": filtered(folder, image, "enhance", None, "--steps", "contrast", "--low", 2, "--high", 98)}

    return Case(f"rescale_intensity, {dtype}", theirs, ours, 1)


def cases() -> list[Case]:
    morphology = [morphology_case(kind, dtype) for kind in STEPS for dtype in ("uint8", "float32")]
    clahe = [clahe_case("uint8", (8, 8), 0.01), clahe_case("uint8", (3, 5), 0.05), clahe_case("uint16", (4, 4), 0.02)]
    return [*morphology, *clahe, contrast_case("uint8"), contrast_case("uint16")]
