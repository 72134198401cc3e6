# SPDX-License-Identifier: Apache-2.0
"""Noise, weights and errors that follow the channels of each pixel."""

import numpy as np
import pytest

import tessera

CHANNELS = 64
FREQUENCY = np.linspace(1.1e9, 1.5e9, CHANNELS)
LAMBDA2 = (299792458 / FREQUENCY) ** 2
GRID = {"phi_max": 400, "dphi": 8}


@pytest.fixture(scope="module")
def cubes():
    """A source of 5 at 40 rad/m^2 in noise of 1; columns from 5 on lack half of the channels."""
    random = np.random.default_rng(1)
    p = 5 * np.exp(2j * (0.3 + 40 * LAMBDA2))
    q = (random.normal(size=(CHANNELS, 8, 9)) + p.real[:, None, None]).astype("f4")
    u = (random.normal(size=q.shape) + p.imag[:, None, None]).astype("f4")
    q[CHANNELS // 2:, :, 5:] = np.nan
    return q, u


def test_bands_are_those_of_a_pixels_own_channels(cubes):
    spectra = tessera.faraday_synth(*cubes, FREQUENCY, noise=1.0, **GRID)
    for column, count in ((0, CHANNELS), (7, CHANNELS // 2)):
        own = LAMBDA2[:count]
        expected = [1 / np.sqrt(count), 3.8 / np.ptp(own), own.mean(), own.std(), count, 1, 0]
        np.testing.assert_allclose(spectra.bands[:, 3, column], expected, rtol=2e-6, atol=1e-7)
    maps = tessera.faraday_maps(spectra.fdf, spectra.axes, bands=spectra.bands)
    noise = 1 / np.sqrt(CHANNELS // 2)
    np.testing.assert_allclose(maps["noise"][:, 5:], noise, rtol=1e-6)
    own = LAMBDA2[:CHANNELS // 2]
    np.testing.assert_allclose(maps["rm-error"][:, 5:], noise / (2 * maps["pi-debiased"][:, 5:] * own.std()),
                               rtol=1e-5)
    np.testing.assert_allclose(maps["rm-error-fwhm"][:, 5:],
                               3.8 / np.ptp(own) * noise / (2 * maps["pi"][:, 5:]), rtol=1e-5)


def test_noise_is_a_number_a_list_a_map_or_a_cube(cubes):
    q, _ = cubes
    number = tessera.faraday_synth(*cubes, FREQUENCY, noise=1.0, **GRID)
    for noise in (np.ones(CHANNELS), np.ones(q.shape[1:]), np.ones(q.shape, "f4")):
        other = tessera.faraday_synth(*cubes, FREQUENCY, noise=noise, weights="variance", **GRID)
        np.testing.assert_allclose(other.fdf, number.fdf, atol=1e-6)
        np.testing.assert_allclose(other.bands, number.bands, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("axis", [0, -1])
def test_weights_may_differ_from_voxel_to_voxel(cubes, axis):
    q, u = cubes
    w = np.random.default_rng(2).uniform(0.5, 2, size=q.shape).astype("f4")
    w[3, 2, :] = 0
    turn = (lambda a: a) if axis == 0 else (lambda a: np.moveaxis(a, 0, -1))
    spectra = tessera.faraday_synth(turn(q), turn(u), FREQUENCY, weights=turn(w), noise=1.0, axis=axis, **GRID)
    counts = np.isfinite(q) & (w > 0)
    w = np.where(counts, w, 0)
    p = np.where(counts, q + 1j * u, 0)
    phases = np.exp(-2j * np.outer(spectra.phi, LAMBDA2 - spectra.lambda2_0))
    expected = np.einsum("kyx,pk->pyx", w * p, phases) / w.sum(0)
    fdf = spectra.fdf if axis == 0 else np.moveaxis(spectra.fdf, -1, 0)
    np.testing.assert_allclose(fdf, expected, atol=3e-5)
    np.testing.assert_allclose(spectra.bands[0], np.sqrt((w**2).sum(0)) / w.sum(0), rtol=1e-5)
    means = w.sum((1, 2)) / counts.sum((1, 2))
    assert spectra.lambda2_0 == pytest.approx((means * LAMBDA2).sum() / means.sum(), rel=1e-7)


def test_a_model_divides_the_noise_too(cubes):
    q, _ = cubes
    model = 2 * (FREQUENCY / 1.3e9) ** -0.7
    cube = np.broadcast_to(model[:, None, None], q.shape).astype("f4")
    how = {"noise": 1.0, "weights": "variance", **GRID}
    of_list = tessera.faraday_synth(*cubes, FREQUENCY, model=model, **how)
    of_cube = tessera.faraday_synth(*cubes, FREQUENCY, model=cube, **how)
    np.testing.assert_allclose(of_cube.fdf, of_list.fdf, atol=3e-5)
    np.testing.assert_allclose(of_cube.bands, of_list.bands, rtol=1e-5, atol=1e-7)
    weights = model**2  # 1 / (noise / model)^2
    at = np.interp(299792458 / np.sqrt(of_list.lambda2_0), FREQUENCY, model)
    expected = at * np.sqrt((weights**2 / model**2).sum()) / weights.sum()
    np.testing.assert_allclose(of_list.bands[0, :, :5], expected, rtol=1e-5)


def test_one_spectrum_has_one_band(cubes):
    q, u = cubes
    spectra = tessera.faraday_synth(q[:, 0, 0], u[:, 0, 0], FREQUENCY, noise=2.0, **GRID)
    assert spectra.bands.shape == (7,)
    assert spectra.bands[0] == pytest.approx(2 / np.sqrt(CHANNELS))
    maps = tessera.faraday_maps(spectra.fdf, spectra.axes, bands=spectra.bands, maps=["noise"])
    assert maps["noise"] == pytest.approx(2 / np.sqrt(CHANNELS))


@pytest.mark.parametrize(("arguments", "sentence"), [
    ({"noise": np.ones(5)}, r"noise is \(5,\); it must be \(64,\), one per channel, one number, \(8, 9\)"),
    ({"weights": "varianz"}, "weights is 'varianz'; it can be 'variance', or numbers"),
    ({"weights": "variance"}, "weights is 'variance', which needs noise; give it too"),
    ({"weights": np.ones((3, 3))}, r"weights is \(3, 3\); it must be \(64,\)"),
])
def test_mistakes_are_said(cubes, arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        tessera.faraday_synth(*cubes, FREQUENCY, **arguments)


def test_bands_of_another_shape_are_refused(cubes):
    spectra = tessera.faraday_synth(*cubes, FREQUENCY, noise=1.0, **GRID)
    with pytest.raises(ValueError, match=r"bands is \(3, 8, 9\) of float32; it must be \(7, 8, 9\)"):
        tessera.faraday_maps(spectra.fdf, spectra.axes, bands=spectra.bands[:3])
