# SPDX-License-Identifier: Apache-2.0
"""Rotation measures of listed positions, from Python."""
import numpy as np
import pytest

import tessera

fits = pytest.importorskip("astropy.io.fits")


@pytest.fixture(scope="module")
def sky(tmp_path_factory):
    folder = tmp_path_factory.mktemp("catalogue")
    made = tessera.sample_polarised(64, 48, seed=5, sources=3, separation=16, rm_max=300)
    for name in "qu":
        header = fits.Header({"CTYPE1": "RA---SIN", "CRVAL1": 50.0, "CRPIX1": 1.0, "CDELT1": -1e-3, "CUNIT1": "deg",
                              "CTYPE2": "DEC--SIN", "CRVAL2": -20.0, "CRPIX2": 1.0, "CDELT2": 1e-3, "CUNIT2": "deg",
                              "CTYPE3": "FREQ", "BUNIT": "mJy/beam"})
        fits.writeto(folder / f"{name}.fits", made[name], header)
    np.savetxt(folder / "frequencies.txt", made["frequency"], fmt="%.17g")
    return folder, made


def measure(folder, positions, **options):
    return tessera.faraday_catalogue(positions, folder / "q.fits", folder / "u.fits", folder / "frequencies.txt",
                                     phi_max=600, dphi=3, **options)


def test_values_are_those_of_the_maps(sky):
    folder, made = sky
    x, y = np.array([3, 40, 63, 64]), np.array([5, 22, 47, 1])
    rms = measure(folder, {"x": x, "y": y, "name": ["a", "b", "c", "d"]}, noise="0.01")
    spectra = tessera.faraday_synth(made["q"], made["u"], made["frequency"], noise=0.01, phi_max=600, dphi=3)
    maps = tessera.faraday_maps(spectra.fdf, spectra.axes, bands=spectra.bands)
    for column, name, scale in (("rm", "rm", 1), ("rm_err", "rm-error", 1), ("polint", "pi-debiased", 1e-3),
                                ("derot_polangle", "angle-0", 1), ("snr", "snr", 1)):
        np.testing.assert_allclose(rms[column][:3], maps[name][y[:3], x[:3]] * scale, rtol=2e-4, err_msg=column)
    assert rms["flag"] == ["", "", "", "outside"] and rms["cat_id"] == ["a", "b", "c", "d"]
    assert np.isnan(rms["rm"][3]) and rms["ra"].shape == (4,)
    assert rms["Nchan"].tolist() == [300, 300, 300, 0]


def test_places_become_the_pixels_they_came_from(sky, tmp_path):
    folder, _ = sky
    pixels = measure(folder, {"x": [0, 31, 63], "y": [0, 40, 2]})
    again = measure(folder, {"RAJ2000": pixels["ra"], "DEJ2000": pixels["dec"]}, output=tmp_path / "rms.fits")
    assert again["x"].tolist() == [0, 31, 63] and again["y"].tolist() == [0, 40, 2]
    np.testing.assert_array_equal(again["rm"], pixels["rm"])
    with fits.open(tmp_path / "rms.fits", checksum=True) as hdus:
        hdus.verify("exception")
        assert hdus[1].data["rm"].tolist() == pixels["rm"].tolist()
    from_file = measure(folder, tmp_path / "rms.fits")
    np.testing.assert_array_equal(from_file["rm"], pixels["rm"])


def test_boxes_and_cleaning(sky):
    folder, made = sky
    box = measure(folder, {"x": [30], "y": [20]}, box=5, noise="0.01", clean=True, cutoff=-5)
    assert abs(box["x"][0] - 30) <= 2 and abs(box["y"][0] - 20) <= 2
    near = measure(folder, {"x": np.repeat(np.arange(28, 33), 5), "y": np.tile(np.arange(18, 23), 5)}, noise="0.01",
                   clean=True, cutoff=-5)
    best = int(np.nanargmax(near["snr"]))
    assert (box["x"][0], box["y"][0]) == (near["x"][best], near["y"][best])
    assert box["rm"][0] == near["rm"][best]


def test_a_fit_of_stokes_i_and_what_is_refused(sky, tmp_path):
    folder, made = sky
    frequency, random = made["frequency"], np.random.RandomState(3)
    i = 5 * (frequency / frequency.mean())[:, None, None] ** -0.7 * np.ones(made["q"].shape)
    header = fits.getheader(folder / "q.fits")
    fits.writeto(tmp_path / "i.fits", (i + 0.01 * random.standard_normal(i.shape)).astype("f4"), header)
    pixels = {"x": [3, 40], "y": [5, 22]}
    rms = measure(folder, pixels, model=tmp_path / "i.fits", fit_i=1, noise_i="0.01", noise="0.01")
    assert np.all(abs(rms["spectral_index"] + 0.7) < 5 * rms["spectral_index_err"])
    np.testing.assert_allclose(rms["stokesI"] / (5e-3 * (rms["reffreq_I"] / frequency.mean()) ** -0.7), 1, rtol=1e-3)
    assert np.all((rms["stokesI_err"] > 0) & (rms["stokesI_err"] < 1e-5))
    with pytest.raises(ValueError, match="here: fit_i 2.*give allow_raw_model to divide") as refused:
        measure(folder, pixels, model=tmp_path / "i.fits")
    assert "--" not in str(refused.value)
    assert np.isnan(measure(folder, pixels, model=tmp_path / "i.fits", allow_raw_model=True)["spectral_index"][0])


def test_mistakes(sky, tmp_path):
    folder, _ = sky
    with pytest.raises(ValueError, match="no columns of positions"):
        measure(folder, {"flux": [1.0]})
    with pytest.raises(ValueError, match="'b' has 2 values and 'ra' has 1"):
        measure(folder, {"ra": [1.0], "b": [1, 2]})
    with pytest.raises(TypeError, match="positions"):
        measure(folder, 3)
    with pytest.raises(OSError, match="cannot be opened"):
        measure(folder, tmp_path / "none.csv")
    assert measure(folder, {"x": [], "y": []})["rm"].shape == (0,)
