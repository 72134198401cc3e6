# SPDX-License-Identifier: Apache-2.0
"""Small films of bright discs whose motion is known."""
import numpy as np

ROLLING = [(20, 30, 1.5, 0), (30, 75, 1.5, 0), (40, 120, 1.5, 0)]
STANDING = [(160, 50, 0, 0), (170, 100, 0, 0)]


def discs(places, frames=60, shape=(150, 200)):
    """Bright discs at (x, y), moving by (vx, vy) per frame."""
    y, x = np.mgrid[:shape[0], :shape[1]]
    film = np.full((frames, *shape), 90.0) + np.random.default_rng(1).normal(0, 2, (frames, *shape))
    for k in range(frames):
        for px, py, vx, vy in places:
            film[k] += 60 / (1 + np.exp(np.clip(np.hypot(x - px - k * vx, y - py - k * vy) - 8, -50, 50)))
    return film.clip(0, 255).astype(np.uint8)


def two_roll_one_stands():
    return discs([(20, 25, 1.2, 0), (25, 65, 1.2, 0), (105, 45, 0, 0)], frames=62, shape=(90, 130))
