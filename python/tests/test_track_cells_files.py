# SPDX-License-Identifier: Apache-2.0
"""CellTracks: a dict that writes files, whole ones, and nothing over those that exist."""
import copy
import inspect
import pickle
import re
import signal
import threading

import pytest
from disc_films import two_roll_one_stands
from made_files import contents, differing, same

import tessera
from tessera import _tessera

TABLES = ["tracks.csv", "summary.csv", "histogram.csv", "spots.csv", "trackmate.xml", "isbi.xml", "summary.json"]


@pytest.fixture(scope="module")
def film():
    return two_roll_one_stands()


def test_files_that_exist_stay(film, tmp_path):
    result = tessera.track_cells(film)
    result.write(tmp_path, overlay=False, report=False)
    (tmp_path / "tracks.csv").write_text("mine\n")
    before = contents(tmp_path)
    with pytest.raises(ValueError, match="tracks.csv exists; give the option force"):
        result.write(tmp_path, overlay=False, report=False)
    with pytest.raises(TypeError, match="folder is 5; it must be a path"):
        result.write(5)
    with pytest.raises(TypeError, match="masks is 'yes'; it must be True or False"):
        result.write(tmp_path, masks="yes", force=True)
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="file"):
        result.write(tmp_path / "file", force=True)
    (tmp_path / "file").unlink()
    assert differing(contents(tmp_path), before) == []
    result.write(tmp_path, overlay=False, report=False, geff=True, force=True)
    assert (tmp_path / "tracks.csv").read_text() != "mine\n" and (tmp_path / "tracks.geff").is_dir()
    result.write(tmp_path, overlay=False, report=False, force=True)
    assert differing(contents(tmp_path), before) == ["tracks.csv"]


def test_a_missing_program_is_a_warning(film, tmp_path, monkeypatch):
    monkeypatch.setenv("TESSERA_FFMPEG", str(tmp_path / "none"))
    result = tessera.track_cells(film[:20])
    with pytest.warns(UserWarning, match="^write: overlay.mp4 was not made"):
        names = result.write(tmp_path / "out", report=False)
    assert names == TABLES and not (tmp_path / "out" / "overlay.mp4").exists()


def test_it_is_a_dict_that_can_be_pickled(film, tmp_path):
    result = tessera.track_cells(film, frame_rate=30)
    assert isinstance(result, dict) and isinstance(result, tessera.CellTracks) and type(result.copy()) is dict
    for other in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        assert same(other, result) and other.summary == result.summary and other.classes == result.classes
        with pytest.raises(ValueError, match="a copy without the film"):
            other.write(tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_signal_stops_write(film, tmp_path):
    class Rang(Exception):
        pass

    def ring(*_):
        raise Rang

    result = tessera.track_cells(film)
    before = signal.signal(signal.SIGALRM, ring)
    try:
        with pytest.raises(Rang):
            signal.setitimer(signal.ITIMER_REAL, 0.005)  # sooner than the last of 62 files
            result.write(tmp_path / "out", overlay=False, report=False, ctc=True)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert not (tmp_path / "out" / "summary.json").exists()
    result.write(tmp_path / "out", overlay=False, report=False, ctc=True, force=True)
    assert len(list((tmp_path / "out" / "ctc").glob("*.tif"))) == len(film)


def test_write_does_not_hold_the_lock(film, tmp_path):
    result = tessera.track_cells(film)
    worker = threading.Thread(target=lambda: result.write(tmp_path / "out", overlay=False, report=False, ctc=True))
    worker.start()
    turns = 0
    while worker.is_alive():
        turns += 1
    assert turns > 1000 and (tmp_path / "out" / "summary.json").exists()


def test_write_has_the_options_of_the_command():
    """CellTracks.write spells out what the module makes of the job's options."""
    listed = re.findall(r"^    (\w+) \((True|False)\)", _tessera.FilmOfCells.write.__doc__, re.MULTILINE)
    keywords = [(name, str(one.default)) for name, one in inspect.signature(tessera.CellTracks.write).parameters.items()
                if one.kind is one.KEYWORD_ONLY]
    assert listed == keywords and len(keywords) == 6
