# SPDX-License-Identifier: Apache-2.0
"""wsclean on raw bands that went through filter bank and X-engine in one run: the place and flux of a source."""
import numpy as np
from band_inputs import SKY, band_file, band_flux
from judging import Case, of_peak, program_version
from measurement_sets import measurement_set, run

PACKAGES = {"debian": ["casacore-dev", "wsclean"]}
TOOL = "wsclean"
COMPARED = "xengine --channelise: the image of a source in a raw band, its place and flux; tracked and turned here"
SIDE, SCALE = 64, 1e-3  # pixels, radians per pixel


def version() -> str:
    return program_version("wsclean")


def case(name: str, *options: object) -> Case:
    """Without the outer channels: the first lies on the edge of the band."""
    first, end = 2, 14

    def theirs(folder):
        from astropy.io import fits
        made = measurement_set(band_file(folder, *options))
        run("wsclean", "-quiet", "-niter", 0, "-weight", "natural", "-pol", "xx", "-size", SIDE, SIDE, "-scale",
            f"{np.rad2deg(SCALE):.15g}deg", "-channel-range", first, end, "-name", folder / "w", made)
        image = np.squeeze(fits.getdata(folder / "w-dirty.fits")).astype(float)
        row, column = np.unravel_index(image.argmax(), image.shape)
        offset = SCALE * (np.arange(SIDE) - SIDE // 2)
        return {"place": np.array([-offset[column], offset[row]]), "flux": np.array(image.max())}

    def ours(folder):
        band_file(folder, *options)
        return {"place": np.array(SKY[:2]), "flux": np.array(band_flux(folder))}

    # A source of noise in 28,000 spectra of 12 channels is known to 0.2%. The beam is 2 pixels wide, and the source in
    # the middle of one.
    return Case(name, theirs, ours, {"place": SCALE / 10, "flux": of_peak(1e-2)})


def cases() -> list[Case]:
    return [case("a raw band, tracked", "--tracked"), case("a raw band, turned to the phase centre"),
            case("a raw band of the lower sideband", "--lower-sideband")]
