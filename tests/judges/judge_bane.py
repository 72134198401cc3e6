# SPDX-License-Identifier: Apache-2.0
"""BANE on noise --mode grid --estimator clip --two-pass, its definition: the same box and grid."""
import subprocess
import sys

import numpy as np
from judging import Case, package_version
from noise_inputs import REAL, SIGMA, bent, maps

PACKAGES = {"pypi": ["astropy", "scipy", "tqdm", "configargparse"], "pypi-alone": ["AegeanTools>=2.3,<3"]}
TOOL = "BANE"
COMPARED = "noise: filter_image with the same box and grid, blanks, Parkes image"
NOT_JUDGED = ["boxes with few valid pixels: Tessera has no estimate below a quarter of a box, BANE takes what there is",
              "rows and columns near the last ones: BANE's boxes never hold the last row and column (docs/noise.md)"]
STEP, BOX = 16, 48
# BANE's boxes never hold the last row and column of the image, and its last nodes lie one pixel beyond them. The
# background feels that a box and a step away, the noise of what is left as far again.
FAR = 2 * (BOX // 2 + STEP) + 1
EVERY = 5  # of rows and columns are kept

# In its own process: BANE forks, shares memory and waits for its workers.
RUN = """
import logging, sys
import numpy as np
from AegeanTools import BANE
logging.disable(logging.CRITICAL)
step, box = int(sys.argv[3]), int(sys.argv[4])
np.save(sys.argv[2], BANE.filter_image(sys.argv[1], None, step_size=(step, step), box_size=(box, box), cores=1))
"""


def version() -> str:
    return f"{package_version('AegeanTools')} of AegeanTools"


def bane(folder, image, step, box):
    from astropy.io import fits
    path = image
    if isinstance(image, np.ndarray):
        path = folder / "in.fits"
        fits.writeto(path, image)
    subprocess.run([sys.executable, "-c", RUN, path, folder / "out.npy", str(step), str(box)], check=True, timeout=300,
                   capture_output=True)
    return dict(zip(("bkg", "rms"), np.load(folder / "out.npy").astype("f4"), strict=True))


def case(name: str, image, scale: float, step: int, box: int, far: int, every: int) -> Case:
    near = np.s_[:-far:every, :-far:every]

    def theirs(folder):
        return {key: np.squeeze(value)[near] for key, value in bane(folder, image, step, box).items()}

    def ours(folder):
        made = maps(folder, image, "--mode", "grid", "--grid", step, "--box", box, "--estimator", "clip", "--two-pass",
                    "--refine", 0)
        return {key: np.squeeze(value)[near] for key, value in made.items()}

    # Both compute in double; the two means of a map in float round differently.
    return Case(name, theirs, ours, 1e-6 * scale)


def cases() -> list[Case]:
    return [case("sky", bent(25, 232, 248), 5 * SIGMA, STEP, BOX, FAR, EVERY),
            case("sky with blanks", bent(26, 232, 248, blank=True), 5 * SIGMA, STEP, BOX, FAR, EVERY),
            case("Parkes image, some pixels blank", REAL, 1, 8, 24, 2 * (24 // 2 + 8) + 1, 2)]
