# SPDX-License-Identifier: Apache-2.0
"""pycellin on trackmate.xml of cells track: every track, spot and link as it reads them."""
import xml.etree.ElementTree as ElementTree

import numpy as np
from judging import Arrays, Case, package_version, tessera

PACKAGES = {"pypi": ["pycellin>=0.5"]}
TOOL = "pycellin"
COMPARED = "cells: tracks, spots and links of trackmate.xml"
NOT_JUDGED = ["films whose frame interval is not a short decimal (30 frames per second): pycellin 0.5 refuses times "
              "with nine digits, as in trackmate.xml"]


def version() -> str:
    return package_version("pycellin")


def follow(folder):
    """Strong cells only, so that every machine finds the same."""
    tessera("sample", "cells", folder / "film.npy", "--preset", "easy", "--size", "240x160", "--frames", 20, "--cells",
            4, "--seed", 3, "--quiet")
    tessera("cells", "track", folder / "film.npy", "-o", folder / "out", "--overlay", "no", "--report", "no",
            "--frame-rate", 25, "--threshold", 3, "--quiet")
    return folder / "out"


def arrays(spots: list[tuple], links: int) -> Arrays:
    """Rows of track, frame, time, x, y, radius, in order of track and frame."""
    table = np.array(sorted(spots), float)
    return {"tracks and frames": table[:, :2].astype("i4"), "times": table[:, 2], "x, y": table[:, 3:5],
            "radii": table[:, 5], "links": np.array(links)}


def case() -> Case:
    def theirs(folder):
        import pycellin
        model = pycellin.load_TrackMate_XML(follow(folder) / "trackmate.xml")
        lineages = model.get_cell_lineages()
        spots = [(lineage.graph["lineage_ID"], spot["FRAME"], spot["POSITION_T"], spot["cell_x"], spot["cell_y"],
                  spot["RADIUS"]) for lineage in lineages for _, spot in lineage.nodes(data=True)]
        return arrays(spots, sum(lineage.number_of_edges() for lineage in lineages))

    def ours(folder):
        root = ElementTree.parse(follow(folder) / "trackmate.xml").getroot()
        names = ("FRAME", "POSITION_T", "POSITION_X", "POSITION_Y", "RADIUS")
        by_id = {spot.get("ID"): tuple(float(spot.get(name)) for name in names) for spot in root.iter("Spot")}
        spots, links = set(), 0
        for track in root.iter("Track"):
            for link in track.iter("Edge"):
                ends = (link.get("SPOT_SOURCE_ID"), link.get("SPOT_TARGET_ID"))
                spots |= {(float(track.get("TRACK_ID")), *by_id[end]) for end in ends}
                links += 1
        return arrays(list(spots), links)

    # docs/accuracy.md: methods agree to 0.05 px; another machine runs another one than the answer was recorded with.
    bounds = {"tracks and frames": 0, "links": 0, "times": 1e-9, "x, y": 0.05, "radii": 0.05}
    return Case("film of rolling cells", theirs, ours, bounds)


def cases() -> list[Case]:
    return [case()]
