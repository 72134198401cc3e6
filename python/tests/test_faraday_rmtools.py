# SPDX-License-Identifier: Apache-2.0
"""Against RM-Tools' functions on arrays, to 1e-4 of the peak, and its published answers."""
import json
import sys
import types
from pathlib import Path

import numpy as np
import pytest

import tessera

C = 299792458.0
DATA = Path(__file__).resolve().parents[2] / "tests" / "data" / "rmtools"


@pytest.fixture(scope="module")
def rmtools():
    """RM-Tools; where FINUFFT lacks, its one function as a plain sum, which is more exact."""
    try:
        import finufft  # noqa: F401
    except ImportError:
        stand_in = types.ModuleType("finufft")
        stand_in.nufft1d3 = lambda x, c, s, eps: c.astype(complex) @ np.exp(1j * np.outer(x, s))
        sys.modules["finufft"] = stand_in
    return pytest.importorskip("RMutils.util_RM")


@pytest.fixture(scope="module")
def cube():
    rng = np.random.default_rng(3)
    frequency = np.linspace(0.8e9, 1.088e9, 72)
    lambda2 = (C / frequency) ** 2
    depths = rng.uniform(-250, 250, (2, 5, 6))
    p = sum(np.exp(2j * (0.4 + depth * lambda2[:, None, None])) for depth in depths)
    p = p + 0.1 * (rng.standard_normal(p.shape) + 1j * rng.standard_normal(p.shape))
    return frequency, lambda2, p.real.astype("f4"), p.imag.astype("f4")


def test_synthesis(rmtools, cube):
    frequency, lambda2, q, u = cube
    weights = np.random.default_rng(4).uniform(0.5, 2, 72)
    spectra = tessera.faraday_synth(q, u, frequency, weights=weights, phi_max=400, dphi=8)
    theirs, lambda2_0 = rmtools.do_rmsynth_planes(q, u, lambda2, spectra.phi, weightArr=weights, log=lambda _: None)[:2]
    assert spectra.lambda2_0 == pytest.approx(float(lambda2_0), rel=1e-6)
    assert abs(spectra.fdf - theirs).max() <= 1e-4 * abs(theirs).max()


def test_rmsf(rmtools, cube):
    frequency, lambda2, _, _ = cube
    rmsf = tessera.faraday_rmsf(tessera.faraday_axes(frequency, phi_max=400, dphi=8), fit=True)
    value, _, fwhm, status, _ = rmtools.get_rmsf_planes(lambda2, rmsf.phi, fitRMSF=True, log=lambda _: None)
    assert abs(rmsf.value - value).max() <= 1e-4
    assert rmsf.fitted and status > 0 and rmsf.fwhm == pytest.approx(float(fwhm), rel=1e-3)


def test_clean(rmtools, cube):
    frequency, _, q, u = cube
    spectra = tessera.faraday_synth(q, u, frequency, phi_max=400, dphi=8)
    rmsf = tessera.faraday_rmsf(spectra.axes)
    cleaned = tessera.faraday_clean(spectra.fdf, rmsf, 0.15)
    rmsfs = np.repeat(rmsf.value.astype("c8"), 30).reshape(-1, 5, 6)
    clean, components, count, _ = rmtools.do_rmclean_hogbom(
        spectra.fdf, spectra.phi, rmsfs, rmsf.phi, np.full((5, 6), rmsf.fwhm, "f4"), 0.15,
        window=1e9, log=lambda _: None)  # without a window it would go on to 1000 iterations
    assert np.array_equal(cleaned.iterations, count) and cleaned.iterations.min() > 5
    assert abs(cleaned.clean - clean).max() <= 1e-4 * abs(clean).max()
    assert abs(cleaned.components - components).max() <= 1e-4 * abs(components).max()


def test_published_spectrum():
    """rmsynth1d -l 600 -d 3 -i, rmclean1d -c -3 -n 11."""
    frequency, _, q, u, _, dq, du = np.loadtxt(DATA / "RMsynth1D_testdata.dat", unpack=True)
    sigma = (dq + du) / 2
    reference = json.loads((DATA / "RMsynth1D_referencevalues.json").read_text())
    spectra = tessera.faraday_synth(q, u, frequency, weights=1 / sigma**2, phi_max=600, dphi=3)
    rmsf = tessera.faraday_rmsf(spectra.axes, fit=False)
    noise = tessera.faraday_noise(spectra.axes, sigma)
    maps = tessera.faraday_maps(spectra.fdf, spectra.axes, fwhm=rmsf.fwhm, noise=noise)
    assert float(maps["rm"]) == pytest.approx(200.2900, abs=5e-4)
    assert float(maps["pi"]) == pytest.approx(0.69967, abs=1e-4)
    assert rmsf.fwhm == pytest.approx(58.91, abs=0.005)
    assert noise == pytest.approx(reference["dFDFth"], rel=1e-3)
    cleaned = tessera.faraday_clean(spectra.fdf, rmsf, 3 * noise, iterations=11)
    maps = tessera.faraday_maps(cleaned.clean, spectra.axes, fwhm=rmsf.fwhm, noise=noise)
    assert int(cleaned.iterations) == 11
    assert float(maps["rm"]) == pytest.approx(200.3287, abs=1e-3)
    assert float(maps["pi"]) == pytest.approx(0.69962, abs=1e-4)
