# SPDX-License-Identifier: Apache-2.0
"""Aegean on the same image and maps: the same sources, at the same places, with fluxes that agree within their errors.
Both fit Gaussians; Aegean uses the pixels of the island alone, weighted by their correlation."""
import subprocess
import sys

import numpy as np
from judging import Case, package_version
from source_inputs import BEAM, field, table

PACKAGES = {"pypi": ["astropy", "scipy", "tqdm", "configargparse", "lmfit", "healpy"],
            "pypi-alone": ["AegeanTools>=2.3,<3"]}
TOOL = "Aegean"
COMPARED = "sources: places, peaks and fluxes of sources above 7 sigma"
NOT_JUDGED = ["islands that Aegean splits by the curvature of the image where there is no saddle: Tessera flags them "
              "blend or poor-fit",
              "faint or wide sources in white noise, of which few pixels are in the island: Aegean's fits leave it"]
RUN = """
import logging, sys
import numpy as np
from AegeanTools.source_finder import SourceFinder
logging.disable(logging.CRITICAL)
image, background, rms, out = sys.argv[1:]
found = SourceFinder(log=logging.getLogger("x")).find_sources_in_image(
    image, bkgin=background, rmsin=rms, innerclip=5, outerclip=4, cores=1)
np.save(out, [[s.ra, s.dec, s.peak_flux, s.int_flux, s.local_rms] for s in found])
"""
STEP, RMS = 32, 1.0


def version() -> str:
    return f"{package_version('AegeanTools')} of AegeanTools"


def header(image: np.ndarray):
    from astropy.io import fits
    cards = {"CTYPE1": "RA---SIN", "CTYPE2": "DEC--SIN", "CRVAL1": 80.0, "CRVAL2": 20.0, "CRPIX1": 128.0,
             "CRPIX2": 128.0, "CDELT1": -1 / 3600, "CDELT2": 1 / 3600, "BMAJ": BEAM / 3600, "BMIN": BEAM / 3600,
             "BPA": 0.0, "BUNIT": "Jy/beam", "CUNIT1": "deg", "CUNIT2": "deg"}
    made = fits.Header()
    for name, value in cards.items():
        made[name] = value
    return made


def files(folder, image: np.ndarray):
    from astropy.io import fits
    cards = header(image)
    fits.writeto(folder / "in.fits", image, cards, overwrite=True)
    fits.writeto(folder / "bkg.fits", np.zeros_like(image), cards, overwrite=True)
    fits.writeto(folder / "rms.fits", np.full_like(image, RMS), cards, overwrite=True)
    return folder / "in.fits", folder / "bkg.fits", folder / "rms.fits"


def per_place(ra, dec, peak, flux):
    """The brightest source of every square of the grid that they lie on; places in pixels. In white noise Aegean takes
    some bright pixels at the rim of wide sources for more of them."""
    from astropy.wcs import WCS
    x, y = WCS(header(np.zeros((256, 256)))).all_world2pix(ra, dec, 0)
    order = np.lexsort((-peak, x // STEP, y // STEP))
    squares = np.c_[y // STEP, x // STEP][order]
    kept = order[np.r_[True, np.any(np.diff(squares, axis=0) != 0, axis=1)]]
    return {"x": x[kept], "y": y[kept], "peak": np.log(peak[kept]), "flux": np.log(flux[kept])}


def grid_case(name: str, width: float, extended: bool, least: float) -> Case:
    image = field(35, 60, width, STEP, 400, extended, least)

    def theirs(folder):
        subprocess.run([sys.executable, "-c", RUN, *files(folder, image), folder / "out.npy"], check=True, timeout=300,
                       capture_output=True)
        ra, dec, peak, flux, _ = np.load(folder / "out.npy").T
        return per_place(ra, dec, peak, flux)

    def ours(folder):
        path, background, rms = files(folder, image)
        found = table(folder, path, "--background", background, "--rms", rms)
        return per_place(found["ra"], found["dec"], found["peak"], found["flux"])

    # An estimate from the island's few pixels differs from one of all by about the larger error: for the faintest
    # source 1 / least of the peak, and 0.7 / least of the beam. Three of them; five for fluxes.
    place = 3 * 0.7 * BEAM / least
    return Case(name, theirs, ours, {"x": place, "y": place, "peak": 3 / least, "flux": 5 / least})


def cases() -> list[Case]:
    return [grid_case("white noise, bright points", 0, False, 30),
            grid_case("noise smoothed by the beam, some sources wider", BEAM, True, 9)]
