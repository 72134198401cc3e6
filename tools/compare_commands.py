# SPDX-License-Identifier: Apache-2.0
"""Reads compare_commands.txt and makes those inputs of its commands that no other command makes."""
import math
import re
import shlex
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

TABLE = Path(__file__).with_suffix(".txt")
GIVEN = "given"


@dataclass
class Command:
    name: str
    old: list[str]  # arguments for the old tool
    new: list[str]  # arguments for the new tool
    code: int  # the expected exit code

    def needs(self) -> set[str]:
        """The commands whose outputs it reads."""
        found = {word.split("/")[1] for word in self.old if word.startswith("in/")}
        return found - {GIVEN}


def parse_commands(table: str) -> list[Command]:
    commands: list[Command] = []
    for line in table.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        name, arguments = line.split(": ", 1)
        if name.strip() == "now":
            commands[-1].new = shlex.split(arguments)
            continue
        named = re.fullmatch(r"([\w-]+)(?: \[(\d)\])?", name)
        if named is None:
            raise ValueError(f"{TABLE.name}: {name!r} is not NAME or NAME [CODE]")
        words = shlex.split(arguments)
        commands.append(Command(named[1], words, words, int(named[2] or 0)))
    return commands


def selected(commands: list[Command], word: str) -> tuple[list[Command], set[str]]:
    """The commands with `word` in name or arguments and those they need, in order; their names."""
    wanted = {c.name for c in commands if word in f"{c.name} {' '.join(c.old + c.new)}"}
    needed = set(wanted)
    for command in reversed(commands):  # a command reads only outputs of earlier ones
        if command.name in needed:
            needed |= command.needs()
    return [c for c in commands if c.name in needed], wanted


def write_npy(path: Path, shape: tuple[int, ...], values: Sequence[float],
              kind: str = "f4") -> None:
    header = f"{{'descr': '{'|' if kind == 'u1' else '<'}{kind}', 'fortran_order': False, " \
             f"'shape': {shape}, }}"
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    code = {"f4": "f", "f8": "d", "u1": "B"}[kind]
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
                     + struct.pack(f"<{len(values)}{code}", *values))


def noise(count: int, seed: int) -> list[float]:
    """Numbers from 0 to 1, the same on every machine."""
    numbers = []
    for _ in range(count):
        seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
        numbers.append((seed >> 40) / 2**24)
    return numbers


def write_filters(folder: Path) -> None:
    write_npy(folder / "weights.npy", (7, 9), [v - 0.3 for v in noise(63, 1)])
    write_npy(folder / "wide.npy", (41, 47), [(v - 0.4) / 400 for v in noise(41 * 47, 2)])
    write_npy(folder / "large.npy", (210, 301), [(v - 0.45) / 9000 for v in noise(210 * 301, 3)])
    rows = [noise(15, 4), noise(15, 5)]
    columns = [noise(13, 6), noise(13, 7)]
    write_npy(folder / "rank2.npy", (13, 15),
              [(columns[0][y] * rows[0][x] - columns[1][y] * rows[1][x]) / 50
               for y in range(13) for x in range(15)])
    write_npy(folder / "element.npy", (4, 5), [int(v > 0.4) for v in noise(20, 8)], "u1")


def write_images(folder: Path) -> None:
    cube = noise(5 * 60 * 80, 9)
    cube[7000:7040] = [math.nan] * 40
    write_npy(folder / "cube.npy", (5, 60, 80), cube)
    write_npy(folder / "cube4.npy", (4, 60, 80), noise(4 * 60 * 80, 10))
    write_npy(folder / "small.npy", (50, 70), [int(255 * v) for v in noise(3500, 11)], "u1")
    write_npy(folder / "other.npy", (90, 120, 3), [int(255 * v) for v in noise(32400, 12)], "u1")
    whole = (folder / "cube4.npy").read_bytes()
    (folder / "short.npy").write_bytes(whole[:len(whole) * 2 // 3])
    samples = [int(4000 * v) for v in noise(120 * 90, 13)]
    (folder / "camera.raw").write_bytes(bytes(512) + struct.pack(">10800H", *samples))
    write_npy(folder / "keep.npy", (24, 32), [float(v > 0.3) for v in noise(24 * 32, 14)])
    write_npy(folder / "mask.npy", (192, 256), [int(v > 0.9) for v in noise(192 * 256, 15)], "u1")
    (folder / "batch").mkdir()
    for index in range(3):
        values = [int(200 * v) + 10 * index for v in noise(40 * 60, 16 + index)]
        write_npy(folder / "batch" / f"image{index}.npy", (40, 60), values, "u1")


def write_tables(folder: Path) -> None:
    (folder / "noise.txt").write_text("".join(f"{1e-3 * (1 + v):.9f}\n" for v in noise(60, 20)))
    lines = []
    for channel, wobble in enumerate(noise(80, 21)):
        frequency = 8e8 + 4e6 * channel
        angle = 2 * (0.4 + 57.0 * (299792458 / frequency) ** 2)
        total = (frequency / 1e9) ** -0.7
        q = 0.1 * total * math.cos(angle) + wobble / 500
        u = 0.1 * total * math.sin(angle) - wobble / 700
        lines.append(f"{frequency:.1f} {total:.9f} {q:.9f} {u:.9f} 0.002 0.001 0.0012\n")
    (folder / "source.dat").write_text("".join(lines))
    places = noise(24, 22)
    antennas = [f"a{i // 3} {-2559452 + 300 * places[i]:.3f} {5095370 + 300 * places[i + 1]:.3f} "
                f"{-2849056 + 300 * places[i + 2]:.3f}\n" for i in range(0, 24, 3)]
    (folder / "array.txt").write_text("".join(antennas))
    (folder / "array4.txt").write_text("".join(antennas[:4]))
    (folder / "sky.txt").write_text("lm 0.02 -0.03 5\nlm -0.05 0.01 3 0.2 0.1 0\n")
    (folder / "edits.csv").write_text("EDIT,TRACK,FRAME,OTHER,X,Y,RADIUS\nsplit,1,12\ndelete,2\n"
                                      "add,90,20,,101.5,77.2,8\n")


def write_given(folder: Path) -> None:
    folder.mkdir(parents=True)
    write_filters(folder)
    write_images(folder)
    write_tables(folder)
