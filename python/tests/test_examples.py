# SPDX-License-Identifier: Apache-2.0
"""The programs in examples/ run as they stand, in less than a minute, and find what was put there."""
import csv
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from package_build import BUILD, ROOT, run

import tessera

EXAMPLES = ROOT / "examples"
SECONDS = 60


def run_script(name, folder):
    """Returns what a notebook prints; its outputs are in the folder."""
    return run(sys.executable, EXAMPLES / name, folder, cwd=folder, timeout=SECONDS)


def number(pattern, text):
    found = re.search(pattern, text)
    assert found, f"{pattern} is not in\n{text}"
    return [float(value) for value in found.groups()]


def test_microscopy(tmp_path):
    said = run_script("microscopy_cells.py", tmp_path)
    found, cells = number(r"(\d+) of (\d+) cells found, 0 false tracks", said)
    assert cells == 16 and found >= 0.9 * cells
    measured, made = number(r"measured (\S+) um/s, true (\S+) um/s", said)
    assert measured == pytest.approx(made, rel=0.05)
    for name in ("frame.png", "readable.png"):
        assert tessera.read(tmp_path / name).shape == (360, 480)
    assert tessera.read(tmp_path / "tracks.png").shape == (360, 480, 3)


def test_radio(tmp_path):
    said = run_script("radio_polarisation.py", tmp_path)
    found, made = number(r"(\d+) sources found; the field has (\d+)", said)
    assert made == 12 and 9 <= found <= 13
    assert number(r"median \|difference\|: (\S+) rad", said)[0] < 1
    assert tessera.read(tmp_path / "rm.fits").shape == tessera.read(tmp_path / "pi.fits").shape == (160, 192)
    assert tessera.read(tmp_path / "rm.png").max() > 200


@pytest.mark.parametrize("name", ["microscopy_cells.py", "radio_polarisation.py"])
def test_notebooks_are_cells(name):
    """Text and code alternate, so that editors show them as a notebook."""
    cells = re.split(r"^# %%", (EXAMPLES / name).read_text(), flags=re.MULTILINE)[1:]
    texts = [cell for cell in cells if cell.startswith(" [markdown]\n")]
    assert len(texts) >= 5 and len(cells) >= 2 * len(texts)
    assert all(line.startswith("#") for cell in texts for line in cell.splitlines()[1:])


@pytest.fixture
def spots():
    program = Path(os.environ.get("TESSERA_EXAMPLES", BUILD / "examples")) / "spots_example"
    if not program.is_file():
        pytest.skip(f"the example is not at {program}")
    return program


def test_spots(spots, cli, tmp_path):
    cli("sample", "points", tmp_path / "stars.npy", "--size", "512x384", "--sources", 40, "--noise", 1,
        "--truth", tmp_path / "t.csv")
    rows = list(csv.DictReader(run(spots, tmp_path / "stars.npy", "1.5", timeout=SECONDS).splitlines()))
    truth = list(csv.DictReader((tmp_path / "t.csv").read_text().splitlines()))
    places = np.array([[float(row["x"]), float(row["y"])] for row in rows])
    made = np.array([[float(row["x"]), float(row["y"])] for row in truth])
    distance = np.hypot(*(places[:, None] - made[None]).transpose(2, 0, 1))
    assert (distance.min(0) < 2).mean() > 0.8  # of those that were made; faint ones are missed
    assert (distance.min(1) < 2).mean() > 0.9  # of those that were found
    assert all(float(row["signal_to_noise"]) > 5 for row in rows)


@pytest.mark.parametrize("words, status, message", [
    ([], 2, "usage: spots_example IN [SIGMA]\n"), (["none.npy"], 3, "none.npy"), (["none.npy", "wide"], 2, "SIGMA")])
def test_spots_complains_in_one_sentence(spots, tmp_path, words, status, message):
    done = subprocess.run([spots, *words], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == status and message in done.stderr and done.stderr.count("\n") == 1
