#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # How fast do white blood cells roll?
#
# A film of a small vein, seen through a microscope: white blood cells roll along its wall. This notebook makes such a
# film, finds and follows the cells, and compares their speeds with the true ones. Editors that know
# `# %%` (VS Code, Spyder, Jupytext) show it cell by cell; `microscopy_cells.py [FOLDER]` runs all of it and writes its
# pictures to FOLDER.
# %%
import sys
from pathlib import Path

import numpy as np

import tessera

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "microscopy")
folder.mkdir(parents=True, exist_ok=True)
FRAME_RATE, UM_PER_PIXEL = 30.0, 0.32  # of the camera and the objective

# %% [markdown]
# ## The film
#
# `film` is (frames, rows, columns). For your own film: `film = tessera.read("venule.tif")`.
# %%
film, truth = tessera.sample_cells(480, 360, seed=1, frames=200, cells=16)
print("film:", film.shape, film.dtype)

# %% [markdown]
# ## A frame with better contrast
#
# Local histogram equalisation (CLAHE) makes the cells visible to the eye; tracking uses the frames as they are.
# %%
readable = tessera.enhance(film[0], steps="clahe")
tessera.write(folder / "frame.png", film[0], force=True)
tessera.write(folder / "readable.png", readable, force=True)

# %% [markdown]
# ## Tracks
#
# Cells roll to the right, 0 degrees. A track is one row per frame and cell, in columns ready for a `DataFrame`.
# %%
tracks = tessera.track_cells(film, flow=0)
ids = np.unique(tracks["TRACK_ID"])
print(len(ids), "cells; columns:", ", ".join(tracks))


# %%
def mean_speeds(table):
    """In micrometres per second, one per cell that is seen for a second or longer."""
    speeds = []
    for track in np.unique(table["TRACK_ID"]):
        mine = table["TRACK_ID"] == track
        x, y, frame = (table[name][mine] for name in ("POSITION_X", "POSITION_Y", "FRAME"))
        if frame[-1] - frame[0] >= FRAME_RATE:
            seconds = (frame[-1] - frame[0]) / FRAME_RATE
            speeds.append(np.hypot(x[-1] - x[0], y[-1] - y[0]) * UM_PER_PIXEL / seconds)
    return np.array(speeds)


measured, made = mean_speeds(tracks), mean_speeds(truth)
print(f"median speed: measured {np.median(measured):.2f} um/s, true {np.median(made):.2f} um/s")

# %% [markdown]
# ## How good are the tracks?
#
# Only a synthetic film can tell: every cell that was put there is looked for among the tracks.
# %%
score = tessera.score_cells(truth, tracks)
print(f"{score['found']} of {score['cells']} cells found, {score['false_tracks']} false tracks")

# %% [markdown]
# ## A picture
#
# The last frame with the paths of all cells, one colour per cell.
# %%
picture = np.repeat(film[-1][..., None], 3, axis=-1)
for number, track in enumerate(ids):
    mine = tracks["TRACK_ID"] == track
    columns = np.clip(np.rint(tracks["POSITION_X"][mine]).astype(int), 0, film.shape[2] - 1)
    rows = np.clip(np.rint(tracks["POSITION_Y"][mine]).astype(int), 0, film.shape[1] - 1)
    phase = 2 * np.pi * number / len(ids)
    picture[rows, columns] = [round(128 + 127 * np.cos(phase + turn)) for turn in (0, 2.1, 4.2)]
tessera.write(folder / "tracks.png", picture, force=True)
print("pictures:", ", ".join(sorted(path.name for path in folder.glob("*.png"))))
