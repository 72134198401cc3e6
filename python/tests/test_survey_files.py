# SPDX-License-Identifier: Apache-2.0
"""`tessera faraday synth` on files as in surveys, and what it refuses."""
import json
import subprocess
import sys

import numpy as np
import pytest
from survey_files import beam_table, failure, polarised, sky_header

import tessera

fits = pytest.importorskip("astropy.io.fits")
OPTIONS = ("-l", "300", "-d", "10")


def spectra(prefix):
    return fits.getdata(f"{prefix}FDF_real_dirty.fits").squeeze(), fits.getdata(f"{prefix}FDF_im_dirty.fits").squeeze()


@pytest.fixture
def sky(rng):
    return polarised(rng)


def write_cubes(folder, sky, **more):
    """q.fits and u.fits, with frequencies in their headers."""
    frequency, _, q, u, _ = sky
    for name, cube in (("q", q), ("u", u)):
        header = sky_header(fits, frequency=frequency[0], **more)
        header["CD3_3" if more.get("matrix") else "CDELT3"] = frequency[1] - frequency[0]
        fits.writeto(folder / f"{name}.fits", cube, header, overwrite=True)
    return folder / "q.fits", folder / "u.fits"


@pytest.fixture
def expected(cli, tmp_path, sky):
    """The spectra of two plain cubes."""
    folder = tmp_path / "plain"
    folder.mkdir()
    cli("faraday", "synth", *write_cubes(folder, sky), "-o", f"{folder}/e_", *OPTIONS)
    return spectra(f"{folder}/e_")


def same(prefix, expected):
    made = spectra(prefix)
    return all(np.array_equal(a, b) for a, b in zip(made, expected, strict=True))


def write_channels(folder, sky, order, **more):
    """One file per channel and Stokes parameter; names are not in the order of frequencies."""
    frequency, _, q, u, _ = sky
    for name, number, cube in (("q", 2, q), ("u", 3, u)):
        (folder / name).mkdir()
        for place, k in enumerate(order):
            header = sky_header(fits, frequency=frequency[k], stokes=number, **more)
            fits.writeto(folder / name / f"{place:03}.fits", cube[k][None, None], header)


def test_one_file_per_channel_sorted_by_frequency(cli, rng, tmp_path, sky, expected):
    write_channels(tmp_path, sky, rng.permutation(24), beam=(12, 9, 30))
    said = json.loads(cli("faraday", "synth", f"{tmp_path}/q/*.fits", f"{tmp_path}/u", "-o", f"{tmp_path}/a_",
                          *OPTIONS, "--json"))
    assert said["channels"] == 24
    assert said["notes"] == []
    assert same(f"{tmp_path}/a_", expected)
    header = fits.getheader(f"{tmp_path}/a_FDF_real_dirty.fits")
    assert 3600 * header["BMAJ"] == pytest.approx(12)
    assert header["CTYPE3"] == "FDEP"
    names = "\n".join(sorted(str(path) for path in (tmp_path / "q").iterdir()))
    (tmp_path / "q.txt").write_text(names)
    cli("faraday", "synth", f"@{tmp_path}/q.txt", f"{tmp_path}/u/*.fits", "-o", f"{tmp_path}/b_", *OPTIONS,
        "--memory-limit", "1M")
    assert same(f"{tmp_path}/b_", expected)


def test_channels_without_a_file_are_said(cli, tmp_path, sky):
    write_channels(tmp_path, sky, range(24))
    for name in "qu":
        for place in (7, 8):
            (tmp_path / name / f"{place:03}.fits").unlink()
    said = json.loads(cli("faraday", "synth", f"{tmp_path}/q/*.fits", f"{tmp_path}/u/*.fits", "-o", f"{tmp_path}/a_",
                          *OPTIONS, "--json"))
    assert said["notes"] == ["2 channels between the first and the last have no file, the first at 935 MHz"]
    (tmp_path / "u" / "003.fits").unlink()
    words = failure("faraday", "synth", f"{tmp_path}/q/*.fits", f"{tmp_path}/u/*.fits", "-o", f"{tmp_path}/b_", code=2)
    assert "both must have the same shape" in words
    (tmp_path / "q" / "005.fits").unlink()
    words = failure("faraday", "synth", f"{tmp_path}/q/*.fits", f"{tmp_path}/u/*.fits", "-o", f"{tmp_path}/b_", code=2)
    assert "channel 3 is 915 MHz in" in words
    assert "920 MHz in" in words


@pytest.mark.parametrize("stokes_first", [False, True])
def test_cubes_of_four_parameters(cli, tmp_path, sky, expected, stokes_first):
    frequency, i, q, u, _ = sky
    four = np.stack([i, q, u, 0 * u])  # stokes, frequency, y, x
    header = sky_header(fits, frequency=frequency[0], stokes=1)
    header["CDELT3"] = frequency[1] - frequency[0]
    if stokes_first:
        four = four.swapaxes(0, 1)
        for key in ("CTYPE", "CRVAL", "CDELT", "CUNIT"):
            header[f"{key}3"], header[f"{key}4"] = header[f"{key}4"], header[f"{key}3"]
    fits.writeto(tmp_path / "iquv.fits", four, header)
    cube = tmp_path / "iquv.fits"
    cli("faraday", "synth", cube, cube, "-o", f"{tmp_path}/a_", *OPTIONS)
    assert same(f"{tmp_path}/a_", expected)
    made = fits.getheader(f"{tmp_path}/a_FDF_real_dirty.fits")
    assert made[f"NAXIS{3 if stokes_first else 4}"] == 1
    cli("faraday", "synth", cube, cube, "-i", cube, "-o", f"{tmp_path}/b_", *OPTIONS)  # I is 1
    assert same(f"{tmp_path}/b_", expected)
    fits.writeto(tmp_path / "iv.fits", np.stack([i, u]), sky_header(fits, frequency=frequency[0], stokes=3))
    assert "its axis STOKES has UV, and Q is needed" in failure(
        "faraday", "synth", tmp_path / "iv.fits", tmp_path / "iv.fits", "-o", f"{tmp_path}/c_", code=3)


def test_matrix_headers_and_named_hdus(cli, tmp_path, sky, expected):
    q, u = write_cubes(tmp_path, sky, matrix=True)
    cli("faraday", "synth", q, u, "-o", f"{tmp_path}/a_", *OPTIONS)
    assert same(f"{tmp_path}/a_", expected)
    header = fits.getheader(f"{tmp_path}/a_FDF_real_dirty.fits")
    assert header["CDELT3"] == 10
    both = fits.HDUList([fits.PrimaryHDU()])
    for name, path in (("SCI", q), ("ERR", u)):
        both.append(fits.ImageHDU(fits.getdata(path), fits.getheader(path), name=name))
    both.writeto(tmp_path / "both.fits")
    cli("faraday", "synth", f"{tmp_path}/both.fits[SCI]", f"{tmp_path}/both.fits[2]", "-o", f"{tmp_path}/b_", *OPTIONS)
    assert same(f"{tmp_path}/b_", expected)
    cli("convert", f"{tmp_path}/both.fits[ERR,1]", f"{tmp_path}/err.npy")
    assert np.array_equal(np.load(tmp_path / "err.npy"), fits.getdata(u))
    assert np.array_equal(tessera.read(f"{tmp_path}/both.fits[SCI]"), fits.getdata(q))
    assert "none of its 3 HDUs is DQ; there are SCI, ERR" in failure(
        "convert", f"{tmp_path}/both.fits[DQ]", f"{tmp_path}/x.npy", code=3)
    assert "give one of them" in failure(
        "convert", f"{tmp_path}/both.fits[SCI]", f"{tmp_path}/x.npy", "--page", "2", code=2)


def test_frequencies_in_other_units_are_refused(cli, tmp_path, sky):
    q, u = write_cubes(tmp_path, sky)
    for unit, name in ((1e6, "MHz"), (1e9, "GHz")):
        np.savetxt(tmp_path / "f.txt", sky[0] / unit)
        words = failure("faraday", "synth", q, u, tmp_path / "f.txt", "-o", f"{tmp_path}/a_", code=2)
        assert f"look like {name}; they must be in hertz, such as 9e+08" in words


@pytest.mark.parametrize("change, words, option", [
    ({"CRVAL3": 0.95e9}, "channel 0 is 900 MHz in", "--allow-other-frequencies"),
    ({"CRVAL1": 83.7}, "CRVAL1 is 83.6 in", "--allow-other-sky"),
    ({"CRPIX2": 4.0}, "CRPIX2 is 1.0 in" , "--allow-other-sky"),
    ({"CDELT2": 1e-3}, "the step of pixels is 2.5", "--allow-other-sky"),
    ({"CTYPE1": "GLON-SIN"}, "CTYPE1 is RA---SIN in", "--allow-other-sky"),
    ({"BMAJ": 15 / 3600}, "the beam of", "--allow-unlike-beams"),
])
def test_cubes_that_disagree_are_refused(cli, tmp_path, sky, change, words, option):
    q, u = write_cubes(tmp_path, sky, beam=(12, 9, 30))
    with fits.open(u, "update") as hdus:
        hdus[0].header.update(change)
    sentence = failure("faraday", "synth", q, u, "-o", f"{tmp_path}/a_", *OPTIONS, code=2)
    assert words.replace("1.0", "1") in sentence
    assert option in sentence
    assert str(q) in sentence
    assert str(u) in sentence
    assert sentence.count("\n") == 1
    cli("faraday", "synth", q, u, "-o", f"{tmp_path}/a_", *OPTIONS, option)


@pytest.mark.parametrize("axis", [False, True])
def test_q_and_u_that_are_exchanged_are_refused(cli, tmp_path, sky, axis):
    """All rotation measures would have the other sign. Headers that say Q twice, as copies do, are taken."""
    q, u = write_cubes(tmp_path, sky)

    def state(path, number):
        cube, header = fits.getdata(path).squeeze(), fits.getheader(path)
        if axis:
            header.update(CTYPE4="STOKES", CRVAL4=float(number), CRPIX4=1.0, CDELT4=1.0)
        else:
            header["STOKES"] = " IQU"[number]
        fits.writeto(path, cube[None] if axis else cube, header, overwrite=True)

    state(q, 2), state(u, 3)
    cli("faraday", "synth", q, u, "-o", f"{tmp_path}/a_", *OPTIONS)
    words = failure("faraday", "synth", u, q, "-o", f"{tmp_path}/b_", code=2)
    assert f"{u} is given as Stokes Q and states that it is U" in words
    assert words.count("\n") == 1
    state(u, 2)
    cli("faraday", "synth", u, q, "-o", f"{tmp_path}/c_", *OPTIONS)


def test_lists_that_differ_from_the_header_are_named(cli, tmp_path, sky):
    q, u = write_cubes(tmp_path, sky)
    list_of = tmp_path / "f.txt"

    def notes(frequency, *options):
        np.savetxt(list_of, frequency)
        return json.loads(cli("faraday", "synth", q, u, list_of, "-o", f"{tmp_path}/a_", "--force", "--json", *OPTIONS,
                              *options))["notes"]

    assert notes(sky[0]) == []
    assert notes(sky[0][::-1]) == [
        f"channel 0 is 1015 MHz in {list_of} and 900 MHz in the header of {q}; the list counts"]
    assert notes(sky[0][::-1], "--allow-other-frequencies") == []


def test_tables_of_beams(cli, tmp_path, sky):
    """Like beams become the beam of the results; unlike ones are refused, or leave no beam in the header."""
    for name, cube in (("q", sky[2]), ("u", sky[3])):
        like, unlike = [(12, 9, 30)] * 23 + [(0, 0, 0)], [(12 + 0.1 * k, 9, 30) for k in range(24)]
        for kind, beams in (("like", like), ("un", unlike)):
            header = sky_header(fits, frequency=sky[0][0])
            header["CDELT3"], header["CASAMBM"] = 5e6, True
            hdus = fits.HDUList([fits.PrimaryHDU(cube, header), beam_table(fits, beams)])
            hdus.writeto(tmp_path / f"{kind}_{name}.fits")
    cli("faraday", "synth", tmp_path / "like_q.fits", tmp_path / "like_u.fits", "-o", f"{tmp_path}/a_", *OPTIONS)
    header = fits.getheader(f"{tmp_path}/a_FDF_tot_dirty.fits")
    assert 3600 * header["BMAJ"] == pytest.approx(12)
    assert "CASAMBM" not in header
    words = failure("faraday", "synth", tmp_path / "un_q.fits", tmp_path / "un_u.fits", "-o", f"{tmp_path}/b_", code=2)
    assert "the beam of channel 0 is 12 x 9 arcsec at 30 degrees, and that of channel 2 is 12.2 x 9" in words
    cli("faraday", "synth", tmp_path / "un_q.fits", tmp_path / "un_u.fits", "-o", f"{tmp_path}/b_", *OPTIONS,
        "--allow-unlike-beams")
    header = fits.getheader(f"{tmp_path}/b_FDF_tot_dirty.fits")
    assert "BMAJ" not in header
    cli("convert", tmp_path / "like_q.fits", tmp_path / "copy.fits")
    assert "CASAMBM" not in fits.getheader(tmp_path / "copy.fits")


def test_arrays_straight_from_files(sky, tmp_path):
    """astropy gives the byte order of the file; the functions take it."""
    frequency, _, q, u, _ = sky
    wanted = tessera.faraday_synth(q, u, frequency, phi_max=300, dphi=10)
    fits.writeto(tmp_path / "q.fits", q)
    fits.writeto(tmp_path / "u.fits", u)
    given = [fits.getdata(tmp_path / name) for name in ("q.fits", "u.fits")]
    assert given[0].dtype.byteorder == (">" if sys.byteorder == "little" else "=")
    made = tessera.faraday_synth(*given, frequency.astype(">f8"), phi_max=300, dphi=10)
    assert np.array_equal(made.fdf, wanted.fdf)
    rmsf = tessera.faraday_rmsf(wanted.axes)
    cleaned = tessera.faraday_clean(wanted.fdf.astype(">c8"), rmsf, 0.1)
    assert np.array_equal(cleaned.clean, tessera.faraday_clean(wanted.fdf, rmsf, 0.1).clean)
    assert np.array_equal(tessera.convolve(given[0][0], "gauss:1"), tessera.convolve(q[0], "gauss:1"))
    assert np.array_equal(tessera.noise(given[0][0], 5).rms, tessera.noise(q[0], 5).rms, equal_nan=True)
    out = np.empty(q[0].shape, ">f4")
    assert np.array_equal(tessera.convolve(q[0], "gauss:1", out=out), tessera.convolve(q[0], "gauss:1"))


def test_rmtools_reads_the_results(cli, tmp_path, sky):
    """rmclean3d on spectra that were made from one file per channel."""
    script = "import finufft; from RMtools_3D import do_RMclean_3D"
    if subprocess.run([sys.executable, "-c", script], capture_output=True).returncode != 0:
        pytest.skip("RM-Tools is not installed")
    write_channels(tmp_path, sky, range(24), beam=(12, 9, 30))
    cli("faraday", "synth", f"{tmp_path}/q/*.fits", f"{tmp_path}/u/*.fits", "-o", f"{tmp_path}/f_", *OPTIONS)
    done = subprocess.run([sys.executable, "-m", "RMtools_3D.do_RMclean_3D", f"{tmp_path}/f_FDF_tot_dirty.fits",
                           f"{tmp_path}/f_RMSF_tot.fits", "-c", "0.1", "-o", "f_"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert fits.getdata(f"{tmp_path}/f_FDF_clean_tot.fits").shape[-2:] == (5, 7)
