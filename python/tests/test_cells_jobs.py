# SPDX-License-Identifier: Apache-2.0
"""preview_cells and track_films give what the commands print and write."""
import json
import subprocess

import numpy as np
import pytest
from disc_films import ROLLING, STANDING, discs
from package_build import BUILD

import tessera


@pytest.fixture(scope="module")
def films(tmp_path_factory):
    folder = tmp_path_factory.mktemp("films")
    for number in (1, 2):
        np.save(folder / f"film {number}.npy", discs((ROLLING + STANDING)[:number + 2], frames=12))
    return folder


def without_times(value):
    """JSON of a run without what differs from run to run."""
    if isinstance(value, dict):
        return {key: without_times(part) for key, part in value.items() if key not in ("seconds", "output")}
    return [without_times(part) for part in value] if isinstance(value, list) else value


def test_preview_is_that_of_the_command(cli, films, tmp_path):
    film = films / "film 1.npy"
    page, other = tmp_path / "page.html", tmp_path / "other.html"
    printed = json.loads(cli("cells", "preview", film, "-o", page, "--um-per-pixel", 0.5, "--json"))
    made = tessera.preview_cells(film, output=other, um_per_pixel=0.5)
    assert without_times(made) == without_times(printed)
    assert made["tracks"] == 3 and made["command"].startswith("tessera cells track")
    assert page.read_bytes() == other.read_bytes()
    with pytest.raises(ValueError, match=r"other\.html"):
        tessera.preview_cells(film, output=other)
    tessera.preview_cells(film, output=other, force=True)


def test_preview_of_an_array_needs_no_file(films, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frames = np.load(films / "film 2.npy")
    made = tessera.preview_cells(frames, name="camera")
    assert made["film"]["name"] == "camera" and made["tracks"] == 4 and made["output"] == ""
    assert not list(tmp_path.iterdir())
    of_file = tessera.preview_cells(films / "film 2.npy")
    assert made["frames"] == of_file["frames"] and made["radii"] == of_file["radii"]
    with pytest.raises(ValueError, match="name is for arrays"):
        tessera.preview_cells(films / "film 2.npy", name="camera")
    with pytest.raises(ValueError, match="several films"):
        tessera.preview_cells(films)


def test_films_are_those_of_the_command(cli, films, tmp_path):
    keywords = {"overlay": False, "report": False}
    rows = tessera.track_films(films, tmp_path / "ours", **keywords, files_at_once=1)
    assert [(row["film"], row["state"], row["cells"]) for row in rows] == [
        ("film 1.npy", "ok", 3), ("film 2.npy", "ok", 4)]
    assert rows == json.loads((tmp_path / "ours/films.json").read_text())["films"]
    cli("cells", "track", films, "-o", tmp_path / "theirs", "--overlay", "no", "--report", "no")
    theirs = json.loads((tmp_path / "theirs/films.json").read_text())["films"]
    assert without_times(rows) == without_times(theirs)
    for name in ("film 1", "film 2"):
        assert (tmp_path / "ours" / name / "tracks.csv").read_bytes() == (
            tmp_path / "theirs" / name / "tracks.csv").read_bytes()
    again = tessera.track_films(films, tmp_path / "ours", **keywords)
    assert again == rows, "an earlier run's films are not followed again"


def test_films_that_fail_have_a_row_and_a_warning(films, tmp_path):
    folder = tmp_path / "films"
    folder.mkdir()
    (folder / "good.npy").write_bytes((films / "film 1.npy").read_bytes())
    (folder / "worse.npy").write_bytes(b"not a film")
    with pytest.warns(UserWarning, match=r"worse\.npy"):
        rows = tessera.track_films(folder, tmp_path / "out", overlay=False, report=False)
    assert [(row["film"], row["state"]) for row in rows] == [("good.npy", "ok"), ("worse.npy", "failed")]
    assert "worse.npy" in rows[1]["error"]


def test_a_single_film_is_refused(films, tmp_path):
    with pytest.raises(ValueError, match="a single film; give a folder"):
        tessera.track_films(films / "film 1.npy", tmp_path / "out")
    with pytest.raises(TypeError, match="edits"):
        tessera.track_films(films, tmp_path / "out", edits="edits.csv")


def test_an_npy_film_is_watched_through_a_pipe(cli, films, tmp_path):
    film = films / "film 1.npy"
    header = len(film.read_bytes()) - np.load(film).size
    assert header == 128, "as docs/cells.md says"
    watched = subprocess.run([BUILD / "tessera", "cells", "watch", "-", "-o", tmp_path / "watched", "--raw",
                              f"200x150:u8:skip={header}"], input=film.read_bytes(), capture_output=True)
    assert watched.returncode == 0, watched.stderr
    cli("cells", "track", film, "-o", tmp_path / "tracked", "--overlay", "no", "--report", "no")
    assert (tmp_path / "watched/tracks.csv").read_bytes() == (tmp_path / "tracked/tracks.csv").read_bytes()
