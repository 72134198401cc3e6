# SPDX-License-Identifier: Apache-2.0
"""The kinds of films: who moves how, in front of what. Ranges are drawn from once per film or per cell."""
from dataclasses import dataclass, field

import cell_motions as motions


@dataclass(frozen=True)
class Kind:
    about: str
    cells: tuple = ()              # (motion, number, options of the motion)
    frames: int = 120
    size: tuple = (320, 240)       # columns, rows
    radius: tuple = (7, 12)        # pixels, per cell
    looks: tuple = ("bright", "dark")  # one of them per film
    contrast: tuple = (28, 45)     # grey levels of 0 to 255, per film
    tissue: tuple = (0.15, 0.28)   # deviation of the tissue, as a share of the contrast
    photons: tuple = (3, 8)        # per grey level: noise of 6 to 3.5 levels at level 100
    level: float = 105             # mean grey level of the tissue
    bits: tuple = (8, 16)          # one of them per film
    flicker: float = 0             # largest change of the light from frame to frame, as a share
    movement: dict = field(default_factory=dict)  # drift (px per frame), jump (px), breathe (px)


def rolling(number, **options):
    return (motions.flowing, number, options)


BUSY = (rolling(16), (motions.adherent, 4, {}))

KINDS = {
    "flow": Kind("constant velocities with jitter", (rolling(20),)),
    "stop-go": Kind("rolling with rests", ((motions.stop_and_go, 16, {}),)),
    "parabolic": Kind("a vessel: fast in the middle, slow at the wall", ((motions.in_a_vessel, 24, {}),)),
    "adherent": Kind("14 cells stay from first to last frame, 4 roll", ((motions.adherent, 14, {}), rolling(4))),
    "arrest": Kind("cells roll and stop in mid-film", ((motions.arresting, 12, {}), rolling(4))),
    "depart": Kind("adherent cells are released in mid-film", ((motions.departing, 12, {}), rolling(4))),
    "crawl": Kind("0.05 to 0.3 pixels per frame", ((motions.crawling, 14, {}),)),
    "dense": Kind("cells cover a fifth of the picture",
                  ((motions.crawling, 20, {}), (motions.adherent, 14, {}), rolling(28, speed=(0.3, 0.8), jitter=0.05)),
                  frames=80),
    "jump": Kind("the whole picture jumps by 3 to 20 pixels at one frame", BUSY, movement={"jump": (3, 20)}),
    "drift": Kind("the stage drifts by 0.3 pixels per frame", BUSY, movement={"drift": (0.3, 0.3)}),
    "breathing": Kind("the tissue moves by 1 to 3 pixels, not everywhere alike", BUSY, movement={"breathe": (1, 3)}),
    "flicker": Kind("the light changes by up to 20% at every frame", BUSY, flicker=0.2),
    "halo": Kind("phase contrast: dark cells with bright halos", BUSY, looks=("halo",)),
    "relief": Kind("differential interference contrast: one side bright, the other dark", BUSY, looks=("relief",)),
    "fluorescence": Kind("bright cells on a dark, even background", BUSY, looks=("bright",), level=25,
                         contrast=(60, 120), tissue=(0.02, 0.06)),
    "large": Kind("cells with a radius of 20 to 50 pixels", (rolling(5, speed=(0.3, 2)), (motions.adherent, 3, {})),
                  frames=80, size=(480, 360), radius=(20, 50)),
    "film-2": Kind("two frames", (rolling(12), (motions.adherent, 4, {})), frames=2),
    "film-3": Kind("three frames", (rolling(12), (motions.adherent, 4, {})), frames=3),
    "film-5": Kind("five frames", (rolling(12), (motions.adherent, 4, {})), frames=5),
    "film-10": Kind("ten frames", (rolling(12), (motions.adherent, 4, {})), frames=10),
    "film-60": Kind("60 frames, 24 cells", (rolling(16), (motions.adherent, 4, {}), (motions.stop_and_go, 4, {})),
                    frames=60, size=(480, 360)),
    "film-400": Kind("400 frames", (rolling(24, speed=(0.4, 1.5)), (motions.stop_and_go, 8, {}),
                                    (motions.adherent, 4, {})), frames=400),
    "empty": Kind("no cells", frames=100),
    "empty-breathing": Kind("no cells, moving tissue", frames=100, movement={"breathe": (1, 3)}),
    "empty-drift": Kind("no cells, the stage drifts", frames=100, movement={"drift": (0.3, 0.3)}),
    "empty-flicker": Kind("no cells, changing light", frames=100, flicker=0.2),
}
