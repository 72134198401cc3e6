# SPDX-License-Identifier: Apache-2.0
"""track_cells and its files are those of `tessera cells track` for the same film and options."""
import csv
import json
import re
import shutil
import warnings

import numpy as np
import pytest
from disc_films import two_roll_one_stands
from made_files import contents, differing, same

import tessera
from tessera import _tessera

FILES = {"masks": True, "ctc": True, "geff": True}
TABLES = ["tracks.csv", "summary.csv", "histogram.csv", "spots.csv", "trackmate.xml", "isbi.xml", "summary.json"]


@pytest.fixture(scope="module")
def film():
    return two_roll_one_stands()


@pytest.fixture
def saved(film, tmp_path):
    np.save(tmp_path / "film.npy", film)
    return tmp_path / "film.npy"


def words_of(options):
    """Keywords as the command line writes them."""
    def said(value):
        return ("yes" if value else "no") if isinstance(value, bool) else value

    return [word for name, value in options.items() for word in ("--" + name.replace("_", "-"), said(value))]


def command(cli, film, folder, options, files, code=0):
    """The files that the command makes; by default tables only."""
    words = words_of(options | {"overlay": False, "report": False} | files)
    cli("cells", "track", film, "-o", folder, *words, code=code)
    return contents(folder)


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


OPTION_SETS = {
    "defaults": {},
    "calibration": {"um_per_pixel": 0.32, "frame_rate": 25},
    "flux": {"flow": 0, "flux_line": "65,0,65,89", "frame_rate": 30},
    "measure": {"speed_window": 7, "still_speed": 0.3, "adherent_seconds": 1},
    "polygon": {"inside": "0,35 129,35 129,89 0,89", "um_per_pixel": 0.5},
    "part of the film": {"first_frame": 10, "frames": 40, "background": "none", "min_frames": 5},
    "too short to judge": {"frames": 30, "frame_rate": 30},
    "limits": {"max_side": 500, "max_pages": 200, "threads": 1, "memory_limit": 1 << 28},
    "classic": {"model": "classic", "crop": "0,0,130x90", "frames": 12},
}


@pytest.mark.parametrize("options", OPTION_SETS.values(), ids=OPTION_SETS)
def test_a_file_gives_the_files_of_the_command(cli, saved, tmp_path, options):
    expected = command(cli, saved, tmp_path / "command", options, FILES)
    result = tessera.track_cells(saved, **options)
    names = result.write(tmp_path / "python", overlay=False, report=False, **FILES)
    made = contents(tmp_path / "python")
    assert differing(made, expected) == []
    assert result.summary == json.loads(expected["summary.json"])
    assert names == [*TABLES, "masks.tif", "ctc/", "tracks.geff/"] and "followed.tracks" in made
    assert same(result, tessera.track_cells(str(saved), **options))


@pytest.mark.parametrize("options", OPTION_SETS.values(), ids=OPTION_SETS)
def test_an_array_gives_the_files_of_the_command(cli, film, saved, tmp_path, options):
    expected = command(cli, saved, tmp_path / "command", options, FILES)
    result = tessera.track_cells(film, name=str(saved), **options)
    result.write(tmp_path / "python", overlay=False, report=False, **FILES)
    made = contents(tmp_path / "python")
    assert differing(made, expected) == ["followed.tracks", "summary.json"] and "followed.tracks" not in made
    assert made["summary.json"] == expected["summary.json"].replace(b'"format": "NPY"', b'"format": "array"')
    assert result.summary == json.loads(made["summary.json"])


def test_pictures_are_those_of_the_command(cli, film, saved, tmp_path):
    pictures = {"overlay": True, "report": True}
    expected = command(cli, saved, tmp_path / "command", {"flow": 0}, pictures)
    if "overlay.mp4" not in expected or b"the page shows no film" in expected["report.html"]:
        pytest.skip("ffmpeg is missing")
    tessera.track_cells(saved, flow=0).write(tmp_path / "python")
    assert differing(contents(tmp_path / "python"), expected) == []
    tessera.track_cells(film, flow=0, name=str(saved)).write(tmp_path / "array")
    made = contents(tmp_path / "array")
    assert differing(made, expected) == ["followed.tracks", "report.html", "summary.json"]
    assert made["report.html"] == expected["report.html"].replace(b'"format":"NPY"', b'"format":"array"')


@pytest.fixture
def uncertain(saved):
    return {"min_radius": 18, "max_radius": 22}


def test_an_uncertain_film(cli, saved, tmp_path, uncertain):
    expected = command(cli, saved, tmp_path / "command", uncertain, {}, code=4)
    with pytest.warns(UserWarning, match="^track_cells: uncertain: .* smaller than the 18 to 22 pixels"):
        result = tessera.track_cells(saved, **uncertain)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # it was said before
        result.write(tmp_path / "python", overlay=False, report=False)
    assert differing(contents(tmp_path / "python"), expected) == []
    assert result.uncertain and result.reasons == json.loads(expected["summary.json"])["doubts"]
    assert result.summary["background_choice"]["confidence"] == "low"


def test_a_certain_film(film):
    result = tessera.track_cells(film, frame_rate=30)
    assert result.uncertain is False and result.reasons == []
    assert result.summary["background_choice"]["confidence"] == "high"
    counts = result.summary["counts"]
    assert (counts["tracks"], counts["rolling"], counts["adherent"]) == (3, 2, 1)
    assert sorted(result.classes.values()) == ["adherent", "rolling", "rolling"]
    short = tessera.track_cells(film[:30], frame_rate=30)
    assert short.summary["counts"]["adherent"] is None and "adherent" not in short.classes.values()


def test_tables_are_those_of_the_files(film, tmp_path):
    result = tessera.track_cells(film, um_per_pixel=0.32, frame_rate=25, flow=0)
    result.write(tmp_path, overlay=False, report=False)
    for table, name in ((result, "tracks.csv"), (result.cells, "summary.csv"), (result.histogram, "histogram.csv")):
        rows = rows_of(tmp_path / name)
        assert list(table) == list(rows[0]) and all(len(column) == len(rows) for column in table.values())
        for column, values in table.items():
            written = [row[column] for row in rows]
            if column == "CLASS":
                assert written == values.tolist()
            else:
                assert np.allclose([float(value or "nan") for value in written], values, rtol=1e-8, equal_nan=True)
    assert result["T"] == pytest.approx(result["FRAME"] / 25)
    assert result["SPEED_UM_S"] == pytest.approx(result["SPEED"] * 0.32 * 25)
    assert result.cells["FRAMES"].dtype == np.int64 and result["SEEN"].dtype == bool
    assert result.classes == dict(zip(result.cells["TRACK_ID"], result.cells["CLASS"], strict=True))
    assert result.flux == result.summary["counts"]["flux"] and result.flux["crossings"] == 2
    assert result.options["flow"] == 0 and result.options["min_radius"] == 6 and result.options["speed_window"] == 15


def test_times_and_lengths_need_a_calibration(film):
    assert not {"T", "POSITION_X_UM"} & tessera.track_cells(film[:20]).keys()
    assert "T" in tessera.track_cells(film[:20], frame_rate=30)
    assert "POSITION_X_UM" in tessera.track_cells(film[:20], um_per_pixel=1)


def test_calibration_of_the_file(cli, film, tmp_path):
    tifffile = pytest.importorskip("tifffile")
    path = tmp_path / "stack.tif"
    about = {"unit": "um", "finterval": 0.05, "axes": "TYX"}
    tifffile.imwrite(path, film, imagej=True, resolution=(4, 4), metadata=about)
    expected = command(cli, path, tmp_path / "command", {}, {})
    result = tessera.track_cells(path)
    assert result.summary["calibration"] == {"frame_rate": 20, "frame_rate_from": "film", "um_per_pixel": 0.25,
                                             "um_per_pixel_from": "film"}
    assert result["POSITION_X_UM"] == pytest.approx(result["POSITION_X"] / 4)
    result.write(tmp_path / "python", overlay=False, report=False)
    assert differing(contents(tmp_path / "python"), expected) == []
    overruled = tessera.track_cells(path, um_per_pixel=1).summary
    assert overruled["calibration"]["um_per_pixel_from"] == "given"
    assert any("0.25 um" in note for note in overruled["notes"])


def test_channel_and_slice_of_a_stack(film, tmp_path):
    tifffile = pytest.importorskip("tifffile")
    part = film[:30]
    stack = np.stack([np.stack([part // 2, part], 1), np.zeros((30, 2, *part.shape[1:]), "uint8")], 2)
    tifffile.imwrite(tmp_path / "stack.tif", stack, imagej=True, metadata={"axes": "TZCYX"})
    expected = tessera.track_cells(part)
    assert len(expected["FRAME"])
    for z in (1, "max"):
        assert same(tessera.track_cells(tmp_path / "stack.tif", channel=0, z=z), expected)
    with pytest.raises(ValueError, match="channel"):
        tessera.track_cells(tmp_path / "stack.tif", z=0)
    with pytest.raises(TypeError, match="z is 'maximum'; it must be the number of a slice"):
        tessera.track_cells(tmp_path / "stack.tif", channel=0, z="maximum")


def test_edits_of_a_table(cli, saved, tmp_path):
    edits = tmp_path / "edits.csv"
    edits.write_text("EDIT,TRACK,FRAME,OTHER,X,Y,RADIUS\nsplit,1,40\ndelete,2\nadd,50,5,,100,20,8\n")
    expected = command(cli, saved, tmp_path / "command", {"edits": edits}, FILES)
    result = tessera.track_cells(saved, edits=edits)
    result.write(tmp_path / "python", overlay=False, report=False, **FILES)
    assert differing(contents(tmp_path / "python"), expected) == []
    assert result.summary["edits"] == 3 and 50 in result["TRACK_ID"] and 2 not in result["TRACK_ID"]
    # Its tracks before edits serve the command, too.
    again = cli("cells", "track", saved, "-o", tmp_path / "python", "--edits", edits, "--force", "--json",
                *words_of({"overlay": False, "report": False}))
    assert any("not followed again" in note for note in json.loads(again)["notes"])


def test_edits_of_trackmate(cli, film, saved, tmp_path):
    tessera.track_cells(saved).write(tmp_path / "first", overlay=False, report=False)
    corrected = tmp_path / "corrected.xml"
    text = (tmp_path / "first" / "trackmate.xml").read_text()
    corrected.write_text(re.sub(r'<Track [^>]*TRACK_ID="1".*?</Track>', "", text, count=1, flags=re.DOTALL))
    expected = command(cli, saved, tmp_path / "command", {"edits": corrected}, {})
    result = tessera.track_cells(saved, edits=corrected)
    result.write(tmp_path / "python", overlay=False, report=False)
    assert differing(contents(tmp_path / "python"), expected) == [] and 1 not in result["TRACK_ID"]
    assert same(result, tessera.track_cells(film, edits=str(corrected)))


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int32", "float64"])
def test_inside_an_array(cli, film, saved, tmp_path, dtype):
    mask = np.zeros(film.shape[1:], dtype)
    mask[40:, :80] = 1
    np.save(tmp_path / "mask.npy", mask.astype("uint8"))
    command(cli, saved, tmp_path / "command", {"inside": tmp_path / "mask.npy"}, {})
    result = tessera.track_cells(saved, inside=mask)
    result.write(tmp_path / "python", overlay=False, report=False)
    made, expected = contents(tmp_path / "python"), contents(tmp_path / "command")
    assert differing(made, expected) == ["summary.json"]
    assert made["summary.json"] == expected["summary.json"].replace(str(tmp_path / "mask.npy").encode(), b"array")
    assert same(result, tessera.track_cells(film, inside=np.asfortranarray(mask)))
    assert same(result, tessera.track_cells(film, inside=tmp_path / "mask.npy"))

    class OnDevice:
        __cuda_array_interface__ = None

        def get(self):
            return mask

    assert same(result, tessera.track_cells(film, inside=OnDevice()))
    assert 0 < len(result["FRAME"]) < len(tessera.track_cells(film)["FRAME"])


@pytest.mark.parametrize("dtype", ["int16", "uint16", "float32", "float64"])
def test_types_of_arrays(cli, film, tmp_path, dtype):
    wide = film.astype(dtype) * 100 - (5000 if dtype == "int16" else 0)
    np.save(tmp_path / "film.npy", wide.astype("float32") if dtype == "int16" else wide)
    expected = command(cli, tmp_path / "film.npy", tmp_path / "command", {}, {})
    result = tessera.track_cells(wide, name=str(tmp_path / "film.npy"))
    result.write(tmp_path / "python", overlay=False, report=False)
    assert differing(contents(tmp_path / "python"), expected) == ["followed.tracks", "summary.json"]


def test_one_frame(cli, film, tmp_path):
    np.save(tmp_path / "one.npy", film[:1])
    expected = command(cli, tmp_path / "one.npy", tmp_path / "command", {}, {})
    result = tessera.track_cells(film[:1], name=str(tmp_path / "one.npy"))
    result.write(tmp_path / "python", overlay=False, report=False)
    assert differing(contents(tmp_path / "python"), expected) == ["followed.tracks", "summary.json"]
    assert len(result["FRAME"]) == 3 and set(result.classes.values()) == {"unknown"} and result.flux is None


def test_no_cells(tmp_path):
    result = tessera.track_cells(np.full((40, 80, 96), 7, "uint8"))
    assert len(result["FRAME"]) == len(result.cells["CLASS"]) == len(result.histogram["TRACKS"]) == 0
    assert result.classes == {} and result.summary["counts"]["mean_speed"] is None
    assert result.write(tmp_path / "out", overlay=False, report=False) == TABLES


@pytest.mark.parametrize("options, error, sentence", [
    ({"inside": np.ones((10, 12))}, ValueError,
     "cells: inside array: the mask has 12x10 pixels and the film 130x90; they must be the same"),
    ({"inside": np.ones((2, 90, 130))}, ValueError, r"inside is \(2, 90, 130\); it must be \(rows, columns\)"),
    ({"inside": [(0, 9), (99, 9), (99, 80)]}, ValueError, r"inside is \(3, 2\); .* a polygon is text, 'X1,Y1 X2,Y2"),
    ({"inside": [["a", "b", "c"]]}, TypeError, "inside has dtype <U1; it must be bool or numbers"),
    ({"inside": np.zeros((90, 130))}, ValueError, "all pixels of the mask are 0"),
    ({"inside": "1,2 3,4"}, ValueError, "cells: inside '1,2 3,4': a polygon has three corners or more"),
    ({"inside": "none.png"}, ValueError, "cells: inside 'none.png': it is neither a polygon"),
    ({"um_per_pixels": 1}, TypeError, r"track_cells\(\) has no option 'um_per_pixels'; did you mean 'um_per_pixel'"),
    ({"um_per_pixel": 0}, ValueError, "track_cells: um_per_pixel is 0; it can be more than 0"),
    ({"frame_rate": "fast"}, TypeError, "track_cells: frame_rate is 'fast'; it must be a number"),
    ({"edits": "none.csv"}, OSError, "none.csv"),
    ({"edits": 5}, TypeError, "track_cells: edits is 5; it must be a path"),
    ({"flux_line": "1,2,3"}, ValueError, "flux.line"),
    ({"channel": 1}, ValueError, "array.*channel"),
    ({"first_frame": 62}, ValueError, "array: there is no frame 62; it has 62"),
])
def test_bad_options(film, options, error, sentence):
    with pytest.raises(error, match=sentence) as caught:
        tessera.track_cells(film, **options)
    assert "\n" not in str(caught.value) and "--" not in str(caught.value)


def test_bad_films(film, saved, tmp_path):
    with pytest.raises(OSError, match="none.avi"):
        tessera.track_cells(tmp_path / "none.avi")
    with pytest.raises(ValueError, match="name is for arrays"):
        tessera.track_cells(saved, name="other.npy")
    with pytest.raises(ValueError, match="'-', standard input; give an array or the path of a file"):
        tessera.track_cells("-")
    shutil.copy(saved, tmp_path / "second.npy")
    with pytest.raises(ValueError, match="stands for several films; give one of them"):
        tessera.track_cells(tmp_path)
    with pytest.raises(ValueError, match=r"film is \(90, 130\); it must be \(frames, rows, columns\)"):
        tessera.track_cells(film[0])


def test_a_damaged_film_gives_its_first_frames(film, saved):
    missing = film[30:].nbytes - 5000  # frame 30 is incomplete
    saved.write_bytes(saved.read_bytes()[:-missing])
    with pytest.warns(UserWarning, match="track_cells: .*film.npy.*tracks cover the 30 frames before"):
        result = tessera.track_cells(saved)
    assert result.summary["film"]["frames"] == 30 and not result.uncertain


def test_every_option_of_the_command_is_a_keyword(cli):
    options = set(re.findall(r"^  --([a-z-]+)", cli("cells", "track", "--help"), re.MULTILINE))
    # Batches, runs of several processes, and what the command prints.
    elsewhere = {"files-at-once", "json", "quiet", "help", "progress", "mpi", "part", "allow-mixed"}
    assert len(options) > 40
    for name in sorted(options - elsewhere):
        text = tessera.track_cells.__doc__ + _tessera.FilmOfCells.write.__doc__
        assert re.search(rf"^    {name.replace('-', '_')} \(", text, re.MULTILINE), name
