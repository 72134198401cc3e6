# SPDX-License-Identifier: Apache-2.0
"""pyuvdata on the UVFITS files of xengine: everything in them as pyuvdata understands it, its own (u, v, w), and a
source that is turned to zero phase by its own rules."""
import warnings

import numpy as np
from judging import Case, package_version
from uvfits_inputs import PLACE, SOURCE, contents, random_file, source_file
from voltage_inputs import START

PACKAGES = {"pypi": ["pyuvdata>=3.1,<4"]}
TOOL = "pyuvdata"
COMPARED = "xengine: UVFITS data, weights, u v w, times, antennas; source's phase"
NOT_JUDGED = ["integrations with missing samples: UVFITS holds sums, not means",
              "more than 255 antennas and phase centres of date"]


def version() -> str:
    return package_version("pyuvdata")


def read(path):
    import pyuvdata
    from astropy.utils import iers
    found = pyuvdata.UVData()
    with iers.conf.set_temp("auto_download", False), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found.read_uvfits(str(path), run_check_acceptability=False)
    return found


def file_case(polarisations: int) -> Case:
    def theirs(folder):
        found = read(random_file(folder, polarisations))
        (centre,) = found.phase_center_catalog.values()
        place = found.telescope.location.to_value("m")
        positions = found.telescope.antenna_positions + np.array([place[axis] for axis in "xyz"])
        arrays = {"data": found.data_array.astype("c8"), "weights": found.nsample_array.astype("f4"),
                  "uvw": found.uvw_array.copy(), "antennas": np.stack([found.ant_1_array, found.ant_2_array], 1),
                  "seconds": (found.time_array - 2400000.5 - START) * 86400, "frequency": found.freq_array,
                  "positions": positions, "place": np.rad2deg([centre["cat_lon"], centre["cat_lat"]]),
                  "polarisations": found.polarization_array}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found.set_uvws_from_antenna_positions()
        return arrays | {"computed uvw": found.uvw_array}

    def ours(folder):
        found = contents(random_file(folder, polarisations))
        # pyuvdata's (1, 2) is conj(E_1) E_2, and u, v, w are those of r_2 - r_1: both are reversed when it reads.
        data, uvw = found["data"].conj(), -found["uvw"]
        return {**found, "data": data, "uvw": uvw, "computed uvw": uvw, "place": np.array(PLACE), "antennas":
                found["antennas"] + 1, "polarisations": -5 - np.arange(polarisations**2)}

    # DATE is in two floats, u v w are floats of 1e-6 s. pyuvdata knows UT1 where we do not: up to 0.02 m of 300.
    bounds = {"seconds": 1e-3, "uvw": 1e-4, "computed uvw": 0.02, "positions": 1e-6, "place": 1e-9, "frequency": 1e-3}
    exact = dict.fromkeys(("data", "weights", "antennas", "polarisations"), 0)
    return Case(f"file, {polarisations} polarisations", theirs, ours, bounds | exact)


def source_case() -> Case:
    def theirs(folder):
        from astropy.utils import iers
        found = read(source_file(folder))
        ra, dec = place_of_source()
        with iers.conf.set_temp("auto_download", False), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found.phase(lon=ra, lat=dec, phase_frame="icrs", cat_name="there")
        return {"turned": found.data_array.astype("c8")}

    def ours(folder):
        return {"turned": abs(contents(source_file(folder))["data"])}

    # Samples of about 25 levels are rounded: 0.3 / 25 of a voltage, less in a sum. UT1 and (u, v, w): 0.02 m.
    return Case("source turned to zero phase", theirs, ours, lambda data: 0.02 * abs(data).max())


def place_of_source() -> tuple[float, float]:
    """Right ascension and declination, in radians, of the direction cosines l, m from PLACE."""
    (ra, dec), (x, y) = np.deg2rad(PLACE), SOURCE
    z = np.sqrt(1 - x * x - y * y)
    return ra + np.arctan2(x, z * np.cos(dec) - y * np.sin(dec)), np.arcsin(y * np.cos(dec) + z * np.sin(dec))


def cases() -> list[Case]:
    return [file_case(1), file_case(2), source_case()]
