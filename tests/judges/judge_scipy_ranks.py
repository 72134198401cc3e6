# SPDX-License-Identifier: Apache-2.0
"""SciPy on the quantiles of noise: percentile and median filters. Boxes have an odd number of pixels, so that the
quartiles and the median are values of the box, and both rules take the same one."""
import numpy as np
from image_inputs import SCIPY_BORDERS, grey
from judging import Case, package_version, tessera

PACKAGES = {"pypi": ["scipy"]}
TOOL = "SciPy"
COMPARED = "noise --quantiles: percentile_filter, median_filter"


def version() -> str:
    return package_version("scipy")


def case(dtype: str, border: str, size: int) -> Case:
    image = grey(dtype, 7)

    def theirs(_):
        from scipy import ndimage
        mode = SCIPY_BORDERS[border]
        return {"q25": ndimage.percentile_filter(image, 25, size=size, mode=mode),
                "q50": ndimage.median_filter(image, size=size, mode=mode),
                "q75": ndimage.percentile_filter(image, 75, size=size, mode=mode)}

    def ours(folder):
        np.save(folder / "in.npy", image)
        tessera("noise", folder / "in.npy", "-o", folder / "out", "--box", size, "--border", border,
                "--quantiles", "0.25,0.5,0.75", "--quiet")
        return {name: np.load(folder / f"out_{name}.npy") for name in ("q25", "q50", "q75")}

    return Case(f"{dtype}, {border}, {size}x{size}", theirs, ours)


def cases() -> list[Case]:
    borders = ("reflect", "reflect-101", "replicate")
    return [*(case("uint8", border, 5) for border in borders), case("uint16", "reflect", 3),
            *(case("float32", border, 9) for border in borders)]
