# SPDX-License-Identifier: Apache-2.0
"""wsclean on the UVFITS files and Measurement Sets of xengine: its dirty image of a source, against the direct sum over
the data of the UVFITS and the source's true place and flux."""
import numpy as np
from judging import Case, of_peak, program_version
from measurement_sets import measurement_set, run
from uvfits_inputs import (
    SOURCE,
    contents,
    empty_file,
    gaps_file,
    reversed_file,
    source_file,
    turned_file,
    written_set,
)
from voltage_inputs import LIGHT, source_power

PACKAGES = {"debian": ["casacore-dev", "wsclean"]}
TOOL = "wsclean"
COMPARED = "xengine: the image of a source in UVFITS and Measurement Sets, its place and flux; gaps, 300 antennas"
SIDE, SCALE, EVERY = 64, 1e-3, 8  # pixels, radians per pixel, pixels between those that are kept


def version() -> str:
    return program_version("wsclean")


def axes() -> tuple[np.ndarray, np.ndarray]:
    """Direction cosines of columns and rows of the image: east is to the left."""
    offset = np.arange(SIDE) - SIDE // 2
    return -offset * SCALE, offset * SCALE


def direct_sum(found) -> np.ndarray:
    """The mean over baselines and channels, by their weights, of Re V exp(-2 pi i (u l + v m + w (n - 1))): the file
    has V = E_1 conj(E_2) and u, v, w of r_1 - r_2. Only the pixels that are kept."""
    cross = found["antennas"][:, 0] != found["antennas"][:, 1]
    uvw = (found["uvw"][cross][:, None] * found["frequency"][:, None] / LIGHT).reshape(-1, 3)
    data, weights = (found[name][cross][..., 0].reshape(-1) for name in ("data", "weights"))
    x, y = np.meshgrid(*(axis[::EVERY] for axis in axes()))
    turns = uvw @ np.stack([x, y, np.sqrt(1 - x * x - y * y) - 1]).reshape(3, -1)
    return ((weights * data) @ np.exp(-2j * np.pi * turns)).real.reshape(x.shape) / weights.sum()


def fitted_place(image: np.ndarray) -> np.ndarray:
    """The top of parabolas through the brightest pixel and its neighbours. The beam is symmetric around the source."""
    row, column = np.unravel_index(image.argmax(), image.shape)
    top = []
    for axis, number, line in [(axes()[0], column, image[row]), (axes()[1], row, image[:, column])]:
        before, peak, after = line[number - 1:number + 2]
        top.append(axis[number] + (axis[1] - axis[0]) * (before - after) / (before - 2 * peak + after) / 2)
    return np.array(top)


def case(name: str, make, as_set=measurement_set) -> Case:
    def theirs(folder):
        from astropy.io import fits
        made = as_set(make(folder))
        run("wsclean", "-quiet", "-niter", 0, "-weight", "natural", "-pol", "xx", "-size", SIDE, SIDE, "-scale",
            f"{np.rad2deg(SCALE):.15g}deg", "-use-wgridder", "-no-small-inversion", "-name", folder / "w", made)
        image = np.squeeze(fits.getdata(folder / "w-dirty.fits")).astype(float)
        return {"image": image[::EVERY, ::EVERY].astype("f4"), "place": fitted_place(image),
                "flux": image.max()}

    def ours(folder):
        return {"image": direct_sum(contents(make(folder))).astype("f4"), "place": np.array(SOURCE),
                "flux": source_power()}

    # The accuracy of wsclean's wgridder is 1e-4. The source is in the middle of a pixel, and its power is the same in
    # all samples.
    return Case(name, theirs, ours, {"image": of_peak(1e-4), "flux": of_peak(1e-3), "place": SCALE / 10})


def cases() -> list[Case]:
    return [case("source", source_file), case("8 antennas, a dropped block and a short integration", gaps_file),
            case("300 antennas", lambda folder: source_file(folder, 300, 1)),
            case("8 antennas, turned to the phase centre", turned_file),
            *(case(f"Measurement Set: {name}", make, written_set) for name, make in [
                ("8 antennas, a dropped block and a short integration", gaps_file),
                ("8 antennas, an integration without samples", empty_file),
                ("8 antennas, turned to the phase centre", turned_file),
                ("descending channels", reversed_file),
                ("300 antennas", lambda folder: source_file(folder, 300, 1))])]
