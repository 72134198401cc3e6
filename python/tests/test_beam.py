# SPDX-License-Identifier: Apache-2.0
"""Beams: algebra and images from Python, files through `tessera beam`."""
import json

import numpy as np
import pytest
from survey_files import beam_table, failure, sky_header

import tessera

fits = pytest.importorskip("astropy.io.fits")
PIXEL = 2.5
BEAMS = [(12.0, 9.0, 30.0), (14.0, 10.0, -60.0), (11.0, 11.0, 0.0)]


def source(beam, shape=(64, 72), pixel=PIXEL, centre=(30.3, 37.8)):
    """A source with the shape of a beam and a peak of 1, north up and east to the left."""
    y, x = np.mgrid[:shape[0], :shape[1]]
    north, east = pixel * (y - centre[0]), -pixel * (x - centre[1])
    angle = np.radians(beam[2])
    along = north * np.cos(angle) + east * np.sin(angle)
    across = -north * np.sin(angle) + east * np.cos(angle)
    return np.exp(-4 * np.log(2) * ((along / beam[0]) ** 2 + (across / beam[1]) ** 2)).astype("f4")


def test_algebra():
    assert tessera.convolve_beams((3, 3, 0), (4, 4, 0)) == pytest.approx((5, 5, 0))
    assert tessera.deconvolve_beam((13, 5, 30), (12, 4, 30)) == pytest.approx((5, 3, 30))
    assert tessera.deconvolve_beam((5, 4, 0), (5, 4, 90)) is None
    common = tessera.common_beam(BEAMS)
    assert all(tessera.deconvolve_beam(common, beam) for beam in BEAMS)
    assert tessera.common_beam(BEAMS, circular=True) == (14, 14, 0)
    assert tessera.common_beam(np.array(BEAMS)) == common


def test_image_gets_the_other_beam():
    to = (18, 15, 70)
    made = tessera.beam_smooth(source(BEAMS[0]), BEAMS[0], to, PIXEL)
    assert made.dtype == np.float32
    assert np.abs(made - source(to)).max() < 2e-4
    twice = tessera.beam_smooth(np.stack([source(BEAMS[0])] * 2), BEAMS[0], to, (-PIXEL, PIXEL))
    assert np.array_equal(twice[1], made)
    assert np.array_equal(tessera.beam_smooth(source(BEAMS[0]), BEAMS[0], to, [[-PIXEL, 0], [0, PIXEL]]), made)
    mean = tessera.beam_smooth(source(BEAMS[0]).astype("f8"), BEAMS[0], to, PIXEL, flux="surface")
    assert mean.sum() == pytest.approx(source(BEAMS[0]).astype("f8").sum(), rel=1e-4)
    out = np.empty_like(made)
    assert tessera.beam_smooth(source(BEAMS[0]), BEAMS[0], to, PIXEL, out=out) is out
    assert np.array_equal(out, made)
    kernel = tessera.beam_kernel(BEAMS[0], to, PIXEL)
    assert kernel.sum() == pytest.approx(1)


@pytest.mark.parametrize("call, error, words", [
    (lambda: tessera.beam_smooth(np.zeros((4, 4), "u1"), BEAMS[0], (20, 20, 0), 1), ValueError, "f32 or f64"),
    (lambda: tessera.beam_smooth(np.zeros((4, 4), "f4"), BEAMS[1], BEAMS[0], 1), ValueError, "cannot be reached"),
    (lambda: tessera.beam_smooth(np.zeros((4, 4), "f4"), (3, 2), BEAMS[0], 1), ValueError, r"\(BMAJ, BMIN, BPA\)"),
    (lambda: tessera.beam_smooth(np.zeros(4, "f4"), BEAMS[0], (20, 20, 0), 1), ValueError, "rows, columns"),
    (lambda: tessera.beam_smooth(np.zeros((4, 4), "f4"), BEAMS[0], (20, 20, 0), [1, 2, 3]), ValueError, "CDELT1"),
    (lambda: tessera.common_beam([]), ValueError, "give one or more"),
    (lambda: tessera.deconvolve_beam((1, 2, 0), (1, 1, 0)), ValueError, "the first not smaller"),
])
def test_bad_calls(call, error, words):
    with pytest.raises(error, match=words):
        call()


def write_channels(folder, beams, **more):
    paths = []
    for k, beam in enumerate(beams):
        paths.append(folder / f"c{k}.fits")
        header = sky_header(fits, frequency=1e9 + 1e6 * k, stokes=2, beam=beam, **more)
        fits.writeto(paths[-1], source(beam)[None, None], header)
    return paths


@pytest.mark.parametrize("matrix", [False, True])
def test_files_get_the_common_beam(cli, tmp_path, matrix):
    paths = write_channels(tmp_path, BEAMS, matrix=matrix)
    said = json.loads(cli("beam", *paths, "-o", f"{tmp_path}/out/", "--json"))
    common = tessera.common_beam(BEAMS)
    assert (said["bmaj"], said["bmin"], said["bpa"]) == pytest.approx(common, rel=1e-6)
    for path in paths:
        made = fits.open(tmp_path / "out" / path.name)[0]
        made.verify("exception")
        assert made.data.shape == (1, 1, 64, 72)
        assert (3600 * made.header["BMAJ"], 3600 * made.header["BMIN"]) == pytest.approx(common[:2], rel=1e-6)
        assert made.header["BPA"] == pytest.approx(common[2], abs=1e-4)
        assert made.header["CTYPE3"] == "FREQ"
        assert np.abs(made.data[0, 0] - source(common)).max() < 3e-4


def test_strips_and_threads_give_the_same_bytes(cli, tmp_path):
    rng = np.random.default_rng(3)
    header = sky_header(fits, beam=BEAMS[0])
    fits.writeto(tmp_path / "in.fits", rng.standard_normal((700, 60)).astype("f4"), header)
    data = []
    for name, options in (("a", ["--threads", "1"]), ("b", ["--memory-limit", "600K"]), ("c", ["--threads", "3"])):
        cli("beam", tmp_path / "in.fits", "-o", tmp_path / f"{name}.fits", "--to", "18,15,40", *options)
        data.append(fits.getdata(tmp_path / f"{name}.fits").tobytes())
    assert data[0] == data[1] == data[2]


def test_a_cube_with_a_table_of_beams(cli, tmp_path):
    beams = [*BEAMS, (0.0, 0.0, 0.0), (float("nan"),) * 3]
    cube = np.stack([source(beam) for beam in BEAMS] + [source(BEAMS[0])] * 2)
    header = sky_header(fits, frequency=1e9)
    header["CASAMBM"] = True
    fits.HDUList([fits.PrimaryHDU(cube, header), beam_table(fits, beams)]).writeto(tmp_path / "cube.fits")
    said = json.loads(cli("beam", tmp_path / "cube.fits", "-o", tmp_path / "out.fits", "--json"))
    assert said["files"][0]["blank_channels"] == 2
    assert said["notes"] == ["2 channels have no beam and are blank"]
    with fits.open(tmp_path / "out.fits") as made:
        assert len(made) == 1
        assert "CASAMBM" not in made[0].header
        common = tessera.common_beam(BEAMS)
        assert 3600 * made[0].header["BMAJ"] == pytest.approx(common[0], rel=1e-5)
        for k in range(3):
            assert np.abs(made[0].data[k] - source(common)).max() < 3e-4
        assert np.isnan(made[0].data[3:]).all()
    cli("beam", tmp_path / "cube.fits", "-o", tmp_path / "confined.fits", "--sandbox", "on")
    assert np.array_equal(fits.getdata(tmp_path / "confined.fits"), fits.getdata(tmp_path / "out.fits"), equal_nan=True)
    cut = json.loads(cli("beam", tmp_path / "cube.fits", "-o", tmp_path / "cut.fits", "--cutoff", "13", "--json"))
    assert cut["files"][0]["blank_channels"] == 3
    assert cut["bmaj"] < said["bmaj"]


LOG = "#Channel BMAJ[arcsec] BMIN[arcsec] BPA[deg]\n"


def beam_log(beams):
    return LOG + "".join(f"{k} {major!r} {minor!r} {angle!r}\n" for k, (major, minor, angle) in enumerate(beams))


def test_a_cube_with_a_beam_log(cli, tmp_path):
    beams = [*BEAMS, (0.0, 0.0, 0.0)]
    cube = np.stack([source(beam) for beam in [*BEAMS, BEAMS[0]]])
    fits.writeto(tmp_path / "cube.fits", cube, sky_header(fits, frequency=1e9))
    (tmp_path / "beamlog.cube.txt").write_text(beam_log(beams))
    said = json.loads(cli("beam", tmp_path / "cube.fits", "-o", tmp_path / "out.fits", "--beams", "own", "--json"))
    common = tessera.common_beam(BEAMS)
    assert said["bmaj"] == pytest.approx(common[0], rel=1e-6) and said["files"][0]["blank_channels"] == 1
    made = fits.getdata(tmp_path / "out.fits")
    assert all(np.abs(plane - source(common)).max() < 3e-4 for plane in made[:3])
    # Columns in another order and unit, rows in another order, and a header that would say otherwise.
    (tmp_path / "other.txt").write_text("# BPA[deg] BMIN[deg] flux Channel BMAJ[arcsec]\n" + "".join(
        f"{beam[2]} {beam[1] / 3600!r} 1.5 {k} {beam[0]!r}\n" for k, beam in reversed(list(enumerate(beams)))))
    fits.writeto(tmp_path / "cube.fits", fits.getdata(tmp_path / "cube.fits"),
                 sky_header(fits, frequency=1e9, beam=(20, 20, 0)), overwrite=True)
    cli("beam", tmp_path / "cube.fits", "-o", tmp_path / "again.fits", "--beams", tmp_path / "other.txt")
    assert np.array_equal(fits.getdata(tmp_path / "again.fits"), made, equal_nan=True)


@pytest.mark.parametrize("log, options, words", [
    (beam_log(BEAMS), [], "beamlog.cube.txt is next to it: give --beams own"),
    (None, [], "or give a beam log with --beams"),
    (None, ["--beams", "own"], "beamlog.cube.txt: cannot be opened"),
    (beam_log(BEAMS[:2]), ["--beams", "own"], "has 2 rows and none for channel 2"),
    (LOG + "0 12 9\n", ["--beams", "own"], "line 2 has no BPA"),
    (LOG + "0 12 nine 3\n", ["--beams", "own"], "line 2 has no BMIN"),
    (LOG + "0.5 12 9 3\n", ["--beams", "own"], "line 2 has channel 0.5"),
    (LOG, ["--beams", "own"], "it has no channels"),
    ("# Channel BMAJ[mas]\n0 12 9 3\n", ["--beams", "own"], "the unit of BMAJ is [mas]"),
])
def test_beam_logs_that_are_refused(cli, tmp_path, log, options, words):
    fits.writeto(tmp_path / "cube.fits", np.stack([source(beam) for beam in BEAMS]), sky_header(fits, frequency=1e9))
    if log:
        (tmp_path / "beamlog.cube.txt").write_text(log)
    sentence = failure("beam", tmp_path / "cube.fits", "-o", tmp_path / "out.fits", *options, code=3)
    assert words in sentence and sentence.count("\n") == 1


def test_units_decide_the_flux(cli, tmp_path):
    fainter = 12 * 9 / (18 * 15)
    for unit, peak in (("Jy/beam", 1.0), ("mJy beam-1", 1.0), ("K", fainter), ("Jy/pixel", fainter)):
        header = sky_header(fits, beam=BEAMS[0])
        header["BUNIT"] = unit
        fits.writeto(tmp_path / "in.fits", source(BEAMS[0], centre=(30, 40)), header, overwrite=True)
        cli("beam", tmp_path / "in.fits", "-o", tmp_path / "out.fits", "--to", "18,15,30", "--force")
        assert fits.getdata(tmp_path / "out.fits").max() == pytest.approx(peak, rel=1e-3), unit


def test_suffix_pattern_and_list(cli, tmp_path):
    paths = write_channels(tmp_path, BEAMS)
    cli("beam", f"{tmp_path}/c*.fits", "--suffix", ".common")
    names = sorted(path.name for path in tmp_path.glob("*.common.fits"))
    assert names == ["c0.common.fits", "c1.common.fits", "c2.common.fits"]
    (tmp_path / "list.txt").write_text("# channels\nc0.fits\n\nc2.fits # the last\n")
    said = json.loads(cli("beam", f"@{tmp_path}/list.txt", "-o", f"{tmp_path}/listed/", "--json"))
    assert [file["input"] for file in said["files"]] == [str(paths[0]), str(paths[2])]


@pytest.mark.parametrize("change, options, code, words", [
    ({"BMAJ": None}, [], 3, "does not state its beam"),
    ({"BUNIT": ""}, [], 2, "--flux per-beam or --flux surface"),
    ({"CDELT1": None}, [], 3, "size of its pixels"),
    ({}, ["--to", "10,9,0"], 2, "the smallest that all can reach is 12,9,30"),
    ({}, ["--to", "9,10,0"], 2, "is not a beam"),
    ({}, ["--to", "twelve"], 2, "is not a beam"),
    ({"BMAJ": 0.0}, [], 3, "in.fits has no channel with a beam"),
    ({"CASAMBM": True}, [], 3, "has no such table"),
    ({}, ["--suffix", "x"], 2, "give one"),
])
def test_refused_in_one_sentence(cli, tmp_path, change, options, code, words):
    header = sky_header(fits, beam=BEAMS[0])
    for key, value in change.items():
        if value is None:
            del header[key]
        else:
            header[key] = value
    fits.writeto(tmp_path / "in.fits", source(BEAMS[0]), header)
    sentence = failure("beam", tmp_path / "in.fits", "-o", tmp_path / "out.fits", *options, code=code)
    assert words in sentence
    assert sentence.count("\n") == 1
    assert not (tmp_path / "out.fits").exists()


def test_outputs_that_coincide(cli, tmp_path):
    for folder in ("q", "u"):
        (tmp_path / folder).mkdir()
        fits.writeto(tmp_path / folder / "c.fits", source(BEAMS[0]), sky_header(fits, beam=BEAMS[0]))
    words = failure("beam", tmp_path / "q/c.fits", tmp_path / "u/c.fits", "-o", f"{tmp_path}/o/", code=2)
    assert "would both become" in words
    words = failure("beam", tmp_path / "q/c.fits", "-o", f"{tmp_path}/q/", code=2)
    assert "would be replaced by its own result" in words
    cli("beam", tmp_path / "q/c.fits", "-o", f"{tmp_path}/o/")
    assert "exists" in failure("beam", tmp_path / "q/c.fits", "-o", f"{tmp_path}/o/", code=2)
