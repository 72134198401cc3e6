# SPDX-License-Identifier: Apache-2.0
"""pycellin and pytrackmate on trackmate.xml of cells track: tracks, spots, links, units and features."""
import xml.etree.ElementTree as ElementTree

import numpy as np
from judging import Arrays, Case, package_version, tessera

PACKAGES = {"pypi": ["pycellin>=0.5", "pytrackmate>=1.3"]}
TOOL = "pycellin, pytrackmate"
COMPARED = "cells: tracks, spots, links, units and features of trackmate.xml"
NOT_JUDGED = ["segmentation and tracking scores of the Cell Tracking Challenge: Tessera does not write its files",
              "TrackMate itself, which runs inside Fiji"]
# Films by name: micrometres per pixel and frames per second.
FILMS = {"film of rolling cells": (None, 25), "film with a pixel size": (0.32, 30)}
# docs/accuracy.md: methods agree to 0.05 px; another machine runs another one than the answer was recorded with.
NEAR = 0.05


def version() -> str:
    return f"{package_version('pycellin')}, {package_version('pytrackmate')}"


def follow(folder, film: str):
    """Strong cells only, so that every machine finds the same."""
    um, rate = FILMS[film]
    tessera("sample", "cells", folder / "film.npy", "--preset", "easy", "--size", "240x160", "--frames", 20, "--cells",
            4, "--seed", 3, "--quiet")
    tessera("cells", "track", folder / "film.npy", "-o", folder / "out", "--overlay", "no", "--report", "no",
            "--frame-rate", rate, "--threshold", 3, "--quiet", *(["--um-per-pixel", um] if um else []))
    return folder / "out" / "trackmate.xml"


def numbers(element, names: tuple) -> tuple:
    return tuple(float(element.get(name)) for name in names)


# --- pycellin: the graph of every track ------------------------------------------------------------------------------

def graph_arrays(spots: list[tuple], links: list[tuple], tracks: list[tuple], scale: tuple, units: tuple) -> Arrays:
    """Spots are track, frame, time, x, y, radius; links track, frame of the target, speed, displacement; tracks id,
    number of spots, duration, displacement, mean speed."""
    table, edges, wholes = (np.array(sorted(rows), float) for rows in (spots, links, tracks))
    return {"tracks and frames": table[:, :2].astype("i4"), "times": table[:, 2], "x, y, radii": table[:, 3:],
            "links": edges[:, :2].astype("i4"), "speeds": edges[:, 2], "displacements": edges[:, 3],
            "numbers of spots": wholes[:, :2].astype("i4"), "durations": wholes[:, 2],
            "displacements of tracks": wholes[:, 3], "mean speeds": wholes[:, 4],
            "pixel size, interval": np.array(scale), "units": np.frombuffer("|".join(units).encode(), "u1")}


def pycellin_case(film: str) -> Case:
    def theirs(folder):
        import pycellin
        model = pycellin.load_TrackMate_XML(follow(folder, film))
        lineages = model.get_cell_lineages()
        spots, links, tracks = [], [], []
        for lineage in lineages:
            of, nodes = lineage.graph, lineage.nodes
            track = of["lineage_ID"]
            spots += [(track, spot["FRAME"], spot["POSITION_T"], spot["cell_x"], spot["cell_y"], spot["RADIUS"])
                      for _, spot in nodes(data=True)]
            links += [(track, nodes[to]["FRAME"], link["SPEED"], link["DISPLACEMENT"])
                      for _, to, link in lineage.edges(data=True)]
            tracks.append((track, of["NUMBER_SPOTS"], of["TRACK_DURATION"], of["TRACK_DISPLACEMENT"],
                           of["TRACK_MEAN_SPEED"]))
        about = model.model_metadata
        return graph_arrays(spots, links, tracks, (about.pixel_width, about.pixel_height, about.time_step),
                            (about.space_unit, about.time_unit))

    def ours(folder):
        root = ElementTree.parse(follow(folder, film)).getroot()
        names = ("FRAME", "POSITION_T", "POSITION_X", "POSITION_Y", "RADIUS")
        by_id = {spot.get("ID"): numbers(spot, names) for spot in root.iter("Spot")}
        spots, links, tracks = set(), [], []
        for track in root.findall("Model/AllTracks/Track"):
            whole = numbers(track, ("TRACK_ID", "NUMBER_SPOTS", "TRACK_DURATION", "TRACK_DISPLACEMENT",
                                    "TRACK_MEAN_SPEED"))
            tracks.append(whole)
            for link in track.findall("Edge"):
                ends = [by_id[link.get(name)] for name in ("SPOT_SOURCE_ID", "SPOT_TARGET_ID")]
                spots |= {(whole[0], *end) for end in ends}
                links.append((whole[0], ends[1][0], *numbers(link, ("SPEED", "DISPLACEMENT"))))
        model, image = root.find("Model"), root.find("Settings/ImageData")
        return graph_arrays(list(spots), links, tracks, numbers(image, ("pixelwidth", "pixelheight", "timeinterval")),
                            (model.get("spatialunits"), model.get("timeunits")))

    um, rate = FILMS[film]
    near = NEAR * (um or 1)
    # Both ends of a displacement may be off.
    bounds = {"tracks and frames": 0, "times": 1e-12, "x, y, radii": near, "links": 0, "speeds": 2 * near * rate,
              "displacements": 2 * near, "numbers of spots": 0, "durations": 1e-12, "displacements of tracks": 2 * near,
              "mean speeds": 2 * near * rate, "pixel size, interval": 0, "units": 0}
    return Case(f"{film}, pycellin", theirs, ours, bounds)


# --- pytrackmate: a table of spots -----------------------------------------------------------------------------------

def table_arrays(spots: list[tuple]) -> Arrays:
    """Spots are track, frame, id, time, x, y, z, quality. Tracks are counted from 0, in the order of the file."""
    table = np.array(sorted(spots), float)
    return {"tracks, frames, ids": table[:, :3].astype("i4"), "times": table[:, 3], "x, y, z": table[:, 4:7],
            "qualities": table[:, 7]}


def pytrackmate_case(film: str) -> Case:
    def theirs(folder):
        from pytrackmate import trackmate_peak_import
        table = trackmate_peak_import(follow(folder, film), get_tracks=True)
        columns = ["label", "t_stamp", "spot_id", "t", "x", "y", "z", "q"]
        return table_arrays(list(table[columns].itertuples(index=False, name=None)))

    def ours(folder):
        """spots.csv, which has TrackMate's columns too."""
        lines = (follow(folder, film).parent / "spots.csv").read_text().splitlines()
        names = lines[0].split(",")
        rows = [dict(zip(names, line.split(","), strict=True)) for line in lines[4:]]
        order = {track: k for k, track in enumerate(dict.fromkeys(row["TRACK_ID"] for row in rows))}
        columns = ["FRAME", "ID", "POSITION_T", "POSITION_X", "POSITION_Y", "POSITION_Z", "QUALITY"]
        return table_arrays([(order[row["TRACK_ID"]], *(float(row[name]) for name in columns)) for row in rows])

    near = NEAR * (FILMS[film][0] or 1)
    bounds = {"tracks, frames, ids": 0, "times": 1e-12, "x, y, z": near, "qualities": NEAR}
    return Case(f"{film}, pytrackmate", theirs, ours, bounds)


def cases() -> list[Case]:
    return [make(film) for film in FILMS for make in (pycellin_case, pytrackmate_case)]
