# SPDX-License-Identifier: Apache-2.0
"""Cells from arrays: the same tracks as from films on the command line, and XML that parses."""
import csv
import json
import os
import threading
import warnings
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from disc_films import ROLLING, STANDING, discs
from made_files import same

import tessera

OPTIONS = {"min_frames": 5, "method": "reference"}
COLUMNS = ["TRACK_ID", "FRAME", "POSITION_X", "POSITION_Y", "RADIUS", "SCORE", "SPEED", "SEEN", "AREA", "PERIMETER",
           "ELONGATION"]


def small_film(frames=16, dtype="uint8"):
    """Three discs on noise: one rolls to the right, one to the left, one stands."""
    noise = np.random.default_rng(5)
    rows, columns = np.mgrid[:80, :96]
    film = np.empty((frames, 80, 96))
    for k in range(frames):
        film[k] = 100 + noise.normal(0, 2, (80, 96))
        for x, y, speed, height in [(30, 30, 1, 40), (66, 52, -0.5, -35), (48, 40, 0, 40)]:
            film[k] += height / (1 + np.exp(2 * (np.hypot(columns - x - speed * k, rows - y) - 7)))
    return film.round().clip(0, 255).astype(dtype)


def test_table_of_tracks():
    tracks = tessera.track_cells(small_film(), **OPTIONS)
    assert list(tracks) == COLUMNS
    count = len(tracks["FRAME"])
    assert count > 0 and all(len(column) == count for column in tracks.values())
    assert tracks["TRACK_ID"].dtype == np.int64 and tracks["SEEN"].dtype == bool
    for track in np.unique(tracks["TRACK_ID"]):
        frames = tracks["FRAME"][tracks["TRACK_ID"] == track]
        assert np.array_equal(frames, np.arange(frames[0], frames[0] + len(frames)))
    assert same(tracks, tessera.track_cells(small_film(), **OPTIONS, threads=1))


def ellipse_film(longer, shorter, angle, frames=16):
    """One bright ellipse that rolls to the right."""
    noise = np.random.default_rng(6)
    rows, columns = np.mgrid[:80, :120]
    film = np.empty((frames, 80, 120))
    for k in range(frames):
        x, y = columns - 35 - k, rows - 40
        along = x * np.cos(angle) + y * np.sin(angle)
        across = y * np.cos(angle) - x * np.sin(angle)
        film[k] = 100 + noise.normal(0, 2, (80, 120)) + 40 / (1 + np.exp(12 * (np.hypot(along / longer,
                                                                                      across / shorter) - 1)))
    return film


@pytest.mark.parametrize("longer, shorter", [(9, 9), (11, 8), (12, 7)])
def test_shape_is_that_of_the_cell(longer, shorter):
    film = ellipse_film(longer, shorter, 0.5)
    cells = tessera.Cells(film.shape[1:], "float64", **OPTIONS)
    for frame in film:
        cells.add(frame)
    cells.finish()
    tracks, outlines = cells.tracks(), cells.outlines()
    assert outlines.shape == (len(tracks["FRAME"]), 20) and outlines.dtype == np.float32
    known = np.isfinite(tracks["AREA"])
    assert known.sum() >= 8 and not known[0], "the first spot is a detection, which has no outline"
    assert np.array_equal(np.isfinite(outlines).all(1), known) and np.array_equal(np.isnan(outlines).all(1), ~known)
    # Polygons with 20 corners are 1.6% smaller than a circle.
    assert np.median(tracks["AREA"][known]) == pytest.approx(0.984 * np.pi * longer * shorter, rel=0.05)
    assert np.median(tracks["ELONGATION"][known]) == pytest.approx(longer / shorter, rel=0.06)
    # The first direction is to the right, the next is further down: the longer axis points that way.
    mean = np.nanmean(outlines, axis=0)
    if longer > shorter:
        assert np.argmax(mean[:10]) in (1, 2)
    area = np.sum(outlines * np.roll(outlines, -1, 1), 1, dtype=float) * np.sin(np.pi / 10) / 2
    assert tracks["AREA"][known] == pytest.approx(area[known], rel=1e-5)


def test_outlines_of_no_tracks():
    cells = tessera.Cells((80, 96), "uint8", **OPTIONS)
    cells.add(np.zeros((80, 96), "uint8"))
    cells.finish()
    assert cells.outlines().shape == (0, 20)


def test_speed_is_the_slope_of_a_line():
    tracks = tessera.track_cells(small_film(), **OPTIONS, speed_window=7)
    first = tracks["TRACK_ID"] == tracks["TRACK_ID"][0]
    x, y, speed = (tracks[name][first] for name in ["POSITION_X", "POSITION_Y", "SPEED"])
    window = slice(0, min(7, len(x)))
    t = np.arange(len(x[window]))
    slope = [np.polyfit(t, values[window], 1)[0] for values in (x, y)]
    assert speed[0] == pytest.approx(np.hypot(*slope), abs=1e-9)


@pytest.mark.parametrize("dtype", ["int16", ">i2"])
def test_int16_is_float32(dtype):
    film = small_film(dtype=dtype) - np.array(1000, dtype)
    assert film.min() < 0
    expected = tessera.track_cells(film.astype("float32"), **OPTIONS)
    assert len(expected["FRAME"]) and same(tessera.track_cells(film, **OPTIONS), expected)
    assert same(tessera.track_cells(film[:, ::-1, ::-1][:, ::-1, ::-1], **OPTIONS), expected)
    assert same(tessera.detect_cells(film[0], method="reference"),
                tessera.detect_cells(film[0].astype("float32"), method="reference"))
    for stream_dtype in (dtype, np.dtype(dtype), "float32"):
        cells = tessera.Cells(film.shape[1:], stream_dtype, **OPTIONS)
        for frame in film:
            cells.add(frame)
        cells.finish()
        assert same(cells.tracks(), expected)


def test_strides_and_dtypes_do_not_matter():
    film = small_film()
    wide = np.zeros((16, 160, 192), "uint8")
    wide[:, ::2, ::2] = film
    expected = tessera.track_cells(film, **OPTIONS)
    assert same(expected, tessera.track_cells(wide[:, ::2, ::2], **OPTIONS))
    floats = tessera.track_cells(film.astype("float64"), **OPTIONS)
    assert np.array_equal(floats["POSITION_X"], expected["POSITION_X"])


def test_streaming_gives_the_same_tracks():
    film = small_film()
    cells = tessera.Cells((80, 96), "uint8", **OPTIONS)
    assert "80" in cells.describe() and cells.frames_given == 0
    for frame in film:
        cells.add(frame)
    assert cells.frames_given == 16 and cells.frames_done <= 16
    cells.finish()
    assert cells.frames_done == 16
    assert same(cells.tracks(), tessera.track_cells(film, **OPTIONS))


def test_detections():
    cells = tessera.detect_cells(small_film()[0], method="reference")
    assert list(cells) == ["POSITION_X", "POSITION_Y", "RADIUS", "SCORE"]
    near = np.hypot(cells["POSITION_X"] - 30, cells["POSITION_Y"] - 30)
    assert near.min() < 2
    assert cells["SCORE"][near.argmin()] < 0  # brighter than the ground
    flat = tessera.detect_cells(np.zeros((80, 96), "uint8"), method="reference")
    assert len(flat["SCORE"]) == 0


def test_detections_are_those_of_the_command_line(cli, tmp_path):
    np.save(tmp_path / "one.npy", small_film()[0])
    cli("cells", "detect", tmp_path / "one.npy", "-o", tmp_path / "d.csv", "--method", "reference")
    cells, rows = tessera.detect_cells(small_film()[0], method="reference"), rows_of(tmp_path / "d.csv")
    assert len(rows) == len(cells["SCORE"]) > 0
    assert np.allclose([float(row["POSITION_X"]) for row in rows], cells["POSITION_X"])


@pytest.mark.parametrize("call, error, text", [
    (lambda: tessera.track_cells(np.zeros((80, 96), "uint8")), ValueError, "(frames, rows, columns)"),
    (lambda: tessera.detect_cells(np.zeros((2, 80, 96), "uint8")), ValueError, "(rows, columns)"),
    (lambda: tessera.track_cells(small_film(2), flo=0), TypeError, "flow"),
    (lambda: tessera.track_cells(small_film(2), crop="90,0,20x80"), ValueError, "96x80"),
    (lambda: tessera.track_cells(small_film(2), speed_window=3), ValueError, "speed_window is 3; it can be 5 or more"),
    (lambda: tessera.track_cells(small_film(2), threads=-1), ValueError, "0 or more"),
    (lambda: tessera.Cells((80, 96), method="reference").add(np.zeros((80, 95), "uint8")), ValueError,
     "(80, 96) uint8"),
    (lambda: tessera.Cells((80, 96), method="reference").add(np.zeros((80, 96), "float32")), ValueError, "float32"),
    (lambda: tessera.detect_cells(np.zeros((80, 96), "int64")), TypeError, "int64"),
    (lambda: tessera.detect_cells(small_film(1)[0], background="still"), ValueError, "background is for films"),
    (lambda: tessera.detect_cells(small_film(1)[0], min_frames=3), ValueError, "min_frames is for films"),
    (lambda: tessera.track_cells(small_film(2), model="classic", gap=8), ValueError, "decides gap itself"),
    (lambda: tessera.detect_cells(small_film(1)[0], model="classic", threshold=2), ValueError, "decides threshold"),
    (lambda: tessera.Cells((80, 96), model="classic", polarity="both"), ValueError, "decides polarity itself"),
])
def test_bad_calls(call, error, text):
    with pytest.raises(error) as caught:
        call()
    assert text in str(caught.value)


def test_the_gil_is_released():
    film, done = small_film(), []
    worker = threading.Thread(target=lambda: done.append(tessera.track_cells(film, **OPTIONS)))
    worker.start()
    turns = 0
    while worker.is_alive():
        turns += 1
    worker.join()
    assert turns > 1000 and same(done[0], tessera.track_cells(film, **OPTIONS))


@pytest.fixture
def tracked(cli, tmp_path):
    """The results of the command line for the same film, in a folder."""
    np.save(tmp_path / "a & b.npy", small_film())
    out = tmp_path / "out"
    cli("cells", "track", tmp_path / "a & b.npy", "-o", out, "--min-frames", 5, "--method", "reference",
        "--um-per-pixel", 0.5, "--overlay", "no", "--report", "no")
    return out


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_command_line_gives_the_same(tracked):
    tracks = tessera.track_cells(small_film(), **OPTIONS)
    rows = rows_of(tracked / "tracks.csv")
    assert len(rows) == len(tracks["FRAME"])
    for name in COLUMNS:
        column = np.array([float(row[name] or "nan") for row in rows])
        assert np.allclose(column, tracks[name], rtol=1e-8, atol=1e-8, equal_nan=True)


def test_trackmate_file_is_whole(tracked):
    """Everything TrackMate's reader asks for: spots by frame, edges between known spots, filters, units."""
    root = ElementTree.parse(tracked / "trackmate.xml").getroot()
    rows = rows_of(tracked / "tracks.csv")
    assert root.tag == "TrackMate" and root.get("version")
    model = root.find("Model")
    assert model.get("spatialunits") == "\u00b5m" and model.get("timeunits") == "sec"
    for group in ["SpotFeatures", "EdgeFeatures", "TrackFeatures"]:
        features = model.findall(f"FeatureDeclarations/{group}/Feature")
        assert features and all(set(one.keys()) == {"feature", "name", "shortname", "dimension", "isint"}
                                for one in features)
    declared = {one.get("feature") for one in model.findall("FeatureDeclarations/SpotFeatures/Feature")}
    spots = {spot.get("ID"): spot for spot in model.iter("Spot")}
    assert len(spots) == len(rows) == int(model.find("AllSpots").get("nspots"))
    for frame in model.iter("SpotsInFrame"):
        assert all(spot.get("FRAME") == frame.get("frame") for spot in frame)
    for spot in spots.values():
        assert set(spot.keys()) - {"ID", "name", "ROI_N_POINTS"} == declared
        assert all(np.isfinite(float(spot.get(name))) for name in declared)
    outlined = {spot for spot in spots.values() if spot.get("ROI_N_POINTS")}
    assert len(outlined) == sum(row["AREA"] != "" for row in rows) > 0
    for spot in spots.values():  # corners around the spot, x and y in turn, in its units
        corners = np.array((spot.text or "").split(), float).reshape(-1, 2)
        assert len(corners) == (20 if spot in outlined else 0)
        assert np.all(np.abs(np.hypot(*corners.T) / float(spot.get("RADIUS")) - 1) < 0.5)
    places = sorted((int(row["FRAME"]), float(row["POSITION_X_UM"])) for row in rows)
    assert np.allclose(places, sorted((int(s.get("FRAME")), float(s.get("POSITION_X"))) for s in spots.values()))
    tracks = model.findall("AllTracks/Track")
    filtered = [one.get("TRACK_ID") for one in model.findall("FilteredTracks/TrackID")]
    assert [one.get("TRACK_ID") for one in tracks] == filtered == sorted(
        {row["TRACK_ID"] for row in rows}, key=int)
    for track in tracks:
        for edge in track.findall("Edge"):
            source, target = (spots[edge.get(f"SPOT_{end}_ID")] for end in ["SOURCE", "TARGET"])
            assert int(target.get("FRAME")) == int(source.get("FRAME")) + 1
    settings = root.find("Settings")
    image = settings.find("ImageData")
    assert image.get("filename") == "a & b.npy" and image.get("nframes") == "16"
    assert image.get("folder").endswith("/") and os.path.samefile(image.get("folder"), tracked.parent)
    assert json.loads(root.find("DisplaySettings").text)["trackColorByFeature"] == "TRACK_INDEX"
    for needed in ["BasicSettings", "DetectorSettings", "InitialSpotFilter", "SpotFilterCollection",
                   "TrackerSettings", "TrackFilterCollection", "AnalyzerCollection"]:
        assert settings.find(needed) is not None


def test_trackmate_files_are_read_back(tracked):
    rows = rows_of(tracked / "tracks.csv")
    for name in ["tracks.csv", "trackmate.xml", "spots.csv", "isbi.xml"]:
        score = tessera.score_cells(tracked / "tracks.csv", tracked / name, um_per_pixel=0.5)
        assert score["alpha"] > 1 - 1e-7 and score["rmse"] < 1e-6, name
    with pytest.raises(ValueError, match="spots.csv: positions are in µm, .*um-per-pixel"):
        tessera.score_cells(tracked / "tracks.csv", tracked / "spots.csv")
    with pytest.raises(ValueError, match="um.per.pixel.*0"):
        tessera.score_cells(tracked / "tracks.csv", tracked / "spots.csv", um_per_pixel=0)
    with open(tracked / "spots.csv", newline="", encoding="utf-8") as file:
        header = [next(file).rstrip().split(",") for _ in range(4)]
        assert len(list(file)) == len(rows)
    assert header[0][:4] == ["LABEL", "ID", "TRACK_ID", "QUALITY"] and header[3][4] == "(µm)"


def test_tracks_corrected_in_trackmate(tracked, tmp_path, cli):
    """One track is deleted, and one spot moved, as TrackMate would save it."""
    document = ElementTree.parse(tracked / "trackmate.xml")
    model = document.getroot().find("Model")
    tracks = model.find("AllTracks")
    gone, kept = tracks[0], tracks[1]
    tracks.remove(gone)
    moved = model.find(f"AllSpots/SpotsInFrame/Spot[@ID='{kept[0].get('SPOT_SOURCE_ID')}']")
    moved.set("POSITION_X", "20.0")
    document.write(tmp_path / "corrected.xml")
    said = cli("cells", "track", tmp_path / "a & b.npy", "-o", tmp_path / "again", "--min-frames", 5, "--method",
               "reference", "--um-per-pixel", 0.5, "--overlay", "no", "--report", "no", "--edits",
               tmp_path / "corrected.xml", "--json")
    assert json.loads(said)["edits"] == 2
    before, after = rows_of(tracked / "tracks.csv"), rows_of(tmp_path / "again" / "tracks.csv")
    ids = {row["TRACK_ID"] for row in before}
    assert {row["TRACK_ID"] for row in after} == ids - {gone.get("TRACK_ID")}
    spot = next(row for row in after if row["TRACK_ID"] == kept.get("TRACK_ID"))
    assert float(spot["POSITION_X"]) == 40 and spot["SEEN"] == "1"
    others = ids - {gone.get("TRACK_ID"), kept.get("TRACK_ID")}
    assert [row for row in after if row["TRACK_ID"] in others] == [row for row in before if row["TRACK_ID"] in others]


def test_isbi_file_is_whole(tracked):
    root = ElementTree.parse(tracked / "isbi.xml").getroot()
    rows = rows_of(tracked / "tracks.csv")
    particles = root.findall("TrackContestISBI2012/particle")
    assert len(particles) == len({row["TRACK_ID"] for row in rows})
    found = [(float(d.get("t")), float(d.get("x")), float(d.get("y"))) for p in particles for d in p]
    assert np.allclose(found, [(float(r["FRAME"]), float(r["POSITION_X"]), float(r["POSITION_Y"])) for r in rows])
    assert all(d.get("z") == "0" for p in particles for d in p)


def test_summary_agrees_with_the_tracks(tracked):
    rows, summaries = rows_of(tracked / "tracks.csv"), rows_of(tracked / "summary.csv")
    counts = json.loads((tracked / "summary.json").read_text())["counts"]
    assert counts["tracks"] == len(summaries)
    for name in ["rolling", "resting"]:
        assert counts[name] == sum(one["CLASS"] == name for one in summaries)
    assert counts["adherent"] is None  # 16 frames are too short to judge
    for one in summaries:
        speeds = [float(row["SPEED"]) for row in rows if row["TRACK_ID"] == one["TRACK_ID"]]
        assert len(speeds) == int(one["FRAMES"])
        assert float(one["MEAN_SPEED"]) == pytest.approx(np.mean(speeds), rel=1e-6)
        assert float(one["MEDIAN_SPEED"]) == pytest.approx(np.median(speeds), rel=1e-6)


def test_radii_are_measured():
    frames, rows, columns = np.mgrid[:50, :200, :300].astype(float)
    film = 90 + (7 * columns + 13 * rows + 5 * frames) % 5
    for y, radius in ((60, 30), (145, 34)):
        film += 60 / (1 + np.exp(np.hypot(columns - 60 - 2 * frames, rows - y) - radius))
    cells = tessera.Cells((200, 300), "float64", background="none")
    for frame in film:
        cells.add(frame)
    cells.finish()
    assert len(cells.sizes()) >= 6 and max(cells.sizes()) == pytest.approx(34, abs=3)
    tracks = cells.tracks()
    assert set(tracks["TRACK_ID"]) == {1, 2}
    assert sorted(tracks["RADIUS"][tracks["FRAME"] == 30]) == pytest.approx([30, 34], rel=0.1)


def test_doubts_are_warnings():
    film, other_size = discs(ROLLING), {"min_radius": 18, "max_radius": 22}
    with pytest.warns(UserWarning, match="track_cells: uncertain: .* smaller than the 18 to 22 pixels"):
        tracks = tessera.track_cells(film, **other_size)
    cells = tessera.Cells(film.shape[1:], film.dtype, **other_size)
    for frame in film:
        cells.add(frame)
    cells.finish()
    assert any("smaller than the 18 to 22" in doubt for doubt in cells.doubts())
    assert set(cells.tracks()["TRACK_ID"]) == set(tracks["TRACK_ID"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert set(tessera.track_cells(film)["TRACK_ID"]) == {1, 2, 3}
        assert set(tessera.track_cells(discs([*ROLLING, *STANDING]))["TRACK_ID"]) == {1, 2, 3, 4, 5}


def test_two_frames_give_tracks():
    tracks = tessera.track_cells(discs([(40, 50, 1, 0), (120, 90, 1, 0)], frames=2))
    assert sorted(tracks["TRACK_ID"]) == [1, 1, 2, 2]
