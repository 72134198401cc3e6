# SPDX-License-Identifier: Apache-2.0
"""The judge of the tracker itself: scores that can be counted by hand, and films that are the same every time."""
from dataclasses import replace

import numpy as np
import patch_films
import pytest
from cell_cutouts import cutouts
from skimage import data, io
from track_matching import match

FRAMES, WIDTH, HEIGHT = 20, 100, 80


def tracks(*paths, radius=8.0):
    """Columns of one track per path (x, y, frames, velocity in x)."""
    rows = [(number, frame, x + speed * frame, y, radius)
            for number, (x, y, frames, speed) in enumerate(paths) for frame in frames]
    names = ("TRACK_ID", "FRAME", "POSITION_X", "POSITION_Y", "RADIUS")
    return dict(zip(names, np.array(rows, float).reshape(-1, 5).T, strict=True))


def score(truth, found, adherent=()):
    return match(truth, found, set(adherent), FRAMES, WIDTH, HEIGHT)


ALL = range(FRAMES)
TWO_CELLS = tracks((30, 30, ALL, 0), (30, 60, ALL, 2))


def test_the_truth_itself_is_perfect():
    result = score(TWO_CELLS, TWO_CELLS, [0])
    assert (result.precision, result.recall) == (1, 1)
    assert (result.adherent_right, result.adherent_found, result.adherent_true) == (1, 1, 1)


def test_a_cell_found_twice_counts_once():
    result = score(TWO_CELLS, tracks((30, 30, ALL, 0), (31, 31, ALL, 0)))
    assert (result.right, result.extra, result.invented, result.covered) == (1, 1, 0, 1)


def test_a_cell_followed_in_pieces():
    result = score(TWO_CELLS, tracks((30, 30, range(9), 0), (30, 30, range(11, 20), 0)))
    assert (result.right, result.extra, result.covered) == (1, 1, 0)  # neither piece covers half of its frames


def test_far_tracks_are_invented():
    near, far = 4.7, 4.9  # 0.6 radii are 4.8 px
    assert score(TWO_CELLS, tracks((30 + near, 30, ALL, 0))).right == 1
    assert score(TWO_CELLS, tracks((30 + far, 30, ALL, 0))).invented == 1


def test_one_track_on_two_cells_is_right_for_one_at_most():
    found = tracks((30, 30, range(12), 0), (30, 60, range(12, 20), 2))
    found["TRACK_ID"][:] = 0
    result = score(TWO_CELLS, found)
    assert (result.tracks, result.right, result.covered) == (1, 1, 1)


def test_bridged_spots_do_not_count():
    found = tracks((30, 30, ALL, 0))
    found["SEEN"] = (found["FRAME"] < 9).astype(float)
    assert (score(TWO_CELLS, found).right, score(TWO_CELLS, found).covered) == (1, 0)


def test_cells_at_the_border_or_for_a_short_time_are_not_wanted():
    truth = tracks((8, 30, ALL, 0), (50, 40, range(9), 0))
    assert score(truth, tracks()).cells == 0
    assert score(truth, truth).right == 2  # but finding them is not wrong


def test_without_cells_every_track_is_invented():
    result = score(tracks(), TWO_CELLS)
    assert (result.invented, result.precision, result.recall) == (2, 0, None)
    assert score(tracks(), tracks()).precision is None


@pytest.fixture(scope="module")
def images():
    """One photograph is enough, and cells that are not large."""
    return patch_films.Sources(cutouts(patch_films.grey(io.imread(patch_films.NUCLEI))), [], [data.camera()])


def test_the_same_seed_makes_the_same_film(images):
    (film, truth), (again, truth_again), (other, _) = (patch_films.make("film-3", seed, images) for seed in (1, 1, 2))
    assert film.shape == (3, 240, 320) and film.dtype in (np.uint8, np.uint16)
    assert (film == again).all() and (truth == truth_again).all()
    assert film.dtype != other.dtype or (film != other).any()


def test_cells_are_where_the_truth_says(images, monkeypatch):
    """Fluorescence: the middle of every cell is brighter than a ring around it, without the parts near other cells."""
    monkeypatch.setitem(patch_films.KINDS, "fluorescence", replace(patch_films.KINDS["fluorescence"], frames=2))
    film, truth = patch_films.make("fluorescence", 1, images)
    y, x = np.mgrid[:film.shape[1], :film.shape[2]]
    for _, frame, _, cx, cy, radius, *_ in truth[truth[:, 1] == 0]:
        others = truth[(truth[:, 1] == frame) & (truth[:, 3] != cx)]
        distance = np.hypot(x - cx, y - cy)
        away = np.min([np.hypot(x - u, y - v) - r for u, v, r in others[:, 3:6]], axis=0) > 4
        picture = film[int(frame)]
        assert picture[distance < radius / 2].mean() > 1.5 * picture[(abs(distance - radius - 6) < 2) & away].mean()
