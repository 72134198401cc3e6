# SPDX-License-Identifier: Apache-2.0
"""The data of two output files, without the parts that may change from version to version.

Each format turns a file into a list of (place, value); two files are the same if their lists are.
Text, HISTORY, timings and similar parts are left out; everything else must not change.
"""
import json
import math
import os
import re
import struct
from pathlib import Path
from typing import Any

Facts = list[tuple[str, object]]
Tags = dict[int, tuple[Any, ...]]

# Text and drawings around numbers that other files hold; the record with which a batch is resumed.
LEFT_OUT = {".html", ".svg", ".jsonl"}
TEXTS = {".csv", ".dat", ".txt", ".tsv", ".xml"}
FITS = {".fits", ".uvfits", ".uvf"}
TIFF = {".tif", ".tiff", ".btf"}

# Cards with texts of the program or with the date; CHECKSUM covers these too, DATASUM does not.
FITS_LEFT_OUT = {"HISTORY", "COMMENT", "DATE", "CHECKSUM", ""}
# ImageDescription, Software, DateTime; and the places of the data, which depend on the lengths of these.
TIFF_LEFT_OUT = {270, 305, 306}
TIFF_PLACES = {273: 279, 324: 325}  # offsets of strips and tiles: the tags with their lengths
TIFF_TYPES = {1: "B", 2: "B", 3: "H", 4: "I", 5: "II", 6: "b", 7: "B", 8: "h", 9: "i", 10: "ii",
              11: "f", 12: "d", 13: "I", 16: "Q", 17: "q", 18: "Q"}

JSON_PROSE = {"ran", "maps_ran", "made", "notes", "warnings", "units", "definition", "convention",
              "details", "version", "command"}
JSON_TIMES = re.compile(r"((picture|part)_)?seconds|\w+_per_second")  # not recorded_seconds


def fits_value(card: str) -> str:
    """The value of a card without its comment; quotes may hold a slash."""
    text = card[10:] if card[8:10] == "= " else card[8:]
    quoted = re.match(r"\s*('(?:[^']|'')*')", text)
    return quoted.group(1) if quoted else text.split("/")[0].strip()


def fits_data_size(cards: dict[str, str]) -> int:
    sides = [int(cards[f"NAXIS{i + 1}"]) for i in range(int(cards["NAXIS"]))]
    if cards.get("GROUPS") == "T":
        sides = sides[1:]  # random groups: the first side is 0
    if not sides:
        return 0
    samples = int(cards.get("PCOUNT", "0")) + math.prod(sides)
    return abs(int(cards["BITPIX"])) // 8 * int(cards.get("GCOUNT", "1")) * samples


def fits_facts(data: bytes) -> Facts:
    facts: Facts = []
    at = hdu = 0
    while at < len(data):
        cards: dict[str, str] = {}
        while (card := data[at:at + 80].decode("latin-1"))[:8].strip() != "END":
            if not card:
                raise ValueError("the FITS header has no END")
            name = card[:8].strip()
            at += 80
            if name in FITS_LEFT_OUT:
                continue
            facts.append((f"HDU {hdu}, {name}", fits_value(card)))
            cards.setdefault(name, fits_value(card))
        at = (at // 2880 + 1) * 2880
        size = fits_data_size(cards)
        facts.append((f"HDU {hdu}, data", data[at:at + size]))
        at += -(-size // 2880) * 2880
        hdu += 1
    return facts


def tiff_directory(data: bytes, at: int, order: str, big: bool) -> tuple[Tags, int]:
    """The tags of the directory at `at` with their values, and the place of the next one."""
    entry, word = (20, "Q") if big else (12, "I")
    count, = struct.unpack_from(order + ("Q" if big else "H"), data, at)
    at += 8 if big else 2
    tags = {}
    for _ in range(count):
        tag, kind, length = struct.unpack_from(f"{order}HH{word}", data, at)
        code = TIFF_TYPES[kind]
        size = struct.calcsize("=" + code) * length
        place = at + (12 if big else 8)
        if size > (8 if big else 4):
            place, = struct.unpack_from(order + word, data, place)
        tags[tag] = struct.unpack_from(order + code * length, data, place)
        at += entry
    return tags, struct.unpack_from(order + word, data, at)[0]


def tiff_facts(data: bytes) -> Facts:
    order = "<" if data[:2] == b"II" else ">"
    big = struct.unpack_from(order + "H", data, 2)[0] == 43
    at, = struct.unpack_from(order + ("Q" if big else "I"), data, 8 if big else 4)
    facts: Facts = [("kind", (order, big))]
    page = 0
    while at:
        tags, at = tiff_directory(data, at, order, big)
        for tag, value in sorted(tags.items()):
            if tag in TIFF_PLACES:
                lengths = tags[TIFF_PLACES[tag]]
                pieces = [data[p:p + n] for p, n in zip(value, lengths, strict=True)]
                facts.append((f"page {page}, pixels", b"".join(pieces)))
            elif tag not in TIFF_LEFT_OUT:
                facts.append((f"page {page}, tag {tag}", value))
        page += 1
    return facts


def is_prose(text: str) -> bool:
    return " " in text or "/" in text


def json_facts(value: object, place: str = "") -> Facts:
    """Numbers, words and structure; lists and objects are named by their places."""
    if isinstance(value, dict):
        facts: Facts = []
        for name, inner in value.items():
            if name in JSON_PROSE or JSON_TIMES.fullmatch(name):
                facts.append((f"{place}.{name}", "left out"))
            else:
                facts += json_facts(inner, f"{place}.{name}")
        return facts
    if isinstance(value, list):
        facts = [(place, f"{len(value)} entries")]
        for index, inner in enumerate(value):
            facts += json_facts(inner, f"{place}[{index}]")
        return facts
    if isinstance(value, str) and is_prose(value):
        return [(place, "text")]
    return [(place, repr(value))]  # so that nan equals nan


def text_facts(data: bytes) -> Facts:
    lines = data.decode("utf-8", "replace").split("\n")
    return [(f"line {number}", line) for number, line in enumerate(lines, 1)
            if not line.startswith("#")]


def facts_of(name: str, data: bytes) -> Facts:
    ending = Path(name).suffix.lower()
    if ending in LEFT_OUT:
        return []
    if ending in TEXTS:
        return text_facts(data)
    if ending == ".json":
        return json_facts(json.loads(data))
    if ending in FITS:
        return fits_facts(data)
    if ending in TIFF:
        return tiff_facts(data)
    return [("data", data)]


def short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 60 else text[:57] + "..."


def bytes_difference(old: bytes, new: bytes) -> str:
    shorter = min(len(old), len(new))
    other = [i for i in range(shorter) if old[i] != new[i]]
    at = other[0] if other else shorter
    if len(old) != len(new):
        return f"{len(old)} bytes became {len(new)}, the first different one is {at}"
    return f"{len(other)} of {len(old)} bytes, the first is {at}"


def first_difference(old: Facts, new: Facts) -> str:
    """Empty if there is none."""
    for (old_place, old_value), (new_place, new_value) in zip(old, new, strict=False):
        if old_place != new_place:
            return f"{old_place} became {new_place}"
        if old_value == new_value:
            continue
        if isinstance(old_value, bytes) and isinstance(new_value, bytes):
            return f"{old_place}: {bytes_difference(old_value, new_value)}"
        return f"{old_place}: {short(old_value)} became {short(new_value)}"
    if len(old) != len(new):
        longer, verb = (new, "added") if len(new) > len(old) else (old, "missing")
        return f"{longer[min(len(old), len(new))][0]} {verb}"
    return ""


def compare_data(name: str, old: bytes, new: bytes) -> str:
    """The first difference of two files of this name; empty if their data is the same."""
    if old == new:
        return ""
    try:
        return first_difference(facts_of(name, old), facts_of(name, new))
    except (ValueError, KeyError, IndexError, struct.error) as error:
        return f"{bytes_difference(old, new)} (not understood: {error!r})"


def data_files(folder: Path) -> dict[str, Path]:
    """The files that a command left in its folder, by relative name; links are inputs."""
    files = {}
    for parent, _, names in os.walk(folder):
        for path in (Path(parent, name) for name in names):
            if not path.is_symlink():
                files[str(path.relative_to(folder))] = path
    return files


def compare_folders(old: Path, new: Path) -> list[str]:
    """One line for every file that differs, with its first difference."""
    old_files, new_files = data_files(old), data_files(new)
    found = [f"{name}: not made any more" for name in old_files if name not in new_files]
    found += [f"{name}: not made before" for name in new_files if name not in old_files]
    for name in old_files.keys() & new_files.keys():
        difference = compare_data(name, old_files[name].read_bytes(), new_files[name].read_bytes())
        if difference:
            found.append(f"{name}: {difference}")
    return sorted(found)
