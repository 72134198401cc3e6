# SPDX-License-Identifier: Apache-2.0
"""tifffile and ome-types on ImageJ and OME stacks: axes, scales, and the planes that --channel and --z choose."""
import json
import re

import numpy as np
from judging import Arrays, Case, package_version, tessera
from stack_inputs import STACKS, Stack

PACKAGES = {"pypi": ["tifffile>=2023.7", "imagecodecs", "ome-types>=0.5"]}
TOOL = "tifffile, ome-types"
COMPARED = "cells: axes, pixel size, frame interval and chosen planes of ImageJ and OME stacks"
NOT_JUDGED = ["--z max, whose values tests compare with the planes",
              "times of planes (DeltaT), which stand in for a frame interval that is missing"]
UM = {"um": 1.0, "\\u00B5m": 1.0, "µm": 1.0, "nm": 1e-3}


def version() -> str:
    return f"{package_version('tifffile')}, {package_version('ome-types')}"


def choices(stack: Stack) -> list[dict[str, int]]:
    """Every channel and slice that can be chosen. Slices without frames are frames."""
    channels = [("channel", c) for c in range(2)] if "C" in stack.axes else [None]
    slices = [("z", z) for z in range(2)] if {"T", "Z"} <= set(stack.axes) else [None]
    return [dict(choice for choice in (c, z) if choice) for c in channels for z in slices]


def their_scales(file) -> tuple[float, float]:
    if file.is_ome:
        from ome_types import from_xml
        pixels = from_xml(file.ome_metadata).images[0].pixels
        assert pixels.time_increment_unit.value == "s"
        return pixels.physical_size_x * UM[pixels.physical_size_x_unit.value], pixels.time_increment
    above, below = file.pages[0].tags["XResolution"].value
    metadata = file.imagej_metadata
    return UM.get(metadata.get("unit", ""), 0.0) * below / above, metadata.get("finterval", 0.0)


def in_order(data: np.ndarray, axes: str) -> np.ndarray:
    for axis in "TZC":
        if axis not in axes:
            data, axes = data[np.newaxis], axis + axes
    return data.transpose([axes.index(axis) for axis in "TZCYX"])


def disk(plane: np.ndarray) -> tuple[float, float]:
    """The centre of the bright pixels, x and y."""
    y, x = np.nonzero(plane > 120)
    return x.mean(), y.mean()


def answers(sizes, um: float, seconds: float, places: list) -> Arrays:
    return {"frames, slices, channels": np.array(sizes), "um per pixel, seconds per frame": np.array([um, seconds]),
            "places": np.array(places)}


def theirs(stack: Stack) -> Arrays:
    import tifffile
    with tifffile.TiffFile(stack.path) as file:
        series = file.series[0]
        data = in_order(series.asarray(), series.axes)
        um, seconds = their_scales(file)
    places = []
    for at in choices(stack):
        chosen = data[:, :, at.get("channel", 0)]
        frames = chosen[:, at["z"]] if "z" in at else chosen.reshape(-1, *data.shape[3:])
        places.append([disk(frame) for frame in frames])
    return answers(data.shape[:3], um, seconds, places)


def ours(stack: Stack) -> Arrays:
    found = json.loads(tessera("info", stack.path, "--json"))
    details = {detail["name"]: detail["value"] for detail in found["details"]}

    def number(text: str) -> float:
        match = re.match(r"[\d.e+-]+", text)
        return float(match[0]) if match else 0.0

    def size(axis: str) -> int:
        match = re.search(rf"(\d+) {axis}", details["axes"])
        return int(match[1]) if match else 1

    places = []
    for at in choices(stack):
        options = [word for option, value in at.items() for word in (f"--{option}", value)]
        cells = json.loads(tessera("cells", "detect", stack.path, *options, "--json", "--polarity", "bright",
                                   "--min-radius", 4, "--max-radius", 8))["cells"]
        assert [cell["frame"] for cell in cells] == list(range(len(cells))), f"{options}: not one cell per frame"
        places.append([(cell["x"], cell["y"]) for cell in cells])
    return answers([size(axis) for axis in ("frame", "slice", "channel")], number(details.get("pixel size", "")),
                   number(details.get("frame interval", "")), places)


def case(stack: Stack) -> Case:
    # `tessera info` prints six digits. Disks are round and 5 pixels apart or more; docs/accuracy.md: methods agree to
    # 0.05 px.
    bounds = {"frames, slices, channels": 0, "um per pixel, seconds per frame": 1e-6, "places": 0.05}
    return Case(stack.name, lambda _: theirs(stack), lambda _: ours(stack), bounds)


def cases() -> list[Case]:
    return [case(stack) for stack in STACKS]
