# SPDX-License-Identifier: Apache-2.0
"""UVFITS files for the judges of xengine's files, and their contents as astropy alone reads them."""
from pathlib import Path

import numpy as np
from judging import Arrays, tessera
from voltage_inputs import (
    FIRST,
    LIGHT,
    START,
    WIDTH,
    antennas,
    record,
    record_guppi,
    samples,
    voltages_of_source,
    voltages_of_turns,
)

PLACE = (150.0, -30.0)  # right ascension and declination that the recordings track, degrees
SOURCE = (0.012, -0.007)  # direction cosines l, m of the source from there
TRACKED = dict(right_ascension=PLACE[0], declination=PLACE[1], tracked=True)
CHANNELS, ANTENNAS = 4, 16
# Samples, channels and antennas; two integrations.
RANDOM = (200, 3, 5)


CONVERTED: dict[Path, tuple] = {}  # UVFITS files: their recordings and options


def convert(folder: Path, path: Path, *options: object) -> Path:
    made = folder / "v.uvfits"
    tessera("xengine", path, "-o", made, "--array", folder / "antennas.txt", "--quiet", *options)
    CONVERTED[made] = path, options
    return made


def written_set(uvfits: Path) -> Path:
    """The same recording with the same options as the Measurement Set that Tessera writes."""
    path, options = CONVERTED[uvfits]
    made = uvfits.parent / "own.ms"
    tessera("xengine", path, "-o", made, "--array", uvfits.parent / "antennas.txt", "--quiet", *options)
    return made


def random_file(folder: Path, polarisations: int) -> Path:
    """Every value of 8 bits."""
    data = samples("ci8", 31, (*RANDOM, polarisations))
    path = record(folder, data, "ci8", antennas(RANDOM[2], 32), **TRACKED)
    return convert(folder, path, "--integrate", 100)


def contents(path: Path) -> Arrays:
    """Groups in their order: data, (groups, channels, polarisations), are E_1 conj(E_2); u, v, w are in metres."""
    from astropy.io import fits
    with fits.open(path) as hdus:
        groups, header, table = hdus[0].data, hdus[0].header, hdus["AIPS AN"]
        parts = groups.data.reshape(len(groups), *groups.data.shape[-3:]).astype(float)
        frequency = header["CRVAL4"] + header["CDELT4"] * (np.arange(parts.shape[1]) + 1 - header["CRPIX4"])
        centre = np.array([table.header[f"ARRAY{axis}"] for axis in "XYZ"])
        # Positions are relative to the centre, with x in the plane of its meridian (AIPS Memo 117).
        turn = np.arctan2(centre[1], centre[0])
        x, y, z = table.data["STABXYZ"].T
        positions = np.stack([x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn), z], 1) + centre
        return {"data": parts[..., 0] + 1j * parts[..., 1], "weights": parts[..., 2],
                "uvw": LIGHT * np.stack([groups.par(axis).astype(float) for axis in groups.parnames[:3]], 1),
                "antennas": pairs_of(groups),
                "seconds": (groups.par("DATE") - 2400000.5 - START) * 86400, "frequency": frequency,
                "seconds each": groups.par("INTTIM").astype(float), "positions": positions}


def pairs_of(groups) -> np.ndarray:
    """Numbers of both antennas, counted from 0."""
    if "BASELINE" in groups.parnames:
        baseline = groups.par("BASELINE").astype(int)
        return np.stack([baseline // 256, baseline % 256], 1) - 1
    assert set(groups.par("SUBARRAY")) == {1}
    return np.stack([groups.par("ANTENNA1"), groups.par("ANTENNA2")], 1).astype(int) - 1


def own_places(folder: Path, positions: np.ndarray) -> np.ndarray:
    """(u, v, w) of every antenna relative to antenna 0, from a first run: judges of sources test whether data and
    (u, v, w) fit each other, and NumPy's sums whether the data are right."""
    quiet = np.ones((200, 1, len(positions), 1, 2), "i1")
    found = contents(convert(folder, record(folder, quiet, "ci8", positions, **TRACKED)))
    (folder / "v.uvfits").unlink()
    own = np.zeros((len(positions), 3))
    for (first, second), uvw in zip(found["antennas"], found["uvw"], strict=True):
        if first == 0:
            own[second] = -uvw  # the file has those of r_1 - r_2
    return own


def source_file(folder: Path, count: int = ANTENNAS, channels: int = CHANNELS) -> Path:
    """One source near the tracked place."""
    positions = antennas(count, 33)
    data = voltages_of_source(own_places(folder, positions), SOURCE, channels, 200, seed=34)
    return convert(folder, record(folder, data, "ci8", positions, **TRACKED))


def gaps_file(folder: Path, count: int = 8) -> Path:
    """The same with a dropped block, half of the second integration, and a last integration of 30 of 100 samples."""
    positions = antennas(count, 35)
    data = voltages_of_source(own_places(folder, positions), SOURCE, CHANNELS, 230, seed=36)
    path = record_guppi(folder, data, 50, (2,), "10:00:00.0", "-30:00:00.0")
    return convert(folder, path, "--integrate", 100)


def empty_file(folder: Path, count: int = 8) -> Path:
    """The same in integrations of 50 samples, of which one has none."""
    gaps_file(folder, count)
    (folder / "v.uvfits").unlink()
    return convert(folder, folder / "voltages.raw", "--integrate", 50)


def reversed_file(folder: Path) -> Path:
    """Channels that descend."""
    positions = antennas(ANTENNAS, 33)
    data = voltages_of_source(own_places(folder, positions), SOURCE, CHANNELS, 200, seed=34)
    descending = {"first": FIRST + WIDTH * (CHANNELS - 1), "step": -WIDTH}
    return convert(folder, record(folder, data[:, ::-1].copy(), "ci8", positions, **TRACKED, frequency=descending))


def turned_file(folder: Path, count: int = 8, start: float = START, dut1: float = 0) -> Path:
    """A recording that tracks nothing: every antenna hears the source at its own time, as the Earth turns for 100
    seconds. Tessera turns it to PLACE."""
    positions, rate, times = antennas(count, 37), 2.0, 200
    directions = directions_on_earth(*source_place(), start + np.arange(times) / rate / 86400)
    delays = directions @ (positions - positions.mean(0)).T / LIGHT  # (time, antenna): how much sooner
    turns = delays[:, None, :] * (FIRST + WIDTH * np.arange(CHANNELS))[:, None]
    path = record(folder, voltages_of_turns(turns, seed=38), "ci8", positions, sample_rate=rate, tracked=False,
                  start=start)
    return convert(folder, path, "--integrate", 50, "--phase-centre", "{},{}".format(*PLACE), "--dut1", dut1)


def directions_on_earth(ra: float, dec: float, mjd: np.ndarray) -> np.ndarray:
    """Astropy's direction of a place of ICRS (radians), ITRF: one vector per time."""
    from astropy import units
    from astropy.coordinates import ITRS, SkyCoord
    from astropy.time import Time
    from astropy.utils import iers
    with iers.conf.set_temp("auto_download", False):
        place = SkyCoord(ra * units.rad, dec * units.rad, frame="icrs")
        seen = place.transform_to(ITRS(obstime=Time(mjd, format="mjd")))
    return np.stack([axis.value for axis in seen.cartesian.xyz], -1)


def source_place() -> tuple[float, float]:
    """Right ascension and declination, in radians, of the direction cosines SOURCE from PLACE."""
    (ra, dec), (x, y) = np.deg2rad(PLACE), SOURCE
    z = np.sqrt(1 - x * x - y * y)
    return ra + np.arctan2(x, z * np.cos(dec) - y * np.sin(dec)), np.arcsin(y * np.cos(dec) + z * np.sin(dec))
