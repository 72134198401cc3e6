# SPDX-License-Identifier: Apache-2.0
"""Tracks compared with the truth, one track for one cell. Written for the judge alone: it shares nothing with
`tessera cells score`.

near        a spot is near a true cell if it is at most max(4 px, 0.6 radii) from its centre
right       a track that is assigned to a cell near which at least half of its seen spots are; each cell has at most one
            such track, and the assignment has as many near spots as possible
extra       a track that would be right if its cell had no other: one cell found twice, or followed in pieces
invented    all other tracks
precision   right tracks among all tracks
wanted      cells that lie wholly inside the picture, 2 px to spare, in at least ten frames or half of a shorter film
covered     wanted cells whose right track is near in at least half of those frames
recall      covered cells among wanted ones
adherent    true: in nine tenths of the frames, and its mean place moves by less than 0.1 px per frame from the first to
            the last tenth of them (on the tissue, if the truth has that place); right: an adherent track right on one
"""
from dataclasses import asdict, dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment


@dataclass
class Score:
    tracks: int
    right: int
    extra: int
    invented: int
    cells: int
    covered: int
    adherent_right: int
    adherent_found: int
    adherent_true: int

    @property
    def precision(self) -> float | None:
        return self.right / self.tracks if self.tracks else None

    @property
    def recall(self) -> float | None:
        return self.covered / self.cells if self.cells else None

    def as_json(self) -> dict:
        return {**asdict(self), "precision": self.precision, "recall": self.recall}


def columns(path) -> dict[str, np.ndarray]:
    """The numbers of a table by name; empty fields are NaN."""
    with open(path) as file:
        names = file.readline().strip().split(",")
        lines = [line.strip().split(",") for line in file if line.strip()]
    return {name: np.array([float(line[i] or "nan") for line in lines]) for i, name in enumerate(names)}


def near_spots(truth: dict, found: dict) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of rows, of the truth and of the tracks: the same frame, and near."""
    truth_order, found_order = np.argsort(truth["FRAME"], kind="stable"), np.argsort(found["FRAME"], kind="stable")
    pairs = [(np.empty(0, int), np.empty(0, int))]
    for frame in np.intersect1d(truth["FRAME"], found["FRAME"]):
        theirs, ours = (order[slice(*np.searchsorted(table["FRAME"][order], [frame, frame + 1]))]
                        for table, order in ((truth, truth_order), (found, found_order)))
        across, down = (truth[name][theirs][:, None] - found[name][ours] for name in ("POSITION_X", "POSITION_Y"))
        one, two = np.nonzero(np.hypot(across, down) <= np.maximum(4, 0.6 * truth["RADIUS"][theirs])[:, None])
        pairs.append((theirs[one], ours[two]))
    return tuple(np.concatenate(side) for side in zip(*pairs, strict=True))


def inside(truth: dict, width: int, height: int) -> np.ndarray:
    margin = truth["RADIUS"] + 2
    x, y = truth["POSITION_X"], truth["POSITION_Y"]
    return (x >= margin) & (y >= margin) & (x <= width - 1 - margin) & (y <= height - 1 - margin)


def stands_still(truth: dict, rows: np.ndarray, frames: int) -> bool:
    if len(rows) < 0.9 * frames or frames < 2:
        return False
    names = ("ON_TISSUE_X", "ON_TISSUE_Y") if "ON_TISSUE_X" in truth else ("POSITION_X", "POSITION_Y")
    rows = rows[np.argsort(truth["FRAME"][rows])]
    tenth = max(1, len(rows) // 10)
    first, last = rows[:tenth], rows[-tenth:]
    time = truth["FRAME"][last].mean() - truth["FRAME"][first].mean()
    return np.hypot(*(truth[name][last].mean() - truth[name][first].mean() for name in names)) < 0.1 * time


def match(truth: dict, found: dict, adherent_tracks: set, frames: int, width: int, height: int) -> Score:
    """truth and found: columns of the tables; adherent_tracks: the ids of those called adherent."""
    found = {name: values[found["SEEN"] > 0] for name, values in found.items()} if "SEEN" in found else found
    cells, cell = np.unique(truth["TRACK_ID"], return_inverse=True)
    tracks, track = np.unique(found["TRACK_ID"], return_inverse=True)
    theirs, ours = near_spots(truth, found)
    near, counted = np.zeros((2, len(cells), len(tracks)), int)  # spots; those of cells wholly inside
    whole = inside(truth, width, height)
    np.add.at(near, (cell[theirs], track[ours]), 1)
    np.add.at(counted, (cell[theirs], track[ours]), whole[theirs])
    enough = near >= 0.5 * np.bincount(track, minlength=len(tracks))
    one, two = linear_sum_assignment(np.where(enough, near, 0), maximize=True)
    own = {int(b): int(a) for a, b in zip(one, two, strict=True) if enough[a, b]}  # cell of every right track
    frames_inside = np.bincount(cell, whole, minlength=len(cells))
    wanted = frames_inside >= max(1, min(10, frames / 2))
    covered = [a for b, a in own.items() if wanted[a] and counted[a, b] >= 0.5 * frames_inside[a]]
    still = {a for a in range(len(cells)) if stands_still(truth, np.flatnonzero(cell == a), frames)}
    right_still = sum(tracks[b] in adherent_tracks and a in still for b, a in own.items())
    extra = int(enough.any(axis=0).sum()) - len(own) if len(cells) else 0
    return Score(len(tracks), len(own), extra, len(tracks) - len(own) - extra, int(wanted.sum()), len(covered),
                 right_still, len(adherent_tracks), len(still))
