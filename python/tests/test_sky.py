# SPDX-License-Identifier: Apache-2.0
"""The sampled sky: what its truth says is in its pixels, and in the command line's files."""
import numpy as np
import pytest

import tessera

COLUMNS = ["x", "y", "peak", "flux", "major", "minor", "angle"]


def test_the_image_is_background_noise_and_sources():
    sky = tessera.sample_sky(320, 240, seed=3, sources=10, beam=4, extended=0)
    image, background, sigma, sources = (sky[name] for name in ("image", "background", "sigma", "sources"))
    assert image.shape == background.shape == sigma.shape == (240, 320) and image.dtype == "float32"
    assert list(sources) == COLUMNS and all(len(sources[name]) == 10 for name in COLUMNS)
    np.testing.assert_array_equal(sources["peak"], sources["flux"])  # of point sources
    numbers = (image.astype(float) - background) / sigma
    rows, columns = np.mgrid[:240, :320]
    for x, y, peak in zip(sources["x"], sources["y"], sources["peak"], strict=True):
        assert numbers[round(y), round(x)] > 0.8 * peak / sigma[round(y), round(x)] - 5
        numbers[np.hypot(columns - x, rows - y) < 12] = np.nan
    count = np.isfinite(numbers).sum()
    assert abs(np.nanmean(numbers)) < 5 / np.sqrt(count)
    assert abs(np.nanstd(numbers) - 1) < 5 / np.sqrt(2 * count)


def test_a_seed_is_a_sky():
    one, again, other = (tessera.sample_sky(64, 48, seed=seed, threads=threads)
                         for seed, threads in ((1, 1), (1, 3), (2, 1)))
    np.testing.assert_array_equal(one["image"], again["image"])
    assert not np.array_equal(one["image"], other["image"])


def test_options_come_through():
    sky = tessera.sample_sky(101, 101, sources=0, noise=2, rise=3, margin=4, dtype="float64")
    assert sky["sigma"].dtype == "float64"
    assert sky["sigma"][50, 50] == pytest.approx(2) and sky["sigma"][0, 0] == pytest.approx(6)
    assert np.isfinite(sky["image"]).sum() == 93 * 93 and np.isfinite(sky["background"]).all()
    with pytest.raises(ValueError, match="rise is 0.5"):
        tessera.sample_sky(8, 8, rise=0.5)
    with pytest.raises(ValueError, match="f32 or f64"):
        tessera.sample_sky(8, 8, dtype="uint8")


def test_same_numbers_as_the_command_line(cli, tmp_path):
    cli("sample", "sky", tmp_path / "a.npy", "--size", "90x70", "--seed", 5, "--sources", 4, "--holes", 2)
    sky = tessera.sample_sky(90, 70, seed=5, sources=4, holes=2)
    for name, file in (("image", "a.npy"), ("background", "a_truth_bkg.npy"), ("sigma", "a_truth_rms.npy")):
        np.testing.assert_array_equal(sky[name], np.load(tmp_path / file))
    table = np.genfromtxt(tmp_path / "a_truth.csv", delimiter=",", names=True)
    for name in COLUMNS:
        np.testing.assert_array_equal(sky["sources"][name], table[name])


def test_the_docstring_runs():
    names = {"tessera": tessera}
    for line in tessera.sample_sky.__doc__.splitlines():
        if line.strip().startswith(">>> "):
            exec(line.strip()[4:], names)
    assert names["snr"].shape == (192, 256)
    assert "rise (None)" in tessera.sample_sky.__doc__
