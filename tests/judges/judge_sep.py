# SPDX-License-Identifier: Apache-2.0
"""sep (SExtractor's background) on noise. Meshes, splines and median filters differ by definition; both measure the
background and the noise of a flat field, within the statistical error of a mesh's pixels. The estimate of a single mesh
is the same."""
import numpy as np
from judging import Case, package_version
from noise_inputs import SIGMA, flat, maps

PACKAGES = {"pypi": ["sep>=1.4,<2"]}
TOOL = "sep"
COMPARED = "noise: background and rms of one mesh, medians over a flat field"
NOT_JUDGED = ["maps pixel by pixel: nodes lie elsewhere, and sep filters and interpolates by splines (docs/noise.md)"]
MESH, ROWS, COLUMNS = 64, 512, 640
# The median of the maps is that of about n = ROWS x COLUMNS / MESH^2 independent meshes. The background of one is known
# to 1.25 sigma / MESH (median), its noise to 1.17 sigma / MESH (quartiles; clipping is better), and the median over n
# meshes to 1.25 / sqrt(n) of that. Five times this error for each of the two answers, added in squares.
MESHES = ROWS * COLUMNS / MESH**2
STATISTICAL = 5 * np.sqrt(2) * 1.25 * 1.25 * SIGMA / MESH / np.sqrt(MESHES)


def version() -> str:
    return package_version("sep")


def case(estimator: str, mode: str) -> Case:
    image = flat(27, ROWS, COLUMNS)

    def theirs(_):
        import sep
        mesh = sep.Background(image, bw=MESH, bh=MESH)
        return {"bkg": np.median(mesh.back()), "rms": np.median(mesh.rms())}

    def ours(folder):
        options = ["--grid", MESH] if mode == "grid" else []
        made = maps(folder, image, "--mode", mode, "--box", MESH, "--estimator", estimator, *options)
        return {key: np.median(value) for key, value in made.items()}

    # Values beyond three deviations are clipped: a normal distribution without these has 0.9866 of its deviation. The
    # iterated cut, which clip and mode make, removes less than 2.5%; sep divides nothing by that either.
    clipped = 0.025 * SIGMA
    return Case(f"{estimator}, {mode}", theirs, ours, {"bkg": STATISTICAL, "rms": STATISTICAL + clipped})


def mesh_case(name: str, bright: int) -> Case:
    """An image of one mesh: the box of its pixel in the middle holds all of it."""
    image = flat(28 + bright, MESH, MESH)
    where = np.random.RandomState(29).randint(0, image.size, bright)
    image.flat[where] += np.linspace(8, 200, bright, dtype="f4")

    def theirs(_):
        import sep
        mesh = sep.Background(image, bw=MESH, bh=MESH)
        return {"bkg": np.float64(mesh.globalback), "rms": np.float64(mesh.globalrms)}

    def ours(folder):
        made = maps(folder, image, "--box", MESH, "--estimator", "mode")
        return {key: value[MESH // 2, MESH // 2] for key, value in made.items()}

    # sep takes the median of a histogram of 4096 bins over 10 sigma, and 2.5 of it are in the mode. A value at the
    # limit of three deviations that only one of them clips changes the deviation by 4 sigma / pixels; two of them.
    return Case(name, theirs, ours, {"bkg": 2.5 * 10 * SIGMA / 4096, "rms": 2 * 4 * SIGMA / image.size})


def cases() -> list[Case]:
    return [case("mode", "grid"), case("iqr", "grid"), case("mad", "grid"), case("clip", "grid"), case("iqr", "exact"),
            case("iqr", "binned"), mesh_case("one mesh of noise", 0), mesh_case("one mesh with bright pixels", 60)]
