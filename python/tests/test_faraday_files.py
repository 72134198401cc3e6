# SPDX-License-Identifier: Apache-2.0
"""Files of `tessera faraday` against those of RM-Tools, which is run in this process."""
import sys
import types
from pathlib import Path

import numpy as np
import pytest

fits = pytest.importorskip("astropy.io.fits")
LIGHT = 299792458.0
DATA = Path(__file__).resolve().parents[2] / "tests" / "data" / "faraday"


def stand_in_finufft():
    """RM-Tools needs one function of finufft: this is the sum that it approximates."""
    module = types.ModuleType("finufft")

    def nufft1d3(x, c, s, eps=1e-6, **_):
        return np.asarray(c) @ np.exp(1j * np.outer(np.asarray(x, float), np.asarray(s, float)))

    module.nufft1d3 = nufft1d3
    sys.modules["finufft"] = module


@pytest.fixture(scope="module")
def rmtools():
    try:
        import finufft  # noqa: F401
    except ImportError:
        stand_in_finufft()
    pytest.importorskip("RMutils")
    clean = pytest.importorskip("RMtools_3D.do_RMclean_3D")
    synth = pytest.importorskip("RMtools_3D.do_RMsynth_3D")
    return types.SimpleNamespace(synth=synth, clean=clean)


@pytest.mark.parametrize("samples, dirty, clean", [(5, 0.0014, 0.0032), (10, 0.0002, 0.0005), (20, 0.00003, 0.0001)])
def test_parabolas_are_as_exact_as_the_page_says(cli, tmp_path, samples, dirty, clean):
    """Sources without noise, from one depth to the next: docs/faraday.md, bright sources."""
    frequency = np.linspace(800e6, 1088e6, 288)
    lambda2 = (LIGHT / frequency) ** 2
    depth = np.linspace(0, 3.8 / np.ptp(lambda2), 200)
    spectra = np.exp(2j * (0.3 + depth * lambda2[:, None]))[:, None]
    np.savetxt(tmp_path / "f.txt", frequency)
    for name, cube in (("q", spectra.real), ("u", spectra.imag)):
        np.save(tmp_path / f"{name}.npy", cube.astype("f4"))
    for options, bound in (((), dirty), (("--clean", "-c", "0.01"), clean)):
        cli("faraday", "synth", *(tmp_path / name for name in ("q.npy", "u.npy", "f.txt")), "-o", f"{tmp_path}/a_",
            "--maps", "rm", "--cubes", "none", "-s", samples, "--force", *options)
        width = np.load(tmp_path / "a_RMSF_FWHM.npy")[0, 0]
        off = np.abs(np.load(tmp_path / "a_phiPeakPIfit_rm2.npy")[0] - depth).max() / width
        assert bound / 4 < off < bound


def header_for(shape, order):
    """A header of axes in FITS order such as ("RA", "DEC", "STOKES", "FREQ")."""
    header = fits.Header()
    kinds = {"RA": "RA---SIN", "DEC": "DEC--SIN", "STOKES": "STOKES", "FREQ": "FREQ"}
    for axis, name in enumerate(order, 1):
        header[f"CTYPE{axis}"] = kinds[name]
        header[f"CRPIX{axis}"] = 1.0
        header[f"CRVAL{axis}"] = {"RA": 83.6, "DEC": 22.0, "STOKES": 1.0, "FREQ": 1.1e9}[name]
        header[f"CDELT{axis}"] = {"RA": -1e-3, "DEC": 1e-3, "STOKES": 1.0, "FREQ": 1.3e7}[name]
        header[f"CUNIT{axis}"] = {"RA": "deg", "DEC": "deg", "STOKES": "", "FREQ": "Hz"}[name]
    header["BUNIT"] = "Jy/beam"
    header["OBJECT"] = "it's / here"
    header["DATAMAX"] = 1.0
    return header


def make_cubes(folder, order, rng, channels=30, height=6, width=9, flags=False):
    frequency = 1.1e9 + 1.3e7 * np.arange(channels)
    wavelength2 = (LIGHT / frequency) ** 2
    depth = rng.uniform(-300, 300, (height, width))
    p = np.exp(2j * (depth * wavelength2[:, None, None] + rng.uniform(0, 3, (height, width))))
    p += 0.05 * (rng.standard_normal(p.shape) + 1j * rng.standard_normal(p.shape))
    p *= rng.uniform(1, 3, (height, width))
    if flags:
        p[7] = np.nan
        p[3, 2, 4] = p[11, 2, 5] = np.nan
        p[:, 0, 0] = np.nan
    lengths = {"RA": width, "DEC": height, "STOKES": 1, "FREQ": channels}
    source = ("FREQ", "DEC", "RA")
    for name, part in (("Q", p.real), ("U", p.imag)):
        wanted = [axis for axis in reversed(order) if axis != "STOKES"]
        data = np.transpose(part, [source.index(axis) for axis in wanted])
        data = data.reshape([lengths[axis] for axis in reversed(order)]).astype(np.float32)
        fits.PrimaryHDU(data, header_for(data.shape, order)).writeto(folder / f"{name}.fits")
    (folder / "freqs.txt").write_text("".join(f"{f!r}\n" for f in frequency.tolist()))
    return frequency


def run_rmtools(rmtools, folder, one_file=False):
    header, q = rmtools.synth.readFitsCube(str(folder / "Q.fits"), False)
    _, u = rmtools.synth.readFitsCube(str(folder / "U.fits"), False)
    results = rmtools.synth.run_rmsynth(
        q, u, np.loadtxt(folder / "freqs.txt"), phiMax_radm2=600, dPhi_radm2=8, verbose=False,
        fitRMSF=True, log=lambda *_: None)
    rmtools.synth.writefits(results, header, prefixOut="r_", outDir=str(folder), log=lambda *_: None,
                            write_seperate_FDF=not one_file)


AXES = ("NAXIS", "CTYPE", "CUNIT", "CRVAL", "CRPIX", "CDELT")


def compare_headers(ours, theirs, skip=()):
    assert ours["NAXIS"] == theirs["NAXIS"] and ours["BITPIX"] == theirs["BITPIX"] == -32
    for axis in range(1, ours["NAXIS"] + 1):
        for stem in AXES:
            key = f"{stem}{axis}"
            if stem in skip:
                continue
            a, b = ours.get(key), theirs.get(key)
            assert a == b if isinstance(b, str) else a == pytest.approx(b, rel=1e-6), key
    for key in ("BUNIT", "STOKES", "OBJECT", "DATAMAX", "BTYPE"):
        assert ours.get(key) == theirs.get(key), key


ORDERS = [("RA", "DEC", "FREQ"), ("RA", "DEC", "STOKES", "FREQ"), ("RA", "DEC", "FREQ", "STOKES"),
          ("FREQ", "RA", "DEC"), ("RA", "FREQ", "DEC")]


@pytest.mark.parametrize("order", ORDERS, ids="-".join)
@pytest.mark.parametrize("flags", [False, True])
def test_files_of_synth(rmtools, cli, rng, tmp_path, order, flags):
    make_cubes(tmp_path, order, rng, flags=flags)
    run_rmtools(rmtools, tmp_path)
    cli("faraday", "synth", tmp_path / "Q.fits", tmp_path / "U.fits", tmp_path / "freqs.txt", "-o",
        f"{tmp_path}/t_", "-l", 600, "-d", 8, "-t")
    for name in ("FDF_real_dirty", "FDF_im_dirty", "FDF_tot_dirty", "RMSF_real", "RMSF_im", "RMSF_tot",
                 "RMSF_FWHM", "FDF_maxPI", "FDF_peakRM"):
        with fits.open(tmp_path / f"t_{name}.fits", checksum=True) as ours, \
                fits.open(tmp_path / f"r_{name}.fits") as theirs:
            a, b = ours[0].data, theirs[0].data
            # RM-Tools leaves the RMSF's middle in the degenerate axis of the two peak maps. Where the
            # frequencies were not axis 3 or 4, its maps have lost track of their axes: values alone count.
            is_map = name in ("RMSF_FWHM", "FDF_maxPI", "FDF_peakRM")
            if is_map and "FREQ" in order[:2]:
                a, b = a.reshape(-1), b.reshape(-1)
            else:
                compare_headers(ours[0].header, theirs[0].header, ("CRPIX",) if is_map and a.ndim > 2 else ())
                assert ours[0].header["LAMSQ0"] == pytest.approx(theirs[0].header["LAMSQ0"], rel=1e-6)
            assert a.shape == b.shape
            known = np.isfinite(b)
            np.testing.assert_array_equal(np.isfinite(a), known)
            peak = np.abs(b[known]).max()
            np.testing.assert_allclose(a[known], b[known], atol=1e-4 * peak, rtol=0)


def test_one_file(rmtools, cli, rng, tmp_path):
    make_cubes(tmp_path, ORDERS[1], rng)
    run_rmtools(rmtools, tmp_path, one_file=True)
    cli("faraday", "synth", tmp_path / "Q.fits", tmp_path / "U.fits", tmp_path / "freqs.txt", "-o",
        f"{tmp_path}/t_", "-l", 600, "-d", 8, "-t", "-f")
    for name, hdus in (("FDF_dirty", 3), ("RMSF", 4)):
        with fits.open(tmp_path / f"t_{name}.fits", checksum=True) as ours, \
                fits.open(tmp_path / f"r_{name}.fits") as theirs:
            ours.verify("exception")
            assert len(ours) == len(theirs) == hdus
            for a, b in zip(ours, theirs, strict=True):
                compare_headers(a.header, b.header)
                np.testing.assert_allclose(a.data, b.data, atol=1e-4 * np.abs(b.data).max(), rtol=0)


@pytest.mark.parametrize("flags", [False, True])
def test_clean(rmtools, cli, rng, tmp_path, flags):
    """From RM-Tools' own files: restored spectra agree to 1e-4 of the peak."""
    make_cubes(tmp_path, ORDERS[1], rng, flags=flags)
    run_rmtools(rmtools, tmp_path)
    names = [str(tmp_path / f"r_{name}.fits") for name in ("FDF_tot_dirty", "RMSF_tot")]
    results = rmtools.clean.run_rmclean(*names, cutoff=0.3, verbose=False)
    clean, components, iterations, _, header = results
    rmtools.clean.writefits(clean, components, iterations, results[3], header, prefixOut="r_",
                            outDir=str(tmp_path), write_separate_FDF=True, verbose=False)
    cli("faraday", "clean", *names, "-c", 0.3, "-o", f"{tmp_path}/t_")
    # Where two depths are as bright to the last bit, a component may go to the neighbour.
    ours, theirs = (fits.getdata(tmp_path / f"{by}_FDF_CC_tot.fits") for by in "tr")
    same = np.all(np.isclose(ours, theirs, atol=1e-4 * np.nanmax(theirs), rtol=0, equal_nan=True), axis=0)
    assert np.mean(same) > 0.95
    for name in ("FDF_clean_real", "FDF_clean_im", "FDF_clean_tot", "FDF_CC_tot"):
        with fits.open(tmp_path / f"t_{name}.fits", checksum=True) as ours, \
                fits.open(tmp_path / f"r_{name}.fits") as theirs:
            a, b = ours[0].data, theirs[0].data
            compare_headers(ours[0].header, theirs[0].header)
            assert a.shape == b.shape
            most = 1e-4 * np.nanmax(np.abs(b))
            np.testing.assert_allclose(a[:, same], b[:, same], atol=most, rtol=0)
            if name != "FDF_CC_tot":
                np.testing.assert_allclose(a, b, atol=10 * most, rtol=0)
    counts = fits.getdata(tmp_path / "t_CLEAN_nIter.fits")
    theirs = fits.getdata(tmp_path / "r_CLEAN_nIter.fits")
    assert counts.shape == theirs.shape
    assert np.mean(counts == theirs) > 0.95


def test_frequencies_of_the_header(cli, rng, tmp_path):
    make_cubes(tmp_path, ORDERS[1], rng)
    cli("faraday", "synth", tmp_path / "Q.fits", tmp_path / "U.fits", "-o", f"{tmp_path}/h_", "-l", 600, "-d", 8)
    cli("faraday", "synth", tmp_path / "Q.fits", tmp_path / "U.fits", tmp_path / "freqs.txt", "-o",
        f"{tmp_path}/l_", "-l", 600, "-d", 8)
    assert np.array_equal(fits.getdata(tmp_path / "h_FDF_real_dirty.fits"),
                          fits.getdata(tmp_path / "l_FDF_real_dirty.fits"))


def test_scaled_integers_with_blanks(cli, rng, tmp_path):
    frequency = make_cubes(tmp_path, ORDERS[0], rng)
    spectra = {}
    for name in "QU":
        data = fits.getdata(tmp_path / f"{name}.fits")
        stored = np.round(data / 2e-4).astype(np.int16)
        stored[4, 1, 2] = -32768
        hdu = fits.PrimaryHDU(stored, fits.getheader(tmp_path / f"{name}.fits"))
        hdu.header["BSCALE"], hdu.header["BZERO"], hdu.header["BLANK"] = 2e-4, 0.0, -32768
        hdu.header["DATAMAX"] = 1.0
        with fits.open(tmp_path / f"{name}.fits", mode="update") as old:
            old[0] = hdu
        spectra[name] = stored * 2e-4
        spectra[name][4, 1, 2] = np.nan
    cli("faraday", "synth", tmp_path / "Q.fits", tmp_path / "U.fits", tmp_path / "freqs.txt", "-o",
        f"{tmp_path}/i_", "--phi", "-100,500,4")
    header = fits.getheader(tmp_path / "i_FDF_real_dirty.fits")
    phi = header["CRVAL3"] + (np.arange(header["NAXIS3"]) + 1 - header["CRPIX3"]) * header["CDELT3"]
    np.testing.assert_allclose(phi, np.arange(-100, 501, 4))
    wavelength2 = (LIGHT / frequency) ** 2
    turn = np.exp(-2j * np.outer(phi, wavelength2 - wavelength2.mean()))
    p = spectra["Q"] + 1j * spectra["U"]
    wanted = np.einsum("pk,kyx->pyx", turn, np.nan_to_num(p)) / np.isfinite(p).sum(axis=0)
    made = fits.getdata(tmp_path / "i_FDF_real_dirty.fits") + 1j * fits.getdata(tmp_path / "i_FDF_im_dirty.fits")
    assert np.abs(made - wanted).max() < 1e-5 * np.abs(wanted).max()


def test_thin_source(cli, tmp_path):
    """A public cube: its source is at 0.40 rad/m^2."""
    cli("faraday", "synth", DATA / "Q_thin.fits", DATA / "U_thin.fits", DATA / "thin_frequencies.txt", "-o",
        f"{tmp_path}/b_", "-l", 10, "-d", 0.1, "--names", "brentjens")
    p = fits.getdata(tmp_path / "p-rmcube-dirty.fits".replace("p-", "b_p-"))
    assert np.argmax(p[:, 6, 6]) == 104  # -10 + 104 * 0.1
    assert p[104, 6, 6] == pytest.approx(99.99, abs=0.01)
    rmsf = np.loadtxt(tmp_path / "b_rmsf.txt")
    assert rmsf.shape == (403, 3) and rmsf[201].tolist() == [0, 1, 0]
