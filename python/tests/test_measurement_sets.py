# SPDX-License-Identifier: Apache-2.0
"""Measurement Sets of the command and of tessera.write_measurement_set, as python3-casacore reads them."""
import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from test_xengine_files import START, TRACKED, WIDTH, noise, places, plain, record

import tessera

BUILD = Path(os.environ.get("TESSERA_CLI", Path(__file__).resolve().parents[2] / "build" / "tessera")).parent
# Debian's package is for the system's Python.
READER = ["/usr/bin/python3", "-c", """
import sys
import numpy as np
from casacore.tables import table
found = {}
def add(prefix, part):
    for name in part.colnames():
        values = part.getcol(name)
        found[prefix + name] = np.array(values["array"] if isinstance(values, dict) else values)
main = table(sys.argv[1], ack=False)
add("", main)
for name, value in main.getkeywords().items():
    if isinstance(value, str) and value.startswith("Table: "):
        add(name + "/", table(value.removeprefix("Table: "), ack=False))
np.savez(sys.argv[2], **found)
"""]
TIMES = {"HISTORY/TIME", "HISTORY/MESSAGE", "HISTORY/CLI_COMMAND"}


def columns(path):
    """Every column of every table."""
    target = path.with_suffix(".npz")
    subprocess.run([*READER, path, target], check=True, capture_output=True)
    with np.load(target) as found:
        return dict(found)


@pytest.fixture(autouse=True)
def library(monkeypatch):
    if not (BUILD / "libtessera_casacore.so").is_file():
        pytest.skip("casacore is missing")
    monkeypatch.setenv("TESSERA_PLUGINS", str(BUILD))


@pytest.fixture(scope="module", autouse=True)
def reader():
    if subprocess.run(["/usr/bin/python3", "-c", "import casacore.tables"], capture_output=True).returncode != 0:
        pytest.skip("python3-casacore is missing")


def arguments(positions, **more):
    return dict(positions=positions, frequency=1.4e8 + WIDTH * np.arange(3), time=START + 0.05 / 86400, seconds=0.1,
                phase_centre=(150.0, -30.0), telescope="TEST", source="3C 1",
                names=[f"A{n:03}" for n in range(len(positions))]) | more


@pytest.mark.parametrize("polarisations", [1, 2])
def test_every_column_is_that_of_the_definition(cli, rng, tmp_path, polarisations):
    p, data, positions = polarisations, noise(rng, 250, 3, 4, polarisations), places(rng, 4)
    record(tmp_path, data, positions, source="3C 1", **TRACKED)
    said = json.loads(cli("xengine", tmp_path / "in.npy", "-o", tmp_path / "v.ms", "--array",
                          tmp_path / "antennas.txt", "--integrate", 100, "--json"))
    assert said["values"] == "means" and said["integrations"] == 3 and said["files"] == [str(tmp_path / "v.ms")]
    found = columns(tmp_path / "v.ms")
    pairs = [(b, a) for a in range(4) for b in range(a + 1)] * 3
    assert [*zip(found["ANTENNA1"], found["ANTENNA2"], strict=True)] == pairs
    lengths = np.repeat([100, 100, 50], 10)
    means = []
    for first, length in ((0, 100), (100, 100), (200, 50)):
        sums = plain(data[first:first + length]).reshape(3, 4, p, 4, p)  # channel, i, p, j, q
        sums = sums.real / length + 1j * (sums.imag / length)
        means += [[[sums[c, b, i, a, j] for i in range(p) for j in range(p)] for c in range(3)]
                  for a in range(4) for b in range(a + 1)]
    assert np.array_equal(found["DATA"], np.array(means).astype("c8"))
    assert np.array_equal(found["WEIGHT"], np.repeat(lengths[:, None], p * p, 1))
    assert np.allclose(found["SIGMA"], 1 / np.sqrt(found["WEIGHT"]), rtol=1e-6)
    assert np.array_equal(found["WEIGHT_SPECTRUM"], np.repeat(found["WEIGHT"][:, None], 3, 1))
    assert not found["FLAG"].any() and not found["FLAG_ROW"].any()
    assert found["FLAG_CATEGORY"].shape == (30, 0, 3, p * p)
    middles = START * 86400 + np.repeat([0.05, 0.15, 0.225], 10)
    assert np.allclose(found["TIME"], middles, atol=2e-6, rtol=0)
    assert np.array_equal(found["TIME_CENTROID"], found["TIME"])
    assert np.allclose(found["INTERVAL"], lengths / 1000) and np.array_equal(found["EXPOSURE"], found["INTERVAL"])
    constant = {"FIELD_ID": 0, "DATA_DESC_ID": 0, "FEED1": 0, "FEED2": 0, "ARRAY_ID": 0, "OBSERVATION_ID": 0,
                "PROCESSOR_ID": 0, "STATE_ID": 0, "SCAN_NUMBER": 1}
    for name, value in constant.items():
        assert np.array_equal(found[name], np.full(30, value)), name
    assert np.array_equal(found["ANTENNA/POSITION"], positions)
    assert list(found["ANTENNA/NAME"]) == ["A000", "A001", "A002", "A003"]
    assert np.array_equal(found["SPECTRAL_WINDOW/CHAN_FREQ"], [1.4e8 + WIDTH * np.arange(3)])
    assert np.array_equal(found["SPECTRAL_WINDOW/CHAN_WIDTH"], [[WIDTH] * 3])
    assert list(found["POLARIZATION/CORR_TYPE"][0]) == [9, 10, 11, 12][:p * p]
    assert found["POLARIZATION/CORR_PRODUCT"][0].tolist() == [[i, j] for i in range(p) for j in range(p)]
    assert np.allclose(np.rad2deg(found["FIELD/PHASE_DIR"]) % 360, [[[150, 330]]])
    assert list(found["FIELD/NAME"]) == ["3C 1"] and list(found["OBSERVATION/TELESCOPE_NAME"]) == ["TEST"]
    ends = START * 86400 + np.array([[0, 0.25]])
    assert np.allclose(found["OBSERVATION/TIME_RANGE"], ends, atol=2e-6, rtol=0)
    assert list(found["FEED/NUM_RECEPTORS"]) == [p] * 4
    assert any("xengine" in line and "v.ms" in line for line in found["HISTORY/MESSAGE"])


def test_descending_channels_have_negative_widths(cli, rng, tmp_path):
    data, positions = noise(rng, 50, 3, 3, 1), places(rng, 3)
    record(tmp_path, data, positions, step=-WIDTH, **TRACKED)
    cli("xengine", tmp_path / "in.npy", "-o", tmp_path / "v.ms", "--array", tmp_path / "antennas.txt")
    found = columns(tmp_path / "v.ms")
    assert np.array_equal(found["SPECTRAL_WINDOW/CHAN_FREQ"], [1.4e8 - WIDTH * np.arange(3)])
    assert np.array_equal(found["SPECTRAL_WINDOW/CHAN_WIDTH"], [[-WIDTH] * 3])
    assert np.allclose(found["DATA"][1, :, 0], plain(data)[:, 0, 1] / 50, rtol=1e-6)


def test_a_drifting_centre_has_fields(cli, rng, tmp_path):
    record(tmp_path, noise(rng, 50, 3, 3, 1), places(rng, 3))
    cli("xengine", tmp_path / "in.npy", "-o", tmp_path / "v.ms", "--array", tmp_path / "antennas.txt",
        "--phase-centre", "zenith", "--integrate", 20)
    found = columns(tmp_path / "v.ms")
    assert found["FIELD_ID"].tolist() == [0] * 6 + [1] * 6 + [2] * 6
    assert len(set(found["FIELD/NAME"])) == 3
    assert np.all(np.diff(found["FIELD/PHASE_DIR"][:, 0, 0]) > 0)


@pytest.mark.parametrize("polarisations", [1, 2])
def test_python_writes_what_the_command_writes(cli, rng, tmp_path, polarisations):
    data, positions = noise(rng, 100, 3, 4, polarisations), places(rng, 4)
    record(tmp_path, data, positions, source="3C 1", **TRACKED)
    cli("xengine", tmp_path / "in.npy", "-o", tmp_path / "command.ms", "--array", tmp_path / "antennas.txt")
    theirs = columns(tmp_path / "command.ms")
    for as_complex in (False, True):
        sums = tessera.xengine(data, as_complex=as_complex)
        tessera.write_measurement_set(tmp_path / "own.ms", sums, samples=100, force=True, **arguments(positions))
        ours = columns(tmp_path / "own.ms")
        assert ours.keys() == theirs.keys()
        for name in theirs.keys() - {key for key in theirs if key.startswith("HISTORY/")}:
            assert np.array_equal(ours[name], theirs[name]), name


def test_counts_divide_weigh_and_flag(rng, tmp_path):
    data, positions = noise(rng, 100, 3, 4, 1), places(rng, 4)
    valid = np.ones((100, 4, 1), bool)
    valid[:60, 2] = False
    valid[:, 3] = False
    with tessera.XEngine(4, polarisations=1, channels=3) as engine:
        engine.add(data, valid=valid, valid_samples=1)
        sums, counts = engine.dump(as_complex=True), engine.counts
    tessera.write_measurement_set(tmp_path / "v.ms", sums, counts=counts, **arguments(positions))
    found = columns(tmp_path / "v.ms")
    for k, (a, b) in enumerate(tessera.baselines(4)):
        count = 0 if 3 in (a, b) else 40 if 2 in (a, b) else 100
        assert (found["ANTENNA1"][k], found["ANTENNA2"][k]) == (b, a)
        mean = sums[:, k, 0, 0].conj() / count if count else np.zeros(3)
        assert np.allclose(found["DATA"][k, :, 0], mean, rtol=1e-6, atol=0)
        assert found["WEIGHT"][k, 0] == count and found["SIGMA"][k, 0] == (np.float32(count) ** -0.5 if count else 0)
        assert found["FLAG"][k].all() == found["FLAG"][k].any() == found["FLAG_ROW"][k] == (count == 0)


def test_what_is_wrong_is_said(rng, tmp_path):
    positions, path = places(rng, 3), tmp_path / "v.ms"
    sums = np.zeros((3, 6, 2, 2), complex)
    for spoil, part in [
            (dict(positions=np.zeros((3, 3))), "write_measurement_set: antenna ANT000 is 0 km"),
            (dict(frequency=[1, 3, 2]), "give channels that ascend or descend, in Hz"),
            (dict(frequency=[1, np.nan, 2]), "give channels that ascend or descend, in Hz"),
            (dict(samples=None), "write_measurement_set: give counts"),
            (dict(channel_width=np.nan), "give a width above 0"),
            (dict(channel_width=0), "give a width above 0"),
            (dict(visibilities=np.zeros((3, 6, 3, 3), complex)), "names for 1 or 2 polarisations"),
            (dict(time=np.nan), "one for each of 1 integrations")]:
        given = arguments(positions, visibilities=sums, samples=1, names=None) | spoil
        with pytest.raises(ValueError, match=part):
            tessera.write_measurement_set(path, **given)
        assert not path.exists()
    given = arguments(positions, visibilities=sums, samples=1)
    (tmp_path / "full.ms").mkdir()
    with pytest.raises(ValueError, match="it exists and is not a Measurement Set"):
        tessera.write_measurement_set(tmp_path / "full.ms", force=True, **given)
    tessera.write_measurement_set(path, **given)
    with pytest.raises(ValueError, match="exists"):
        tessera.write_measurement_set(path, **given)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["full.ms", "v.ms"]
