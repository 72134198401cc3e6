# SPDX-License-Identifier: Apache-2.0
"""The fit of Stokes I from Python: arrays in, arrays out."""

import numpy as np
import pytest

import tessera

CHANNELS = 40
FREQUENCY = np.linspace(0.9e9, 1.7e9, CHANNELS)
SIGMA = 0.01


def power_laws(dtype="f4"):
    """Power laws at 1.2 GHz with noise; the last column is noise alone, one pixel is empty."""
    random = np.random.default_rng(3)
    alpha = np.linspace(-1.5, 0.5, 5 * 6).reshape(5, 6)
    i = (FREQUENCY / 1.2e9)[:, None, None] ** alpha
    i[:, :, 5] = 0
    i += SIGMA * random.normal(size=i.shape)
    i[:, 2, 1] = np.nan
    return i.astype(dtype), alpha


def test_alpha_is_found_within_its_error():
    i, alpha = power_laws()
    fit = tessera.faraday_fit_i(i, FREQUENCY, SIGMA, order=1)
    pulls = ((fit["alpha"] - alpha) / fit["alpha-error"])[fit["status"] == 0]
    assert pulls.size == 24 and np.abs(pulls).max() < 4 and 0.6 < pulls.std() < 1.4
    assert (fit["status"][:, 5] == 2).all() and fit["status"][2, 1] == 1
    assert np.isnan(fit["model"][:, fit["status"] > 0]).all()
    assert fit["model"].shape == i.shape and fit["coefficients"].shape == (2, 5, 6)
    np.testing.assert_allclose(fit["covariance"][2, 0, 0], fit["errors"][1, 0, 0] ** 2, rtol=1e-5)
    reference = 1 / np.sqrt(np.mean(1 / FREQUENCY**2))
    np.testing.assert_allclose(fit["reference"][0, 0], reference, rtol=1e-7)


def test_is_numpys_polynomial():
    i, _ = power_laws("f8")
    fit = tessera.faraday_fit_i(i, FREQUENCY, SIGMA, order=3, curve="linear", snr=0, floor=-1, reference=1.2e9)
    expected = np.polynomial.polynomial.polyfit(FREQUENCY / 1.2e9, i[:, 0, 0], 3)
    np.testing.assert_allclose(fit["coefficients"][:, 0, 0], expected, rtol=1e-7)


def test_noise_is_a_number_a_list_a_map_or_a_cube():
    i, _ = power_laws()
    one = tessera.faraday_fit_i(i, FREQUENCY, SIGMA)
    for noise in (np.full(CHANNELS, SIGMA), np.full((5, 6), SIGMA), np.full(i.shape, SIGMA)):
        other = tessera.faraday_fit_i(i, FREQUENCY, noise)
        for name, values in one.items():
            np.testing.assert_allclose(other[name], values, rtol=1e-3, atol=1e-6, err_msg=name)


def test_layouts_give_the_same_bits():
    i, _ = power_laws()
    expected = tessera.faraday_fit_i(i, FREQUENCY, SIGMA)
    last = tessera.faraday_fit_i(np.moveaxis(i, 0, -1), FREQUENCY, SIGMA, axis=-1)
    np.testing.assert_array_equal(np.moveaxis(last["model"], -1, 0), expected["model"])
    big = tessera.faraday_fit_i(i.astype(">f4"), FREQUENCY, SIGMA)
    np.testing.assert_array_equal(big["alpha"], expected["alpha"])
    wide = np.zeros((CHANNELS, 10, 12), "f4")
    wide[:, ::2, ::2] = i
    strided = tessera.faraday_fit_i(wide[:, ::2, ::2], FREQUENCY, SIGMA, threads=1)
    np.testing.assert_array_equal(strided["alpha"], expected["alpha"])
    one = tessera.faraday_fit_i(i[:, 1, 1], FREQUENCY, SIGMA)
    assert one["alpha"].shape == () and one["alpha"] == expected["alpha"][1, 1]


def test_spectra_divided_by_the_fit_are_fractions():
    i, _ = power_laws()
    angle = 2 * (0.3 + 40 * (299792458 / FREQUENCY) ** 2)[:, None, None]
    fit = tessera.faraday_fit_i(i, FREQUENCY, SIGMA, order=1)
    made = tessera.faraday_synth((0.1 * i * np.cos(angle)).astype("f4"), (0.1 * i * np.sin(angle)).astype("f4"),
                                 FREQUENCY, model=fit["model"], phi_max=300, dphi=5)
    maps = tessera.faraday_maps(made.fdf, made.axes, maps=["rm"])
    good = fit["status"] == 0
    np.testing.assert_allclose(maps["rm"][good], 40, atol=0.5)
    assert np.isnan(maps["rm"][~good]).all()


@pytest.mark.parametrize(("call", "sentence"), [
    (lambda i: tessera.faraday_fit_i(i, FREQUENCY[1:], SIGMA), "39 frequencies are given for 40 planes"),
    (lambda i: tessera.faraday_fit_i(i, FREQUENCY, np.ones(3)), "faraday_fit_i: noise is"),
    (lambda i: tessera.faraday_fit_i(i, FREQUENCY, SIGMA, order=9), "order is 9; it can be -5 to 5"),
    (lambda i: tessera.faraday_fit_i(i, FREQUENCY, SIGMA, curve="cubic"), "'cubic'"),
    (lambda i: tessera.faraday_fit_i(np.zeros(i.shape, "i4"), FREQUENCY, SIGMA), "faraday_fit_i: i"),
])
def test_says_what_is_wrong(call, sentence):
    with pytest.raises((ValueError, TypeError), match=sentence):
        call(power_laws()[0])
