# SPDX-License-Identifier: Apache-2.0
"""racs-tools on channels convolved to another beam: pixels, the scale of their flux, blank pixels."""
import sys
import types

import numpy as np
from beam_inputs import BEAM_LISTS, PIXEL, our_channels, sky
from judging import Case, of_peak, package_version

PACKAGES = {"pypi": ["numpy", "scipy", "astropy", "radio-beam>=0.3,<0.4", "numba", "tqdm"],
            "pypi-alone": ["racs-tools>=4.2,<5"]}
TOOL = "racs-tools"
COMPARED = "beam: channels convolved to a common and to a given beam, in Jy/beam, also with blank pixels"
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


def cases() -> list[Case]:
    # 15.3 x 14.9: barely wider than some of the beams, so that filters are thin.
    return [case("five", TARGET, False), case("five", (15.3, 14.9, 20), False), case("thirty", TARGET, False),
            case("five", TARGET, True)]
