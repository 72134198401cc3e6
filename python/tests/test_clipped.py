# SPDX-License-Identifier: Apache-2.0
"""Results that integers cannot hold are counted in a note of `tessera convolve`."""
import json
import re

import numpy as np
import pytest

import tessera


def outside(image, weights, **how):
    exact = np.rint(tessera.convolve(image, weights, output_type="f64", **how))
    return int(((exact < 0) | (exact > np.iinfo(image.dtype).max)).sum())


@pytest.mark.parametrize("dtype", ["u1", "u2"])
@pytest.mark.parametrize("name", ["sobel:x", "laplacian", "gabor:4,0,2"])
@pytest.mark.parametrize("limit", ["1G", "1M"])
def test_the_count_is_exact(cli, rng, tmp_path, dtype, name, limit):
    image = rng.integers(0, np.iinfo(dtype).max, (211, 173, 3), dtype=dtype, endpoint=True)
    np.save(tmp_path / "a.npy", image)
    said = cli("convolve", tmp_path / "a.npy", name, tmp_path / "b.npy", "--memory-limit", limit)
    count = outside(image, name, channel_axis=-1)
    assert count > 1000
    assert (f"note: {count} of {image.size} results are outside 0 to {np.iinfo(dtype).max} and were clipped; "
            "--output-type f32 keeps them\n") in said


def test_planes_one_after_the_other(cli, rng, tmp_path):
    stack = rng.integers(0, 255, (4, 40, 50), dtype="u1")
    tessera.write(tmp_path / "a.tif", stack)
    said = cli("convolve", tmp_path / "a.tif", "sobel:y", tmp_path / "b.tif")
    assert f"note: {outside(stack, 'sobel:y', batch_axis=0)} of {stack.size} results" in said


@pytest.mark.parametrize("arguments", [["gauss:2"], ["box:3x3"], ["sobel:x", "--output-type", "f32"],
                                       ["sobel:x", "--scale", "0"]])
def test_nothing_is_said_of_what_cannot_happen(cli, rng, tmp_path, arguments):
    np.save(tmp_path / "a.npy", rng.integers(0, 255, (30, 40), dtype="u1"))
    assert "note:" not in cli("convolve", tmp_path / "a.npy", arguments[0], tmp_path / "b.npy", *arguments[1:])


def test_nothing_is_said_if_it_did_not_happen(cli, tmp_path):
    np.save(tmp_path / "a.npy", np.full((30, 40), 7, "u1"))
    assert "note:" not in cli("convolve", tmp_path / "a.npy", "sobel:x", tmp_path / "b.npy")


def test_some_rows_of_large_images_are_counted(cli, rng, tmp_path):
    image = rng.integers(0, 255, (1600, 2000), dtype="u1")
    np.save(tmp_path / "a.npy", image)
    run = ["convolve", tmp_path / "a.npy", "sobel:x", tmp_path / "b.npy", "--json", "--force"]
    note, = json.loads(cli(*run))["notes"]
    share, counted = re.match(rf"about ([\d.]+)% of {image.size} results \(counted in (\d+) of them\)", note).groups()
    assert int(counted) == 8 * 2000 * (1600 // 8 // 13 + 1)
    share = float(share)
    assert share == pytest.approx(100 * outside(image, "sobel:x") / image.size, abs=2)
    assert json.loads(cli(*run, "--threads", 1, "--memory-limit", "1M"))["notes"] == [note]
