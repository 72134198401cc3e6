# SPDX-License-Identifier: Apache-2.0
"""wsclean on Measurement Sets of `sample voltages` with two sources: what CLEAN finds, and what wsclean predicts of the
two true sources, against the data."""
import json
from pathlib import Path

import numpy as np
from judging import Arrays, Case, program_version, tessera
from measurement_sets import run
from uvfits_inputs import contents, convert, written_set
from voltage_inputs import LIGHT

PACKAGES = {"debian": ["casacore-dev", "python3-casacore", "wsclean"]}
TOOL = "wsclean"
COMPARED = "xengine: Measurement Sets of two sources: fluxes and places by CLEAN, predicted data; 8 and 300 antennas"
FLUXES, NOISE, FIRST, WIDTH = (10.0, 6.0), 10.0, 150e6, 1e5
# Columns and rows of the sources in the image of the prediction, from its middle: east is to the left.
PIXELS, SCALE, SIDE = np.array([[-128, 77], [92, -103]]), 4e-4, 512  # radians per pixel
CLEANED_SCALE, CLEANED_SIDE = 3.7e-4, 640  # the sources lie off the middles of these pixels
BEAM = LIGHT / FIRST / 1000  # of 1 km, the longest baseline that `sample voltages` may have
# The sky of `sample voltages` has mean places of date: aberration and nutation are not in it. Measured: its places are
# 1.0e-4 (l) and 1.3e-4 (m) of their distance nearer than their ICRS; aberration alone can be 1e-4.
ABERRATION = 1.4e-4
EACH = 8  # channels averaged of predicted visibilities
READ = """
import sys
import numpy as np
from casacore.tables import table
main = table(sys.argv[1], ack=False)
pairs = np.stack([main.getcol("ANTENNA1"), main.getcol("ANTENNA2")], 1)
np.savez(sys.argv[2], data=main.getcol("MODEL_DATA")[..., 0], antennas=pairs)
"""


def version() -> str:
    return program_version("wsclean")


def recorded(folder: Path, antennas: int, channels: int, samples: int) -> tuple[Path, np.ndarray, dict]:
    """The UVFITS of a recording, the direction cosines of its sources in ICRS from its phase centre, and its truth."""
    wanted = PIXELS * SCALE * [-1, 1]
    found, _ = sampled(folder, wanted, 2, 1, 1)
    # Places are given by the equator of date: a first recording says how that is turned.
    found, truth = sampled(folder, wanted @ np.linalg.solve(found, wanted), antennas, channels, samples)
    (folder / "a_antennas.txt").rename(folder / "antennas.txt")
    return convert(folder, folder / "a.raw"), found, truth


def sampled(folder: Path, places: np.ndarray, antennas: int, channels: int, samples: int) -> tuple[np.ndarray, dict]:
    lines = [f"lm {x!r} {y!r} {flux}\n" for (x, y), flux in zip(places.tolist(), FLUXES, strict=True)]
    (folder / "sky.txt").write_text("".join(lines))
    tessera("sample", "voltages", folder / "a.raw", "--antennas", antennas, "--polarisations", 1,
            "--channels", channels, "--samples", samples, "--sky", folder / "sky.txt", "--noise", NOISE,
            "--frequency", FIRST, "--channel-width", WIDTH, "--tracked", "--seed", 1, "--force", "--quiet")
    truth = json.loads((folder / "a_truth.json").read_text())
    return cosines(truth["sources"], truth), truth


def cosines(places: list[dict], truth: dict) -> np.ndarray:
    keys = ("right_ascension_icrs", "declination_icrs")
    ra, dec = np.deg2rad([[place[key] for place in places] for key in keys])
    ra0, dec0 = np.deg2rad([truth[key] for key in keys])
    return np.stack([np.cos(dec) * np.sin(ra - ra0),
                     np.sin(dec) * np.cos(dec0) - np.cos(dec) * np.sin(dec0) * np.cos(ra - ra0)], 1)


def cleaned(folder: Path, made: Path, found: np.ndarray) -> Arrays:
    """The sums and middles of the components near the sources. The beam of a snapshot with 28 baselines has sidelobes
    of 0.8 of its peak, with which CLEAN without a mask can stop early or diverge."""
    from astropy.io import fits
    grid = ("-quiet", "-weight", "natural", "-pol", "xx", "-size", CLEANED_SIDE, CLEANED_SIDE, "-scale",
            f"{np.rad2deg(CLEANED_SCALE):.15g}deg", "-use-wgridder", "-no-small-inversion", "-name", folder / "c")
    run("wsclean", *grid, "-niter", 0, made)
    image, places = image_of(folder / "c-dirty.fits", CLEANED_SCALE)
    near = [np.hypot(*(places - place).T) < BEAM for place in found]
    with fits.open(folder / "c-dirty.fits") as hdus:
        hdus[0].data = np.any(near, 0).reshape(hdus[0].data.shape).astype("f4")
        hdus.writeto(folder / "mask.fits")
    run("wsclean", *grid, "-fits-mask", folder / "mask.fits", "-niter", 100_000, "-nmiter", 60, "-mgain", 0.5, "-gain",
        0.05, "-threshold", image.max() * 1e-4, made)
    model, _ = image_of(folder / "c-model.fits", CLEANED_SCALE)
    return {"fluxes": np.array([model[part].sum() for part in near]),
            "places": np.array([model[part] @ places[part] / model[part].sum() for part in near])}


def image_of(path: Path, scale: float) -> tuple[np.ndarray, np.ndarray]:
    """Pixels and their direction cosines, in one row."""
    from astropy.io import fits
    image = np.squeeze(fits.getdata(path)).astype(float)
    rows, columns = np.indices(image.shape) - np.array(image.shape).reshape(2, 1, 1) // 2
    return image.reshape(-1), np.stack([-columns, rows], -1).reshape(-1, 2) * scale


def predicted(folder: Path, made: Path, truth: dict) -> np.ndarray:
    """wsclean's visibilities of the true sources."""
    from astropy.io import fits
    grid = ("-quiet", "-pol", "xx", "-name", folder / "p")
    run("wsclean", *grid, "-niter", 0, "-size", SIDE, SIDE, "-scale", f"{np.rad2deg(SCALE):.15g}deg", made)
    with fits.open(folder / "p-image.fits") as hdus:
        hdus[0].data[:] = 0
        for (column, row), flux in zip(PIXELS, FLUXES, strict=True):
            hdus[0].data[..., SIDE // 2 + row, SIDE // 2 + column] = flux * truth["scale"]**2
        hdus.writeto(folder / "p-model.fits")
    run("wsclean", *grid, "-predict", "-use-wgridder", "-no-small-inversion", made)
    run("/usr/bin/python3", "-c", READ, made, folder / "found.npz")
    with np.load(folder / "found.npz") as found:
        return crossed(found["data"], found["antennas"])


def crossed(data: np.ndarray, antennas: np.ndarray) -> np.ndarray:
    cross = data[antennas[:, 0] != antennas[:, 1]]
    return cross.reshape(len(cross), -1, EACH).mean(-1).astype("c8")


def fitted(found: Arrays, places: np.ndarray) -> np.ndarray:
    """Fluxes by least squares: V = sum of S exp(2 pi i (u l + v m + w (n - 1)))."""
    cross = found["antennas"][:, 0] != found["antennas"][:, 1]
    uvw = (found["uvw"][cross][:, None] * found["frequency"][:, None] / LIGHT).reshape(-1, 3)
    depth = np.sqrt(1 - (places**2).sum(1)) - 1
    waves, data = np.exp(2j * np.pi * uvw @ np.column_stack([places, depth]).T), found["data"][cross].reshape(-1)
    return np.linalg.solve((waves.conj().T @ waves).real, (waves.conj().T @ data).real)


def case(antennas: int, channels: int, samples: int, predicts: bool) -> Case:
    def theirs(folder):
        made, places, truth = recorded(folder, antennas, channels, samples)
        own = written_set(made)
        answer = cleaned(folder, own, places)
        answer["fluxes of the fit"] = answer["fluxes"]
        return answer | ({"visibilities": predicted(folder, own, truth)} if predicts else {})

    def ours(folder):
        made, places, truth = recorded(folder, antennas, channels, samples)
        found = contents(made)
        answer = {"fluxes": np.array(FLUXES) * truth["scale"]**2, "places": places,
                  "fluxes of the fit": fitted(found, places)}
        return answer | ({"visibilities": crossed(found["data"][..., 0], found["antennas"])} if predicts else {})

    def fainter(share):
        return lambda theirs: share * theirs.min()

    def noise(theirs):
        """4.5 standard deviations of a mean of noise, which one of 224 exceeds in one of three million runs; and the
        phases of places that are ABERRATION of their distance off."""
        unit = np.abs(theirs).max() / sum(FLUXES)  # at least one mean has both sources in phase
        distance = np.hypot(*PIXELS.T) * SCALE @ FLUXES
        return unit * (4.5 * (sum(FLUXES) + NOISE) / np.sqrt(samples * EACH) + 2 * np.pi * ABERRATION * distance / BEAM)

    # A source of noise is known to 0.1% in 10^6 samples.
    bounds = {"fluxes": fainter(1e-2), "fluxes of the fit": fainter(1e-2), "places": BEAM / 10, "visibilities": noise}
    return Case(f"{antennas} antennas", theirs, ours, bounds)


def cases() -> list[Case]:
    return [case(8, 64, 16384, True), case(300, 4, 32768, False)]
