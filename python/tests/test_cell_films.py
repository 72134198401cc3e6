# SPDX-License-Identifier: Apache-2.0
"""Films with truth and scores: the same as the command line's."""
import json

import numpy as np
import pytest

import tessera

SMALL = {"frames": 40, "cells": 5, "stops": 1}


def test_film_is_the_command_lines(cli, tmp_path):
    cli("sample", "cells", tmp_path / "a.npy", "--truth", tmp_path / "a.csv", "--size", "320x240", "--seed", "5",
        "--frames", "40", "--cells", "5", "--stops", "1")
    frames, truth = tessera.sample_cells(320, 240, seed=5, **SMALL)
    assert frames.shape == (40, 240, 320) and frames.dtype == np.uint8
    assert np.array_equal(frames, np.load(tmp_path / "a.npy"))
    score = tessera.score_cells(tmp_path / "a.csv", truth)
    assert score["alpha"] > 1 - 1e-6 and score["found_share"] == 1


def test_cells_are_in_the_film():
    frames, truth = tessera.sample_cells(seed=2, preset="easy", noise=0, texture=0, walls=0, light=0, dtype="float32")
    assert frames.dtype == np.float32
    assert len(np.unique(truth["TRACK_ID"])) == 12
    columns = (truth[name] for name in ("FRAME", "POSITION_X", "POSITION_Y", "SCORE"))
    for frame, x, y, score in zip(*columns, strict=True):
        assert frames[frame, round(y), round(x)] >= 110 - score - 1e-3  # at least; more where two overlap


def test_score_of_tables_and_files(cli, tmp_path):
    _, truth = tessera.sample_cells(seed=1, preset="hard")
    moved = dict(truth, POSITION_X=truth["POSITION_X"] + 1)
    score = tessera.score_cells(truth, moved)
    assert score["rmse"] == pytest.approx(1) and score["alpha"] == pytest.approx(0.8)
    assert score["crossings"] >= 8 and score["kept_share"] == 1
    assert tessera.score_cells(truth, moved, gate=0.5, near=0.5)["found"] == 0
    names = list(truth)
    for name, table in (("truth.csv", truth), ("moved.csv", moved)):
        rows = [",".join(str(float(value)) for value in row) for row in zip(*table.values(), strict=True)]
        (tmp_path / name).write_text("\n".join([",".join(names), *rows]) + "\n")
    said = json.loads(cli("cells", "score", tmp_path / "truth.csv", tmp_path / "moved.csv", "--json"))
    assert said == pytest.approx(score)


def test_nothing_found_is_none():
    _, truth = tessera.sample_cells(320, 240, **SMALL)
    empty = {name: column[:0] for name, column in truth.items()}
    score = tessera.score_cells(truth, empty)
    assert score["recall"] == 0 and score["precision"] is None and score["rmse"] is None


@pytest.mark.parametrize("table, message", [
    ({"FRAME": [0]}, "score_cells: result has no column TRACK_ID"),
    ({"TRACK_ID": [1, 1], "FRAME": [0], "POSITION_X": [1], "POSITION_Y": [1]}, "different lengths"),
    ({"TRACK_ID": [1, 1], "FRAME": [0, 0], "POSITION_X": [1, 2], "POSITION_Y": [1, 2]},
     "line 1: track 1 is in frame 0 for the second time"),
    ({"TRACK_ID": [1.5], "FRAME": [0], "POSITION_X": [1], "POSITION_Y": [1]}, "TRACK_ID is 1.5; it must be whole"),
    ({"TRACK_ID": [1], "FRAME": [0], "POSITION_X": [np.nan], "POSITION_Y": [1]}, "not a cell's position"),
])
def test_bad_tables(table, message):
    good = {"TRACK_ID": [1], "FRAME": [0], "POSITION_X": [1], "POSITION_Y": [1]}
    with pytest.raises(ValueError, match=message):
        tessera.score_cells(good, table)


def test_bad_options(tmp_path):
    with pytest.raises(ValueError, match="cells: noise is -1"):
        tessera.sample_cells(noise=-1)
    with pytest.raises(TypeError, match="did you mean 'preset'"):
        tessera.sample_cells(presets="hard")
    with pytest.raises(OSError, match="none.csv"):
        tessera.score_cells(tmp_path / "none.csv", tmp_path / "none.csv")
