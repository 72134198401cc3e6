# SPDX-License-Identifier: Apache-2.0
"""tifffile, scikit-image, pycellin, py-ctcmetrics, traccuracy and geff on outlines, masks and graphs of cells track."""
import csv
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
from judging import Arrays, Case, package_version, tessera

TOOLS = ["tifffile", "scikit-image", "pycellin", "py-ctcmetrics", "traccuracy", "geff"]
PACKAGES = {"pypi": ["tifffile>=2023.7", "imagecodecs", "scikit-image>=0.22", "pycellin>=0.5",
                     "py-ctcmetrics>=1.2", "traccuracy>=0.2", "geff>=1.1"]}
TOOL = ", ".join(TOOLS)
COMPARED = "cells: masks.tif, shapes of outlines, the folder of the Cell Tracking Challenge, tracks.geff"
NOT_JUDGED = ["perimeters: those of scikit-image are estimates from pixels; tests compute them by hand",
              "scores of the Cell Tracking Challenge: the truth of sample films has no outlines"]
FRAMES, SIZE = 24, (160, 240)
# Centre, half axes, angle, speed: a disc and two ellipses, apart from each other.
CELLS = [(40, 40, 9, 9, 0, 2), (50, 110, 11, 8, 0.6, 1.5), (200, 80, 12, 7, -0.9, -2)]
# Sides of the pixels in which outlines are painted for scikit-image.
FINE = 16


def version() -> str:
    return ", ".join(package_version(tool) for tool in TOOLS)


def film() -> np.ndarray:
    noise = np.random.RandomState(11)
    y, x = np.mgrid[:SIZE[0], :SIZE[1]]
    frames = np.empty((FRAMES, *SIZE))
    for k in range(FRAMES):
        frames[k] = 100 + 2 * noise.standard_normal(SIZE)
        for cx, cy, longer, shorter, angle, speed in CELLS:
            dx, dy = x - cx - speed * k, y - cy
            along, across = dx * np.cos(angle) + dy * np.sin(angle), dy * np.cos(angle) - dx * np.sin(angle)
            frames[k] += 40 / (1 + np.exp(12 * (np.hypot(along / longer, across / shorter) - 1)))
    return frames.round().astype("u1")


def follow(folder: Path) -> Path:
    np.save(folder / "film.npy", film())
    tessera("cells", "track", folder / "film.npy", "-o", folder / "out", "--overlay", "no", "--report", "no",
            "--frame-rate", 25, "--threshold", 3, "--masks", "yes", "--ctc", "yes", "--geff", "yes", "--quiet")
    return folder / "out"


def rows(out: Path) -> list[dict[str, float]]:
    with open(out / "tracks.csv", newline="") as file:
        return [{name: float(value or "nan") for name, value in row.items()} for row in csv.DictReader(file)]


def labels_of(found: list[dict[str, float]]) -> np.ndarray:
    return np.array(sorted((int(row["FRAME"]), int(row["TRACK_ID"])) for row in found), "i4")


def in_order(found: list[dict[str, float]]) -> list[dict[str, float]]:
    return sorted(found, key=lambda row: (row["FRAME"], row["TRACK_ID"]))


def masks() -> Case:
    def theirs(folder):
        import tifffile
        pages = tifffile.imread(follow(folder) / "masks.tif")
        assert pages.dtype == np.uint16 and pages.shape == (FRAMES, *SIZE)
        spots = [(k, label) for k, page in enumerate(pages) for label in np.unique(page[page > 0])]
        places = [np.argwhere(pages[k] == label) for k, label in spots]
        return {"frames and labels": np.array(spots, "i4"), "x, y": np.array([at.mean(0)[::-1] for at in places]),
                "pixels": np.array([len(at) for at in places])}

    def ours(folder):
        found = in_order(rows(follow(folder)))
        circles = [np.pi * row["RADIUS"] ** 2 if np.isnan(row["AREA"]) else row["AREA"] for row in found]
        return {"frames and labels": labels_of(found), "pixels": np.array(circles),
                "x, y": np.array([(row["POSITION_X"], row["POSITION_Y"]) for row in found])}

    # Pixels whose centres are inside: a side of the polygon may take or leave half of those it crosses, some 60 in all.
    return Case("masks", theirs, ours, {"frames and labels": 0, "x, y": 0.5, "pixels": 15})


def shapes() -> Case:
    def theirs(folder):
        from skimage.draw import polygon2mask
        from skimage.measure import regionprops
        spots = []
        for spot in ElementTree.parse(follow(folder) / "trackmate.xml").getroot().iter("Spot"):
            if spot.get("ROI_N_POINTS") is None:
                continue
            x, y = np.array(spot.text.split(), float).reshape(int(spot.get("ROI_N_POINTS")), 2).T
            side = 2 * FINE * 30
            region = regionprops(polygon2mask((side, side), np.column_stack([y, x]) * FINE + side / 2).astype("u1"))[0]
            spots.append((float(spot.get("FRAME")), float(spot.get("POSITION_X")), region.area / FINE ** 2,
                          region.axis_major_length / region.axis_minor_length))
        table = np.array(sorted(spots))
        return {"frames": table[:, 0].astype("i4"), "areas": table[:, 2], "elongations": table[:, 3]}

    def ours(folder):
        table = np.array(sorted((row["FRAME"], row["POSITION_X"], row["AREA"], row["ELONGATION"])
                                for row in rows(follow(folder)) if not np.isnan(row["AREA"])))
        return {"frames": table[:, 0].astype("i4"), "areas": table[:, 2], "elongations": table[:, 3]}

    # Painted outlines are within 0.2%. Another machine may run another method than the answer was recorded with: its
    # outlines are within 0.2 px in single directions and within 0.05 px on average, 1% of the area.
    return Case("shapes", theirs, ours, {"frames": 0, "areas": 3, "elongations": 0.02})


def rois() -> Case:
    def theirs(folder):
        import pycellin
        model = pycellin.load_TrackMate_XML(follow(folder) / "trackmate.xml")
        spots = [spot for lineage in model.get_cell_lineages() for _, spot in lineage.nodes(data=True)]
        areas = []
        for spot in sorted(spots, key=lambda spot: (spot["FRAME"], spot["cell_x"])):
            x, y = np.array(spot.get("ROI_coords") or np.full((1, 2), np.nan), float).T
            areas.append(abs(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) / 2)
        return {"areas": np.array(areas)}

    def ours(folder):
        found = sorted(rows(follow(folder)), key=lambda row: (row["FRAME"], row["POSITION_X"]))
        return {"areas": np.array([row["AREA"] for row in found])}

    return Case("outlines in trackmate.xml", theirs, ours, 3)  # as areas of shapes


def challenge() -> Case:
    def theirs(folder):
        from ctc_metrics import validate_sequence
        from traccuracy.loaders import load_ctc_data
        out = follow(folder) / "ctc"
        graph = load_ctc_data(str(out), str(out / "res_track.txt"))
        nodes = sorted((data["t"], data["segmentation_id"]) for _, data in graph.graph.nodes(data=True))
        return {"valid": np.array(validate_sequence(str(out))["Valid"]), "frames and labels": np.array(nodes, "i4"),
                "links": np.array(graph.graph.number_of_edges())}

    def ours(folder):
        labels = labels_of(rows(follow(folder)))
        return {"valid": np.array(1), "frames and labels": labels,
                "links": np.array(len(labels) - len(np.unique(labels[:, 1])))}

    return Case("Cell Tracking Challenge", theirs, ours)


def graph() -> Case:
    names = ["t", "x", "y", "radius", "track"]
    columns = ["FRAME", "POSITION_X", "POSITION_Y", "RADIUS", "TRACK_ID"]

    def arrays(table: np.ndarray, links: int, outlines: int) -> Arrays:
        table = table[np.lexsort((table[:, 0], table[:, 4]))]
        return {"frames and tracks": table[:, [0, 4]].astype("i4"), "x, y, radius": table[:, 1:4],
                "links, outlines": np.array([links, outlines])}

    def theirs(folder):
        import geff
        path = follow(folder) / "tracks.geff"
        geff.validate_structure(path)
        found, metadata = geff.read(path, structure_validation=True)
        assert metadata.sphere == "radius" and [axis.name for axis in metadata.axes] == ["t", "y", "x"]
        nodes = [data for _, data in found.nodes(data=True)]
        assert all(np.shape(node["polygon"]) == (20, 2) for node in nodes if "polygon" in node)
        assert all(found.nodes[a]["track"] == found.nodes[b]["track"] and found.nodes[b]["t"] - found.nodes[a]["t"] == 1
                   for a, b in found.edges)
        return arrays(np.array([[node[name] for name in names] for node in nodes], float), found.number_of_edges(),
                      sum("area" in node for node in nodes))

    def ours(folder):
        found = rows(follow(folder))
        table = np.array([[row[column] for column in columns] for row in found])
        return arrays(table, len(found) - len(np.unique(table[:, 4])), sum(not np.isnan(row["AREA"]) for row in found))

    # docs/accuracy.md: methods agree to 0.05 px.
    return Case("graph", theirs, ours, {"frames and tracks": 0, "x, y, radius": 0.05, "links, outlines": 0})


def cases() -> list[Case]:
    return [masks(), shapes(), rois(), challenge(), graph()]
