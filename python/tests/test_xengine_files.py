# SPDX-License-Identifier: Apache-2.0
"""Files of `tessera xengine` as NumPy, astropy and pyuvdata read them."""
import json
import warnings

import numpy as np
import pytest

fits = pytest.importorskip("astropy.io.fits")
LIGHT = 299792458.0
MIDDLE = np.array([-2559454.08, 5095372.14, -2849057.18])  # a place in Western Australia
START, RATE, WIDTH = 60389.604, 1000.0, 1e6


def places(rng, antennas, spread=150.0):
    return MIDDLE + rng.uniform(-spread, spread, (antennas, 3))


def noise(rng, samples, channels, antennas, polarisations=2):
    shape = (samples, channels, antennas, polarisations, 2)
    common = rng.integers(-30, 31, shape[:2] + (1, 1, 2))
    return (common + rng.integers(-40, 41, shape)).astype(np.int8)


def record(folder, data, positions=None, step=WIDTH, **more):
    """An NPY in the order tci and its description."""
    np.save(folder / "in.npy", data)
    _, channels, antennas, polarisations, _ = data.shape
    told = dict(antennas=antennas, polarisations=polarisations, channels=channels, samples="ci8", layout="tci",
                sample_rate=RATE, start=START, frequency={"first": 1.4e8, "step": step}, telescope="TEST", **more)
    (folder / "in.npy.json").write_text(json.dumps(told))
    if positions is not None:
        lines = [f"A{n:03} {x!r} {y!r} {z!r}\n" for n, (x, y, z) in enumerate(positions.tolist())]
        (folder / "antennas.txt").write_text("".join(lines))
    return folder / "in.npy"


def plain(data):
    """V[channel, i, j] by the definition."""
    values = data[..., 0].astype(np.int64) + 1j * data[..., 1]
    values = values.reshape(*values.shape[:2], -1)
    return np.einsum("tci,tcj->cij", values, values.conj())


def read_uvfits(path):
    pyuvdata = pytest.importorskip("pyuvdata")
    from astropy.utils import iers
    data = pyuvdata.UVData()
    with iers.conf.set_temp("auto_download", False), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        data.read_uvfits(str(path), run_check_acceptability=False)
    return data


def test_npy_and_json(cli, rng, tmp_path):
    data = noise(rng, 250, 3, 4)
    record(tmp_path, data)
    said = json.loads(cli("xengine", tmp_path / "in.npy", "-o", tmp_path / "v.npy", "--integrate", 100, "--json"))
    assert said["samples"] == 250 and said["integrations"] == 3
    ours, told = np.load(tmp_path / "v.npy"), json.loads((tmp_path / "v.json").read_text())
    assert list(ours.shape) == told["shape"] and ours.dtype.str == told["dtype"]
    assert told["axes"] == ["time", "channel", "baseline", "polarisation_a", "polarisation_b", "part"]
    assert told["samples"] == [100, 100, 50]
    assert told["middle_mjd_utc"] == pytest.approx([START + t / RATE / 86400 for t in (50, 150, 225)], abs=1e-9)
    for time, first in enumerate(range(0, 250, 100)):
        expected = plain(data[first:first + 100])
        for k, (a, b) in enumerate(told["baselines"]):
            block = expected[:, 2 * a:2 * a + 2, 2 * b:2 * b + 2]
            assert np.array_equal(ours[time, :, k, ..., 0] + 1j * ours[time, :, k, ..., 1], block)


@pytest.mark.parametrize("order, shape", [("full", (1, 3, 8, 8)), ("triangular", (1, 3, 10, 2, 2))])
def test_floats_are_complex(cli, rng, tmp_path, order, shape):
    data = noise(rng, 100, 3, 4)
    cli("xengine", record(tmp_path, data), "-o", tmp_path / "v.npy", "--order", order, "--output-type", "f32")
    ours = np.load(tmp_path / "v.npy")
    assert ours.dtype == np.complex64 and ours.shape == shape
    if order == "full":
        assert np.array_equal(ours[0], plain(data))


TRACKED = dict(right_ascension=150.0, declination=-30.0, tracked=True)


def test_uvfits_by_astropy(cli, rng, tmp_path):
    data = noise(rng, 300, 3, 4)
    record(tmp_path, data, places(rng, 4), **TRACKED)
    cli("xengine", tmp_path / "in.npy", "-o", tmp_path / "v.uvfits", "--integrate", "0.1s", "--array",
        tmp_path / "antennas.txt")
    with fits.open(tmp_path / "v.uvfits") as hdus:
        hdus.verify("exception")
        groups = hdus[0].data
        assert len(groups) == 3 * 10
        assert hdus["AIPS AN"].data["ANNAME"].tolist() == [f"A{n:03}" for n in range(4)]
        times = groups.par("DATE") - 2400000.5
        assert abs(times[::10] - (START + np.array([50, 150, 250]) / RATE / 86400)).max() * 86400 < 1e-3
        pairs = [(b, a) for a in range(4) for b in range(a + 1)]
        assert np.array_equal(groups.par("BASELINE")[:10], [256 * (b + 1) + a + 1 for b, a in pairs])
        for g, (first, second) in enumerate(pairs):
            block = plain(data[:100])[:, 2 * second:2 * second + 2, 2 * first:2 * first + 2]
            ours = groups.data[g][0, 0, 0]
            stokes = np.stack([block[:, 0, 0], block[:, 1, 1], block[:, 1, 0], block[:, 0, 1]], 1)
            assert np.array_equal(ours[..., 0] - 1j * ours[..., 1], (stokes / 100).astype(np.complex64))
            assert np.all(ours[..., 2] == 100)


@pytest.mark.parametrize("step", [WIDTH, -WIDTH])
@pytest.mark.parametrize("polarisations", [1, 2])
def test_uvfits_by_pyuvdata(cli, rng, tmp_path, step, polarisations):
    antennas, channels = 5, 3
    data, positions = noise(rng, 200, channels, antennas, polarisations), places(rng, antennas)
    record(tmp_path, data, positions, step=step, **TRACKED)
    for name in ("v.uvfits", "v.npy"):
        cli("xengine", tmp_path / "in.npy", "-o", tmp_path / name, "--integrate", 100, "--array",
            tmp_path / "antennas.txt", "--output-type", "f64")
    npy, theirs = np.load(tmp_path / "v.npy"), read_uvfits(tmp_path / "v.uvfits")
    frequency = 1.4e8 + step * np.arange(channels)
    assert np.allclose(theirs.freq_array, np.sort(frequency), rtol=0, atol=1e-3)
    assert np.allclose(theirs.channel_width, WIDTH) and np.allclose(theirs.integration_time, 0.1)
    times = np.unique(theirs.time_array) - 2400000.5
    assert abs(times - (START + np.array([50, 150]) / RATE / 86400)).max() * 86400 < 1e-3
    assert np.allclose(theirs.telescope.antenna_positions, positions - positions.mean(0), atol=1e-6)
    names = ["xx", "yy", "xy", "yx"][:polarisations ** 2]
    order = np.argsort(frequency)
    for k, (a, b) in enumerate((i, j) for i in range(antennas) for j in range(i + 1)):
        for name in names:
            p, q = "xy".index(name[0]), "xy".index(name[1])
            # pyuvdata's (1, 2, pq) is conj(E_1p) E_2q; ours is E_a conj(E_b), and a is its second.
            sums = npy[:, order, k, q, p]
            expected = sums.real / 100 + 1j * (sums.imag / 100)
            assert np.array_equal(theirs.get_data(b + 1, a + 1, name), expected)
    assert np.all(theirs.nsample_array == 100) and not theirs.flag_array.any()


def source_voltages(rng, positions, direction, frequency, samples):
    """One source in the sky seen by antennas: nearer ones hear it sooner, exp(+2 pi i f t)."""
    turns = np.outer(frequency, positions @ direction) / LIGHT
    common = rng.standard_normal((samples, len(frequency), 1)) + 1j * rng.standard_normal((samples, len(frequency), 1))
    values = 25 * common * np.exp(2j * np.pi * turns)
    return np.stack([values.real, values.imag], -1).round().clip(-128, 127).astype(np.int8)[:, :, :, None, :]


@pytest.mark.parametrize("tracked", [True, False])
def test_signs_and_uvw_put_a_source_where_it_is(cli, rng, tmp_path, tracked):
    """A source off the zenith: turned to its place by pyuvdata, all phases are zero."""
    pytest.importorskip("pyuvdata")
    from astropy import units
    from astropy.coordinates import AltAz, EarthLocation, SkyCoord
    from astropy.time import Time
    from astropy.utils import iers
    positions, frequency = places(rng, 6), 1.4e8 + WIDTH * np.arange(4)
    centre = positions.mean(0)
    location = EarthLocation.from_geocentric(*(centre * units.m))
    samples = 100
    middle = Time(START + samples / 2 / RATE / 86400, format="mjd")
    with iers.conf.set_temp("auto_download", False):
        seen = SkyCoord(alt=72 * units.deg, az=130 * units.deg, frame=AltAz(obstime=middle, location=location))
        place = seen.icrs
    lat, lon = location.lat.rad, location.lon.rad
    east = np.array([-np.sin(lon), np.cos(lon), 0])
    up = np.array([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])
    north = np.cross(up, east)
    altitude, azimuth = np.deg2rad(72), np.deg2rad(130)
    direction = np.sin(altitude) * up + np.cos(altitude) * (np.cos(azimuth) * north + np.sin(azimuth) * east)
    # Delays of the zenith have been taken out, or the tool takes them out: it is the phase centre.
    data = source_voltages(rng, positions - centre, direction - up if tracked else direction, frequency, samples)
    record(tmp_path, data, positions, tracked=tracked)
    cli("xengine", tmp_path / "in.npy", "-o", tmp_path / "v.uvfits", "--array", tmp_path / "antennas.txt",
        "--phase-centre", "zenith")
    theirs = read_uvfits(tmp_path / "v.uvfits")
    before = np.abs(np.angle(theirs.data_array)).max()
    with iers.conf.set_temp("auto_download", False), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wanted = theirs.copy()
        wanted.set_uvws_from_antenna_positions()
        assert np.abs(theirs.uvw_array - wanted.uvw_array).max() < 0.02  # of 300 m: UT1 is not known
        theirs.phase(lon=place.ra.rad, lat=place.dec.rad, phase_frame="icrs", cat_name="there")
    assert before > 1
    assert np.abs(np.angle(theirs.data_array)).max() < 0.1


def test_centres_below_the_horizon_are_named(cli, rng, tmp_path):
    """The celestial poles stand as high as the latitude, 26.7 degrees south, at all times."""
    record(tmp_path, noise(rng, 200, 2, 4), places(rng, 4))
    for declination, notes in ((-90, []), (90, ["degrees below the horizon when the recording begins"])):
        said = json.loads(cli("xengine", tmp_path / "in.npy", "-o", tmp_path / "v.npy", "--force", "--array",
                              tmp_path / "antennas.txt", "--phase-centre", f"0,{declination}", "--json",
                              "--dut1", "0.1"))["notes"]
        assert len(said) == len(notes)
        for sentence, words in zip(said, notes, strict=True):
            assert words in sentence
            assert "the phase centre is 26." in sentence


def test_the_rotation_of_the_earth_is_said_to_be_assumed(cli, rng, tmp_path):
    """Up to 0.9 s of it are 13.5 arcseconds; the zenith turns with the ground."""
    record(tmp_path, noise(rng, 200, 2, 4), places(rng, 4))
    for words, said in ((["0,-60"], True), (["0,-60", "--dut1", "-0.2"], False), (["zenith"], False)):
        notes = json.loads(cli("xengine", tmp_path / "in.npy", "-o", tmp_path / "v.npy", "--force", "--array",
                               tmp_path / "antennas.txt", "--json", "--phase-centre", *words))["notes"]
        assert any("UT1 - UTC is taken as 0" in note for note in notes) == said


def test_tracked_centre_and_single_antenna_names(cli, rng, tmp_path):
    positions = places(rng, 4)
    record(tmp_path, noise(rng, 200, 2, 4), positions, source="3C 1", **TRACKED)
    cli("xengine", tmp_path / "in.npy", "-o", tmp_path / "v.uvfits", "--integrate", 100, "--array",
        tmp_path / "antennas.txt")
    theirs = read_uvfits(tmp_path / "v.uvfits")
    (centre,) = theirs.phase_center_catalog.values()
    assert centre["cat_name"] == "3C 1" and np.rad2deg(centre["cat_lon"]) == pytest.approx(150)
    ours = theirs.uvw_array.copy()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs.set_uvws_from_antenna_positions()
    assert np.abs(ours - theirs.uvw_array).max() < 0.02


def test_many_antennas(cli, rng, tmp_path):
    data = noise(rng, 20, 1, 257, 1)
    record(tmp_path, data, places(rng, 257), **TRACKED)
    cli("xengine", tmp_path / "in.npy", "-o", tmp_path / "v.uvf", "--array", tmp_path / "antennas.txt")
    with fits.open(tmp_path / "v.uvf") as hdus:
        found = np.stack([hdus[0].data.par(name) for name in ("ANTENNA1", "ANTENNA2", "SUBARRAY")], 1)
    assert np.array_equal(found, [(b + 1, a + 1, 1) for a in range(257) for b in range(a + 1)])
    theirs = read_uvfits(tmp_path / "v.uvf")
    assert theirs.telescope.Nants == 257
    assert theirs.get_data(3, 257, "xx")[0, 0] == np.complex64(plain(data)[0, 256, 2] / 20)
