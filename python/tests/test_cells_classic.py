# SPDX-License-Identifier: Apache-2.0
"""The classic model of cells, step by step, against its independent transcription in NumPy."""
import numpy as np
import pytest
from cells_classic_numpy import classic_steps

from tessera._tessera import _cells_classic_steps

SIZE = (640, 480)


@pytest.fixture
def film(cli, tmp_path):
    """A film of sample cells as (frames, rows, columns)."""

    def make(seed, frames, noise=2, texture=2):
        path = tmp_path / f"film{seed}.npy"
        cli("sample", "cells", path, "--size", "{}x{}".format(*SIZE), "--seed", seed, "--frames", frames,
            "--preset", "easy", "--cells", 60, "--contrast-low", 40, "--contrast-high", 80, "--bright", 0.5,
            "--noise", noise, "--texture", texture, "--crossings", 0, "--entries", 0, "--exits", 0, "--stops", 0)
        made = np.load(path)
        assert made.shape == (frames, SIZE[1], SIZE[0]) and made.dtype == np.uint8
        return made

    return make


def assert_same_steps(found, expected):
    np.testing.assert_allclose(found["gicov"], expected["gicov"], rtol=0, atol=1e-12)
    for name in ("column", "row", "field_iterations", "snake_iterations"):
        np.testing.assert_array_equal(found[name], expected[name], err_msg=name)
    for name in ("x", "y"):
        np.testing.assert_allclose(found[name], expected[name], rtol=0, atol=1e-9, err_msg=name)
    np.testing.assert_allclose(found["score"], expected["score"], rtol=0, atol=1e-12)


def assert_same_bits(first, second):
    for name, values in first.items():
        np.testing.assert_array_equal(values, second[name], err_msg=name)


def test_published_crop(film):
    frames = film(2, 2)
    found = _cells_classic_steps(frames)
    assert_same_steps(found, classic_steps(frames))
    assert found["gicov"].shape == (219, 640)
    assert len(found["score"]) >= 15
    assert (found["score"] < -1.8).any() and (found["score"] > 1.8).any()
    assert (found["snake_iterations"][:, 1:] > 0).any()


def test_more_frames_than_the_path_remembers(film):
    frames = film(3, 13)
    found = _cells_classic_steps(frames, "0,110,160x219")
    assert_same_steps(found, classic_steps(frames, (0, 110, 160, 219)))
    assert len(found["score"]) >= 3


def test_crop_elsewhere(film):
    frames = film(4, 2)
    found = _cells_classic_steps(frames, "37,50,200x400")
    assert_same_steps(found, classic_steps(frames, (37, 50, 200, 400)))
    assert len(found["score"]) >= 4


def test_textured_ground(film):
    """Cells are searched for forty rows away from where they are: mostly background is followed."""
    frames = film(5, 3, noise=8, texture=6)
    found = _cells_classic_steps(frames, "200,60,160x360")
    assert_same_steps(found, classic_steps(frames, (200, 60, 160, 360)))
    assert len(found["score"]) >= 1


def test_small_frame_is_searched_whole(film):
    frames = np.ascontiguousarray(film(6, 2)[:, 100:300, :250])
    found = _cells_classic_steps(frames)
    assert found["gicov"].shape == (200, 250)
    assert_same_steps(found, classic_steps(frames, (0, 0, 250, 200)))
    assert len(found["score"]) >= 1


def test_frame_without_edges_loses_cells(film):
    frames = film(7, 4)
    frames[2] = 128
    found = _cells_classic_steps(frames, "0,110,200x219")
    with np.errstate(invalid="ignore"):
        assert_same_steps(found, classic_steps(frames, (0, 110, 200, 219)))
    lost = np.isnan(found["x"][:, 2])
    assert lost.any() and np.isnan(found["x"][lost, 3]).all()


def test_one_frame_and_no_cells(film):
    frames = film(8, 2)
    one = _cells_classic_steps(frames[0])
    assert one["x"].shape == (len(one["score"]), 1) and len(one["score"]) > 0
    flat = _cells_classic_steps(np.full((3, 480, 640), 7, np.uint8))
    assert flat["x"].shape == (0, 3) and not flat["gicov"].any()


def test_same_bits_for_any_threads_types_and_strides(film):
    frames = film(9, 2)
    crop = "0,110,160x219"
    first = _cells_classic_steps(frames, crop, threads=1)
    assert len(first["score"]) > 0
    assert_same_bits(first, _cells_classic_steps(frames, crop, threads=3))
    doubled = np.repeat(frames, 2, axis=2)
    for other in (frames.astype(np.uint16) * 257, frames.astype(np.float32), doubled[:, :, ::2]):
        assert_same_bits(first, _cells_classic_steps(other, crop))


def test_bad_calls():
    frames = np.zeros((2, 60, 60), np.uint8)
    with pytest.raises(ValueError, match="crop 0,0,70x10 reaches outside the frame"):
        _cells_classic_steps(frames, "0,0,70x10")
    with pytest.raises(ValueError, match="cells"):
        _cells_classic_steps(np.zeros((0, 60, 60), np.uint8))
