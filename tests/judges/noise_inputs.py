# SPDX-License-Identifier: Apache-2.0
"""Skies for the judges of noise, and Tessera's maps of them."""
from pathlib import Path

import numpy as np
from judging import ROOT, Arrays, tessera

SIGMA = 2.0
REAL = ROOT / "tests" / "data" / "aegean" / "1904-66_cut.fits"  # of Aegean, see ORIGIN.md there


def flat(seed: int, rows: int, columns: int) -> np.ndarray:
    """Normal noise of SIGMA around 10, nothing else."""
    return np.random.RandomState(seed).normal(10, SIGMA, (rows, columns)).astype("f4")


def bent(seed: int, rows: int, columns: int, blank: bool = False) -> np.ndarray:
    """A background that bends, and bright pixels that clipping removes."""
    random = np.random.RandomState(seed)
    y, x = np.mgrid[:rows, :columns]
    image = random.normal(10, SIGMA, (rows, columns)) + 4 * np.sin(y / 90) + x / 80
    image.flat[random.randint(0, image.size, image.size // 300)] += random.uniform(20, 400, image.size // 300)
    if blank:
        image[40:52, 90:130] = np.nan
        image.flat[::97] = np.nan
    return image.astype("f4")


def maps(folder: Path, image: np.ndarray | Path, *options: object) -> Arrays:
    from astropy.io import fits
    path = image
    if isinstance(image, np.ndarray):
        path = folder / "in.fits"
        fits.writeto(path, image)
    tessera("noise", path, "-o", folder / "out", "--only", "bkg,rms", "--quiet", *options)
    return {name: fits.getdata(folder / f"out_{name}.fits") for name in ("bkg", "rms")}
