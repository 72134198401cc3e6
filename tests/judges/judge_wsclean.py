# SPDX-License-Identifier: Apache-2.0
"""wsclean on the UVFITS files of xengine: its dirty image of a source, against the direct sum over the file's data and
the source's true place and flux."""
import numpy as np
from judging import Case, of_peak, program_version
from measurement_sets import measurement_set, run
from uvfits_inputs import SOURCE, contents, source_file
from voltage_inputs import LIGHT

PACKAGES = {"debian": ["casacore-dev", "wsclean"]}
TOOL = "wsclean"
COMPARED = "xengine: the image of a source in a UVFITS, its place and flux"
NOT_JUDGED = ["flux after dropped blocks and in short integrations: UVFITS holds sums, not means"]
SIDE, SCALE, EVERY = 64, 1e-3, 4  # pixels, radians per pixel, pixels between those that are kept


def version() -> str:
    return program_version("wsclean")


def axes() -> tuple[np.ndarray, np.ndarray]:
    """Direction cosines of columns and rows of the image: east is to the left."""
    offset = np.arange(SIDE) - SIDE // 2
    return -offset * SCALE, offset * SCALE


def direct_sum(found) -> np.ndarray:
    """The mean over baselines and channels of Re V exp(-2 pi i (u l + v m + w (n - 1))): the file has
    V = E_1 conj(E_2) and u, v, w of r_1 - r_2."""
    cross = found["antennas"][:, 0] != found["antennas"][:, 1]
    uvw = (found["uvw"][cross][:, None] * found["frequency"][:, None] / LIGHT).reshape(-1, 3)
    data = found["data"][cross][..., 0].reshape(-1)
    x, y = np.meshgrid(*axes())
    turns = uvw @ np.stack([x, y, np.sqrt(1 - x * x - y * y) - 1]).reshape(3, -1)
    return (data @ np.exp(-2j * np.pi * turns)).real.reshape(SIDE, SIDE) / data.size


def answer(image: np.ndarray) -> dict[str, np.ndarray]:
    row, column = np.unravel_index(image.argmax(), image.shape)
    x, y = axes()
    return {"image": image[::EVERY, ::EVERY].astype("f4"), "place": np.array([x[column], y[row]]), "flux": image.max()}


def case() -> Case:
    def theirs(folder):
        from astropy.io import fits
        made = measurement_set(source_file(folder))
        run("wsclean", "-quiet", "-niter", 0, "-weight", "natural", "-pol", "xx", "-size", SIDE, SIDE, "-scale",
            f"{np.rad2deg(SCALE):.15g}deg", "-use-wgridder", "-no-small-inversion", "-name", folder / "w", made)
        return answer(np.squeeze(fits.getdata(folder / "w-dirty.fits")).astype(float))

    def ours(folder):
        found = contents(source_file(folder))
        cross = found["antennas"][:, 0] != found["antennas"][:, 1]
        flux = abs(found["data"][cross]).mean()
        return answer(direct_sum(found)) | {"place": np.array(SOURCE), "flux": flux}

    # The accuracy of wsclean's wgridder is 1e-4. The source is in the middle of a pixel; its samples are rounded to
    # 1/25 of their level, which leaves an error of the flux of about that squared.
    return Case("source", theirs, ours, {"image": of_peak(1e-4), "flux": of_peak(2e-3), "place": SCALE / 10})


def cases() -> list[Case]:
    return [case()]
