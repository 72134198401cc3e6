# SPDX-License-Identifier: Apache-2.0
"""sep.extract (SExtractor's) on the same significance: its islands are Tessera's, pixel by pixel, if it neither
filters, nor deblends, nor cleans."""
import numpy as np
from judging import Case, package_version
from source_inputs import BEAM, field, real, table

PACKAGES = {"pypi": ["sep>=1.4,<2"]}
TOOL = "sep"
COMPARED = "sources: islands, their pixels, sums, centroids and second moments, highest pixels"
NOT_JUDGED = ["deblending: sep compares branches of a tree of 32 levels with the flux of the whole, Tessera maxima "
              "with their saddles"]
SEED, GROW = 5, 4


def version() -> str:
    return package_version("sep")


def in_order(columns: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    order = np.lexsort((columns["x_max"], columns["y_max"]))
    return {name: np.asarray(value, "i8" if name in ("pixels", "x_max", "y_max") else "f8")[order]
            for name, value in columns.items()}


def case(name: str, make, rms: float = 1) -> Case:
    def theirs(_):
        import sep
        image = make()
        objects = sep.extract(image.astype("f8"), GROW * rms, minarea=1, filter_kernel=None, deblend_cont=1,
                              clean=False, mask=~np.isfinite(image))
        objects = objects[objects["peak"] >= SEED * rms]
        # Roots of eigenvalues; a line or a pixel has a width of 1/12 added, Tessera adds nothing.
        wide = objects["flag"] & 0x08 == 0
        return in_order({"pixels": objects["npix"], "sum": objects["flux"], "x_max": objects["xpeak"],
                         "y_max": objects["ypeak"], "top": objects["peak"],
                         "moments": np.where(wide & (objects["b"] > 0.3), objects["a"] * objects["b"], 0)})

    def ours(folder):
        found = table(folder, make(), "--background", 0, "--rms", rms, "--seed", SEED, "--grow", GROW, "--rise", 1e9)
        return in_order({"pixels": found["pixels"], "sum": found["sum"], "x_max": found["x_max"],
                         "y_max": found["y_max"], "top": found["top"],
                         "moments": np.where(found["b"] > 0.3, found["a"] * found["b"], 0)})

    # sep keeps sums in float, and subtracts coordinates of up to 256 squared in its moments.
    relative = lambda theirs: 2e-6 * float(np.abs(theirs).max())
    return Case(name, theirs, ours, {"pixels": 0, "x_max": 0, "y_max": 0, "sum": relative, "top": relative,
                                     "moments": 1e-4 * BEAM**2})


def cases() -> list[Case]:
    return [case("white noise", lambda: field(31, 60, 0, 32)),
            case("noise smoothed by the beam", lambda: field(32, 60, BEAM, 32)),
            case("crowded", lambda: field(33, 250, 0)),
            case("Parkes image, some pixels blank", real, 0.02)]
