# SPDX-License-Identifier: Apache-2.0
"""Small stacks of tests/data/stacks, as tifffile writes them. Every plane has one bright disk at its own place, so
that the place of a found cell says which plane was searched. `python stack_inputs.py` writes the files again."""
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from judging import ROOT

FOLDER = ROOT / "tests" / "data" / "stacks"
SIDE = 40
SIZES = {"T": 3, "Z": 2, "C": 2}
ORDERS = ["TZCYX", "ZTCYX", "TCZYX", "CTZYX", "ZCTYX", "CZTYX"]  # slowest axis first


@dataclass(frozen=True)
class Stack:
    name: str
    axes: str
    ome: bool = False
    big: bool = False  # byte order, which is ImageJ's own
    dtype: str = "uint8"
    one_directory: bool = False  # for all images, as in stacks above 4 GB
    um_per_pixel: float = 0.0
    seconds_per_frame: float = 0.0
    unit: str = "um"

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.name}.tif"


STACKS = [
    Stack("imagej_tzc", "TZCYX", big=True, um_per_pixel=0.32, seconds_per_frame=0.25),
    Stack("imagej_one_directory", "TZCYX", big=True, one_directory=True, um_per_pixel=0.5, seconds_per_frame=2.0,
          unit="\\u00B5m"),
    Stack("imagej_tc_int16", "TCYX", dtype="int16", um_per_pixel=320, unit="nm"),
    Stack("imagej_z", "ZYX"),
    *(Stack(f"ome_{order[:3].lower()}.ome", order, ome=True, dtype="uint16", um_per_pixel=0.65, seconds_per_frame=0.5)
      for order in ORDERS),
]


def centre(number: int) -> tuple[float, float]:
    """x and y of the disk of a plane, on a grid of 4 x 3."""
    return 12.0 + 5 * (number % 4), 13.0 + 7 * (number // 4)


def planes(stack: Stack) -> np.ndarray:
    """All planes, in the order of the stack's axes; the disk of a plane depends on its frame, slice and channel."""
    sizes = [SIZES[axis] for axis in stack.axes[:-2]]
    y, x = np.mgrid[:SIDE, :SIDE]
    data = np.empty((*sizes, SIDE, SIDE))
    for index in np.ndindex(*sizes):
        at = dict(zip(stack.axes, index, strict=False))
        cx, cy = centre(4 * at.get("T", 0) + 2 * at.get("Z", 0) + at.get("C", 0))
        data[index] = 60 + 120 / (1 + np.exp(2 * (np.hypot(x - cx, y - cy) - 6)))
    return data.round().astype(stack.dtype)


def write(stack: Stack) -> None:
    import tifffile
    metadata: dict = {"axes": stack.axes}
    options: dict = {}
    if stack.ome:
        metadata |= {"PhysicalSizeX": stack.um_per_pixel, "PhysicalSizeXUnit": "µm",
                     "PhysicalSizeY": stack.um_per_pixel, "PhysicalSizeYUnit": "µm",
                     "TimeIncrement": stack.seconds_per_frame, "TimeIncrementUnit": "s"}
        options = {"ome": True, "compression": "zlib"}
    else:
        if stack.um_per_pixel:
            metadata["unit"] = stack.unit
            options["resolution"] = (1 / stack.um_per_pixel, 1 / stack.um_per_pixel)
        if stack.seconds_per_frame:
            metadata["finterval"] = stack.seconds_per_frame
        options |= {"imagej": True, "truncate": stack.one_directory}
    tifffile.imwrite(stack.path, planes(stack), byteorder=">" if stack.big else "<", metadata=metadata, **options)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for one in STACKS:
        write(one)
