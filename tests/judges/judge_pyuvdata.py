# SPDX-License-Identifier: Apache-2.0
"""pyuvdata on the UVFITS files of xengine: everything in them as pyuvdata understands it, its own (u, v, w), places of
date, and sources that are turned to zero phase by its own rules or by ours."""
import warnings

import numpy as np
from judging import Case, of_peak, package_version
from uvfits_inputs import (
    PLACE,
    TRACKED,
    contents,
    convert,
    gaps_file,
    random_file,
    source_file,
    source_place,
    turned_file,
)
from voltage_inputs import START, antennas, record, samples, source_power

PACKAGES = {"pypi": ["pyuvdata>=3.1,<4"]}
TOOL = "pyuvdata"
COMPARED = "xengine: UVFITS data, weights, u v w, times, antennas; frames; phases of sources"
MANY, EVERY = 300, 1999  # antennas, and baselines between those that are kept
SOME = 17  # groups between those that are kept of other files


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


def arrays_of(path) -> dict[str, np.ndarray]:
    found = read(path)
    (centre,) = found.phase_center_catalog.values()
    place = found.telescope.location.to_value("m")
    positions = found.telescope.antenna_positions + np.array([place[axis] for axis in "xyz"])
    arrays = {"data": found.data_array.astype("c8"), "weights": found.nsample_array.astype("f4"),
              "flags": found.flag_array,
              "uvw": found.uvw_array.copy(), "antennas": np.stack([found.ant_1_array, found.ant_2_array], 1),
              "seconds": (found.time_array - 2400000.5 - START) * 86400, "seconds each": found.integration_time,
              "frequency": found.freq_array,
              "positions": positions, "place": np.rad2deg([centre["cat_lon"], centre["cat_lat"]]),
              "polarisations": found.polarization_array}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found.set_uvws_from_antenna_positions()
    return arrays | {"computed uvw": found.uvw_array}


def our_arrays(path) -> dict[str, np.ndarray]:
    found = contents(path)
    # pyuvdata's (1, 2) is conj(E_1) E_2, and u, v, w are those of r_2 - r_1: both are reversed when it reads.
    data, uvw = found["data"].conj(), -found["uvw"]
    return {**found, "data": data, "uvw": uvw, "computed uvw": uvw, "place": np.array(PLACE),
            "flags": found["weights"] == 0, "antennas": found["antennas"] + 1,
            "polarisations": -5 - np.arange(data.shape[-1])}


# DATE is in two floats, u v w are floats of 1e-6 s. pyuvdata's north is turned by some arcseconds: 0.02 m of 300.
BOUNDS = {"seconds": 1e-3, "seconds each": 1e-6, "uvw": 1e-4, "computed uvw": 0.02, "positions": 1e-6, "place": 1e-9,
          "frequency": 1e-3} | dict.fromkeys(("data", "weights", "flags", "antennas", "polarisations"), 0)


def file_case(polarisations: int) -> Case:
    return Case(f"file, {polarisations} polarisations", lambda folder: arrays_of(random_file(folder, polarisations)),
                lambda folder: our_arrays(random_file(folder, polarisations)), BOUNDS)


def many_file(folder):
    data = samples("ci8", 39, (20, 1, MANY, 1))
    return convert(folder, record(folder, data, "ci8", antennas(MANY, 40), **TRACKED))


def many_case() -> Case:
    """Only some baselines and positions are kept."""
    def kept(found):
        every = {"positions": 10, "place": 1, "frequency": 1, "polarisations": 1}
        return {name: array[::every.get(name, EVERY)] for name, array in found.items()}
    return Case(f"file, {MANY} antennas", lambda folder: kept(arrays_of(many_file(folder))),
                lambda folder: kept(our_arrays(many_file(folder))), BOUNDS)


def gaps_case() -> Case:
    """Amplitudes do not depend on dropped blocks and short integrations; weights do."""
    def theirs(folder):
        found = read(gaps_file(folder))
        return {"amplitude": abs(found.data_array)[::SOME], "samples": found.nsample_array[::SOME],
                "flags": found.flag_array[::SOME]}

    def ours(folder):
        samples = (np.repeat([100.0, 50, 30], 36)[:, None, None] * np.ones((1, 4, 1)))[::SOME]
        return {"amplitude": np.full(samples.shape, source_power()), "samples": samples, "flags": samples < 0}

    # Samples of 35 levels are rounded, which is an error of 1% of a sample, less in a mean of 30; autos have its power.
    return Case("gaps", theirs, ours,
                {"amplitude": of_peak(0.02), "samples": 0, "flags": 0})


def phased(path, ra: float, dec: float) -> np.ndarray:
    from astropy.utils import iers
    found = read(path)
    with iers.conf.set_temp("auto_download", False), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found.phase(lon=ra, lat=dec, phase_frame="icrs", cat_name="there")
    return found.data_array.astype("c8")


def source_case(name: str, make) -> Case:
    def theirs(folder):
        return {"turned": phased(make(folder), *source_place())[::SOME]}

    def ours(folder):
        return {"turned": abs(contents(make(folder))["data"])[::SOME]}

    # Samples of about 35 levels are rounded: 0.3 / 35 of a voltage, less in a sum. (u, v, w): 0.02 m.
    return Case(name, theirs, ours, lambda data: 0.02 * abs(data).max())


def moved_case() -> Case:
    """A tracked recording that Tessera turns to another phase centre, against pyuvdata's phase() of the first."""
    def theirs(folder):
        return {"moved": phased(source_file(folder), *source_place())[::SOME]}

    def ours(folder):
        first = source_file(folder)
        first.unlink()
        path = folder / "voltages.npy"
        made = convert(folder, path, "--phase-centre", "{:.12g},{:.12g}".format(*np.rad2deg(source_place())))
        return {"moved": contents(made)["data"].conj()[::SOME]}

    # The two norths differ: 0.02 m of (u, v, w) times 0.014 radians are 0.0002 wavelengths.
    return Case("turned from one phase centre to another", theirs, ours, of_peak(3e-3))


def date_case() -> Case:
    """A recording whose place is of date: its ICRS place by SOFA, and the places of date that pyuvdata computes."""
    def made(folder):
        data = samples("ci8", 31, (50, 1, 3, 1))
        return convert(folder, record(folder, data, "ci8", antennas(3, 32), **TRACKED, frame="date"))

    def theirs(folder):
        import erfa
        days = (2400000.5, START + 69.184 / 86400)
        origin = erfa.atci13(0, 0, 0, 0, 0, 0, *days)[2]
        ra, dec, _ = erfa.atic13(np.deg2rad(PLACE[0]) + origin, np.deg2rad(PLACE[1]), *days)
        found = read(made(folder))
        return {"place": np.rad2deg([ra, dec]),
                "of date": np.rad2deg([found.phase_center_app_ra[0], found.phase_center_app_dec[0]])}

    def ours(folder):
        from astropy.io import fits
        with fits.open(made(folder)) as hdus:
            row = hdus["AIPS SU"].data[0]
        return {"place": np.array([row["RAEPO"], row["DECEPO"]]), "of date": np.array([row["RAAPP"], row["DECAPP"]])}

    # A tenth of an arcsecond for the Earth, 0.3 for the daily aberration of pyuvdata's places and polar motion.
    return Case("a place of date", theirs, ours, {"place": 0.2 / 3600, "of date": 1.0 / 3600})


# A day on which UT1 was far from UTC (0.009 s on that of the others), and the difference that astropy's table of the
# IERS has for it.
FAR_START, FAR_DUT1 = 53730.604, -0.66


def far_file(folder):
    data = samples("ci8", 41, (50, 1, 6, 1))
    path = record(folder, data, "ci8", antennas(6, 42), start=FAR_START, **TRACKED)
    return convert(folder, path, "--dut1", FAR_DUT1)


def far_case() -> Case:
    """UT1 - UTC, and w of baselines up to 300 m; u and v depend on where north is."""
    def theirs(folder):
        from astropy.time import Time
        from astropy.utils import iers
        found = read(far_file(folder))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found.set_uvws_from_antenna_positions()
        with iers.conf.set_temp("auto_download", False):
            return {"w": found.uvw_array[:, 2], "seconds": np.float64(Time(FAR_START, format="mjd").delta_ut1_utc)}

    def ours(folder):
        from astropy.io import fits
        path = far_file(folder)
        return {"w": -contents(path)["uvw"][:, 2], "seconds": np.float64(fits.getval(path, "UT1UTC", "AIPS AN"))}

    # Polar motion, 0.3 arcseconds, and 0.1 for the rest are 0.6 mm; without UT1 it would be 12.
    return Case("w with UT1", theirs, ours, {"w": 1e-3, "seconds": 1e-3})


def far_turned(folder):
    return turned_file(folder, start=FAR_START, dut1=FAR_DUT1)


def cases() -> list[Case]:
    return [file_case(1), file_case(2), many_case(), gaps_case(),
            source_case("source turned to zero phase", source_file),
            source_case("source of an untracked recording", turned_file), moved_case(), date_case(), far_case(),
            source_case("source of an untracked recording, with UT1", far_turned)]
