# SPDX-License-Identifier: Apache-2.0
"""racs-tools on channels convolved to another beam: pixels, the scale of their flux, blank pixels."""
import sys
import types
from unittest.mock import MagicMock

import numpy as np
from beam_inputs import BEAM_LISTS, PIXEL, header_of, our_channels, sky
from judging import Case, of_peak, package_version, tessera

PACKAGES = {"pypi": ["numpy", "scipy", "astropy", "radio-beam>=0.3,<0.4", "numba", "tqdm"],
            "pypi-alone": ["racs-tools>=4.2,<5"]}
TOOL = "racs-tools"
COMPARED = "beam: channels convolved to a common and to a given beam, in Jy/beam, also with blank pixels; beam logs"
NOT_JUDGED = [
    "pixels near the edge of the image: racs-tools takes the sky for periodic, Tessera takes it for 0 outside",
    "blank pixels themselves: racs-tools gives values to those at the edge of a blank region, Tessera to none",
]
TARGET = (20, 18, 50)


def numba_or_python() -> str:
    """racs-tools compiles one loop with numba: without it Python runs the same loop."""
    try:
        import numba  # noqa: F401
        return ""
    except ImportError:
        stand_in = types.ModuleType("numba")
        stand_in.njit = lambda *args, **_: args[0] if args and callable(args[0]) else lambda function: function
        sys.modules["numba"] = stand_in
        return ", without numba"


def version() -> str:
    return package_version("racs-tools") + numba_or_python()


def their_channel(image, beam, to) -> np.ndarray:
    """In double, so that their rounding does not count."""
    numba_or_python()
    from astropy import units
    from racs_tools.convolve_uv import smooth
    from radio_beam import Beam
    old, new = (Beam(b[0] * units.arcsec, b[1] * units.arcsec, b[2] * units.deg) for b in (beam, to))
    pixel = PIXEL * units.arcsec
    return smooth(image.astype("f8"), old, new, pixel, pixel, conv_mode="robust")


def parts_of(pixels: np.ndarray) -> dict[str, np.ndarray]:
    """Some pixels among the sources, and the sum of all: answers are recorded, and must be small."""
    return {"pixels": pixels[:, 27:75:11, 27:75:11].astype("f4"), "sums": np.nansum(pixels, (1, 2), dtype=float)}


def case(name: str, to, blanks: bool) -> Case:
    beams = BEAM_LISTS[name][1:4]
    images = [sky(beam, 60 + k) for k, beam in enumerate(beams)]
    holes = np.zeros(images[0].shape, bool)
    if blanks:
        holes[37:40, 30:50] = True
        for image in images:
            image[holes] = np.nan

    def theirs(_):
        made = np.stack([their_channel(image, beam, to) for image, beam in zip(images, beams, strict=True)])
        made[:, holes] = np.nan
        return parts_of(made)

    def ours(folder):
        pixels, _ = our_channels(folder, beams, images, ",".join(map(str, to)))
        return parts_of(pixels)

    # Weights below 1e-6 of the sum are left out, and thin filters are right to 3e-5 below 0.35 cycles per pixel, where
    # sources with four pixels per beam have little: 1e-5 of the peak.
    return Case(f"{name}{', with blank pixels' if blanks else ''} to {to}", theirs, ours, of_peak(1e-5))


def log_case() -> Case:
    """A cube whose beams stand in a log next to it."""
    beams = BEAM_LISTS["five"][1:4]
    cube = np.stack([sky(beam, 60 + k) for k, beam in enumerate(beams)])

    def write(folder):
        from astropy.io import fits
        header = header_of(beams[0])
        for key in ("BMAJ", "BMIN", "BPA"):
            del header[key]
        header["CTYPE3"], header["CRVAL3"], header["CDELT3"], header["CUNIT3"] = "FREQ", 1e9, 1e6, "Hz"
        header["CRPIX3"] = 1.0
        fits.writeto(folder / "cube.fits", cube, header)
        lines = [f"{k} {major} {minor} {angle}\n" for k, (major, minor, angle) in enumerate(beams)]
        (folder / "beamlog.cube.txt").write_text("#Channel BMAJ[arcsec] BMIN[arcsec] BPA[deg]\n" + "".join(lines))
        return folder / "cube.fits"

    def theirs(folder):
        numba_or_python()
        # The module of cubes imports it for what is not called here.
        sys.modules.setdefault("spectral_cube", MagicMock())
        sys.modules.setdefault("spectral_cube.utils", MagicMock(SpectralCubeWarning=Warning))
        from astropy.io import fits
        from racs_tools.beamcon_3D import get_beams
        path = write(folder)
        log = get_beams(path, fits.getheader(path))[0]
        read = [(log["BMAJ"].quantity[k].to_value("arcsec"), log["BMIN"].quantity[k].to_value("arcsec"),
                 log["BPA"].quantity[k].to_value("deg")) for k in range(len(log))]
        return parts_of(np.stack([their_channel(image, beam, TARGET) for image, beam in zip(cube, read, strict=True)]))

    def ours(folder):
        from astropy.io import fits
        tessera("beam", write(folder), "-o", folder / "out.fits", "--to", ",".join(map(str, TARGET)), "--beams",
                "own", "--quiet")
        return parts_of(fits.getdata(folder / "out.fits").astype("f4"))

    return Case("a cube with a beam log", theirs, ours, of_peak(1e-5))


def cases() -> list[Case]:
    # 15.3 x 14.9: barely wider than some of the beams, so that filters are thin.
    return [case("five", TARGET, False), case("five", (15.3, 14.9, 20), False), case("thirty", TARGET, False),
            case("five", TARGET, True), log_case()]
