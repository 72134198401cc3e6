# SPDX-License-Identifier: Apache-2.0
"""UVFITS files for the judges of xengine's files, and their contents as astropy alone reads them."""
from pathlib import Path

import numpy as np
from judging import Arrays, tessera
from voltage_inputs import LIGHT, START, antennas, record, samples, voltages_of_source

PLACE = (150.0, -30.0)  # right ascension and declination that the recordings track, degrees
SOURCE = (0.012, -0.007)  # direction cosines l, m of the source from there
CHANNELS, ANTENNAS = 4, 16
# 7 antennas, so that every baseline appears; two integrations.
RANDOM = (200, 3, 7)


def convert(folder: Path, path: Path, *options: object) -> Path:
    tessera("xengine", path, "-o", folder / "v.uvfits", "--array", folder / "antennas.txt", "--quiet", *options)
    return folder / "v.uvfits"


def random_file(folder: Path, polarisations: int) -> Path:
    """Every value of 8 bits."""
    data = samples("ci8", 31, (*RANDOM, polarisations))
    path = record(folder, data, "ci8", antennas(RANDOM[2], 32), right_ascension=PLACE[0], declination=PLACE[1])
    return convert(folder, path, "--integrate", 100)


def contents(path: Path) -> Arrays:
    """Groups in their order: data, (groups, channels, polarisations), are E_1 conj(E_2); u, v, w are in metres."""
    from astropy.io import fits
    with fits.open(path) as hdus:
        groups, header, table = hdus[0].data, hdus[0].header, hdus["AIPS AN"]
        parts = groups.data.reshape(len(groups), *groups.data.shape[-3:]).astype(float)
        baseline = groups.par("BASELINE").astype(int)
        frequency = header["CRVAL4"] + header["CDELT4"] * (np.arange(parts.shape[1]) + 1 - header["CRPIX4"])
        centre = np.array([table.header[f"ARRAY{axis}"] for axis in "XYZ"])
        # Positions are relative to the centre, with x in the plane of its meridian (AIPS Memo 117).
        turn = np.arctan2(centre[1], centre[0])
        x, y, z = table.data["STABXYZ"].T
        positions = np.stack([x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn), z], 1) + centre
        return {"data": parts[..., 0] + 1j * parts[..., 1], "weights": parts[..., 2],
                "uvw": LIGHT * np.stack([groups.par(axis).astype(float) for axis in groups.parnames[:3]], 1),
                "antennas": np.stack([baseline // 256, baseline % 256], 1) - 1,
                "seconds": (groups.par("DATE") - 2400000.5 - START) * 86400, "frequency": frequency,
                "positions": positions}


def source_file(folder: Path) -> Path:
    """One source near the tracked place. Its delays are computed from the (u, v, w) of a first run: the judge tests
    whether data and (u, v, w) fit each other, and NumPy's sums whether the data are right."""
    positions = antennas(ANTENNAS, 33)
    where = dict(right_ascension=PLACE[0], declination=PLACE[1])
    quiet = np.ones((200, CHANNELS, ANTENNAS, 1, 2), "i1")
    found = contents(convert(folder, record(folder, quiet, "ci8", positions, **where)))
    (folder / "v.uvfits").unlink()
    own = np.zeros((ANTENNAS, 3))  # u, v, w of every antenna, relative to antenna 0
    for (first, second), uvw in zip(found["antennas"], found["uvw"], strict=True):
        if first == 0:
            own[second] = -uvw  # the file has those of r_1 - r_2
    data = voltages_of_source(own, SOURCE, CHANNELS, 200, seed=34)
    return convert(folder, record(folder, data, "ci8", positions, **where))
