# SPDX-License-Identifier: Apache-2.0
"""Sources against the truth of a synthetic sky, and the same numbers from the command line."""
import numpy as np
import pytest

import tessera


def one_source(dtype="float64"):
    """A Gaussian of width 5 and 4 pixels at (20.3, 31.6) with peak 50 on noise of 1."""
    y, x = np.mgrid[:64, :48]
    image = np.random.RandomState(1).normal(size=(64, 48))
    image += 50 * np.exp(-4 * np.log(2) * (((x - 20.3) / 4) ** 2 + ((y - 31.6) / 5) ** 2))
    return image.astype(dtype)


def test_one_source_is_measured():
    found = tessera.sources(one_source(), 0, 1, beam=(5, 4, 0))
    assert len(found["x"]) == 1 and found["flags"] == [""]
    for name, truth in {"x": 20.3, "y": 31.6, "peak": 50, "flux": 50, "major": 5, "minor": 4}.items():
        assert abs(found[name][0] - truth) < 5 * found[name + "_err"][0], name
    assert found["x_max"][0] == 20 and found["x_max"].dtype == np.int32


def test_same_numbers_as_the_command_line(cli, tmp_path):
    image = one_source("float32")
    np.save(tmp_path / "in.npy", image)
    cli("sources", tmp_path / "in.npy", "-o", tmp_path / "cat.csv", "--beam", "5,4,0", "--box", "32")
    table = np.genfromtxt(tmp_path / "cat.csv", delimiter=",", names=True, dtype=None, encoding="utf8")
    found = tessera.sources(image, beam=(5, 4, 0), box=32)
    for name in ("x", "y", "flux", "flux_err", "sum", "snr", "rms"):
        assert np.atleast_1d(table[name]).tolist() == found[name].tolist(), name


def test_masks_and_steps(rng):
    image = one_source()
    mask = np.zeros(image.shape, bool)
    mask[28:36, 22:30] = True
    found = tessera.sources(image, 0, 1, beam=5, mask=mask)
    assert any("blank" in flags for flags in found["flags"])
    wide = np.zeros((128, 96))
    wide[::2, ::2] = image
    assert tessera.sources(wide[::2, ::2], 0, 1)["x"].tolist() == tessera.sources(image, 0, 1)["x"].tolist()
    swapped = image.astype(">f8")
    assert tessera.sources(swapped, 0, 1)["x"].tolist() == tessera.sources(image, 0, 1)["x"].tolist()


@pytest.mark.parametrize("shape", [(0, 5), (1, 1), (3, 2)])
def test_small_images_have_no_sources(shape):
    assert len(tessera.sources(np.zeros(shape), 0, 1)["x"]) == 0


def test_bad_calls_are_refused():
    image = one_source()
    with pytest.raises(ValueError, match="another shape"):
        tessera.sources(image, np.zeros((3, 3)), 1)
    with pytest.raises(ValueError, match="grow"):
        tessera.sources(image, 0, 1, seed=3, grow=4)
    with pytest.raises(ValueError, match="beam"):
        tessera.sources(image, 0, 1, beam=(4, 5, 0))
    with pytest.raises(TypeError, match="did you mean 'seed'"):
        tessera.sources(image, 0, 1, seeds=2)
    with pytest.raises((TypeError, ValueError)):
        tessera.sources(np.zeros((2, 3, 4)))
