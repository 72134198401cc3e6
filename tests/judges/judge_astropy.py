# SPDX-License-Identifier: Apache-2.0
"""astropy on the FITS files that convert and noise write: types, scaled integers, compressed tiles, headers."""
import warnings

import numpy as np
from image_inputs import grey, scene
from judging import Case, package_version, tessera
from noise_inputs import REAL

PACKAGES = {"pypi": ["astropy"]}
TOOL = "astropy"
COMPARED = "convert, noise: FITS files of four types, Rice, world coordinates"


def version() -> str:
    return package_version("astropy")


def case(dtype: str, compression: str) -> Case:
    image = scene(dtype, 41, 20, 24) if dtype.startswith("u") else grey(dtype, 42)

    def write(folder):
        np.save(folder / "in.npy", image)
        tessera("convert", folder / "in.npy", folder / "out.fits", "--compression", compression, "--quiet")
        return folder / "out.fits"

    def theirs(folder):
        from astropy.io import fits
        with fits.open(write(folder)) as hdus:
            hdus.verify("exception")
            return {"pixels": next(hdu.data for hdu in hdus if hdu.data is not None).astype(dtype)}

    def ours(folder):
        tessera("convert", write(folder), folder / "back.npy", "--quiet")
        return {"pixels": np.load(folder / "back.npy")}

    return Case(f"{dtype}, {compression}", theirs, ours)


def sky_case() -> Case:
    """Places in the sky by the header that noise keeps, against those of the image it was made from."""
    def places(path):
        from astropy.io import fits
        from astropy.wcs import WCS
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            system = WCS(fits.getheader(path)).celestial
            return {"degrees": np.stack(system.all_pix2world([0, 50, 95, 20], [0, 10, 71, 60], 0), 1)}

    def ours(folder):
        tessera("noise", REAL, "-o", folder / "n", "--box", 16, "--only", "rms", "--quiet")
        return places(folder / "n_rms.fits")

    return Case("world coordinates of a Parkes image", lambda _: places(REAL), ours, 1e-9)


def cases() -> list[Case]:
    types = [case(dtype, "none") for dtype in ("uint8", "uint16", "float32", "float64")]
    return [*types, case("uint8", "rice"), case("uint16", "rice"), sky_case()]
