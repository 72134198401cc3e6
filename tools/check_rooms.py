#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the structure of the tree: which room may include which, and where each kind of file and code may be.

    tools/check_rooms.py [ROOT]

Prints one line per violation, "file:line: what is wrong; what would be right". Exit code 1 if there are any.
"""
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

# room -> rooms it may include, besides itself and include/. A room is the deepest folder named
# here; X is the name of an operation, the same on both sides.
ARROWS = {
    "include/tessera": [],
    "core": [],
    "core/cuda": ["core"],
    "tune": ["core"],
    "ops/X": ["core", "tune", "ops/X/parts"],
    "ops/X/parts": [],
    "ops/X/study": ["core", "study", "sample", "ops/X", "ops/X/parts"],
    "study": ["core"],
    "io": ["core"],
    "mpi": ["core"],
    "casacore": ["io"],  # ms_interface.h alone
    "report": ["core"],
    "sample": ["core"],
    "jobs": ["core", "io", "report", "sample"],
    "jobs/bank": ["core", "io", "report", "sample", "jobs"],
    "jobs/X": ["core", "io", "report", "sample", "jobs", "jobs/bank"],
    "jobs/sample": ["core", "io", "report", "sample", "jobs", "jobs/X"],
    "jobs/demo": ["core", "io", "report", "sample", "jobs", "jobs/X", "jobs/sources"],
    "jobs/sources": ["core", "io", "report", "sample", "jobs", "jobs/X"],  # maps of noise on the way
    "cli": ["jobs", "jobs/bank", "jobs/X", "jobs/sample", "jobs/sources", "jobs/demo", "tune", "study"],
    "python": ["jobs", "jobs/X", "jobs/sample", "jobs/sources", "io", "sample"],
    "examples": [],
    "bench": [],
    "tests": ["core", "tune", "ops/X", "ops/X/parts", "io", "report", "sample", "jobs", "jobs/bank", "jobs/X",
              "jobs/sample", "jobs/sources", "jobs/demo", "study"],
}
# Headers that a file may include beyond its room, by the end of its name.
ROLES = {
    "_test.cpp": ["tests", *ARROWS["tests"]],
    "_bench.cpp": ["study", "sample", "ops/X/study"],
    "main.cpp": ["io"],  # the tool is also the program that decodes in a sandbox
}
# operation -> other operations whose public header and parts it may use. Operations not listed use none.
OPERATIONS = {
    "beam": ["convolve"],
    "correlate": ["convolve"],
    "enhance": ["convolve"],
    "cells": ["convolve"],
}
# The doors of an operation. Files of cpu/ and cuda/ do not see each other; code that both need lies outside
# these doors. Other folders are parts of the operation (faraday/clean), with their own cpu/ and cuda/ if
# they need them: a part uses files at the top, and no other part.
SIDES = ("cpu", "cuda")
OTHER_DOORS = ("parts", "study", "tests")
# part -> parts of the same operation that it may use as an exception.
PARTS = {
    # An outline is followed for a live track; a detection is refined on the rings of outlines.
    "cells/follow": ["life"],
    "cells/detect": ["follow", "life"],
    # Frames are searched once more, by themselves and at other sizes.
    "cells/look": ["detect", "frames"],
}
# format -> formats of io/ that it uses. The others use only files at the top of io/.
FORMATS = {
    "voltages": ["npy"],  # voltages may be arrays of NumPy
    "ms": ["uvfits"],  # the same antennas, phase centres and integrations
}

SOURCES = {".cpp", ".hpp", ".h", ".cu", ".cuh"}
SCRIPTS = {".py", ".cmake", ".sh"}
SAME_NAME_ALLOWED = {"__init__.py", "conftest.py"}
BAD_ROOMS = {"utils", "misc", "common", "legacy", "scratch"}
LINE_LIMIT = 400
TOP_LIMIT = 18  # sources at the top of an operation: its story is read from their names
SPDX = "SPDX-License-Identifier: Apache-2.0"

CUDA_HEADER = re.compile(r"(cuda|cu(fft|blas|rand|solver|sparse)|nvrtc|npp|cub/|thrust/|cooperative_groups|mma\.h)")
INTRINSICS = re.compile(r"(arm_(neon|sve|acle)|[a-z]*mmintrin|immintrin|x86intrin|x86gprintrin)\.h$")
NAMED_FOR_INTRINSICS = ("_neon.cpp", "_sse2.cpp", "_i8mm.cpp", "_avx2.cpp", "_vnni.cpp", "_amx.cpp")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
OPENMP = re.compile(r"^\s*#\s*pragma\s+omp\b|\bomp_[a-z]+\w*\s*\(|_Pragma\(\s*\"omp")
# Rooms whose texts only commands show; callers in C++ and Python also see the texts of all others.
COMMAND_ROOMS = {"cli", "jobs", "study", "tests"}
COMMAND_OPTION = re.compile(r"(?<![\w-])--[a-z]")
COMPILER_OPTIONS = {"compile.cpp"}  # hands them to NVRTC
COMMENT_OR_TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def listed_files(root: Path) -> list[PurePosixPath]:
    """Files that git tracks or would track; all files if the folder is not a repository."""
    if not (root / ".git").exists():
        return sorted(PurePosixPath(p.relative_to(root)) for p in root.rglob("*") if p.is_file())
    command = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")
    return sorted({PurePosixPath(name) for name in names if name and (root / name).is_file()})


def room_of(path: PurePosixPath) -> tuple[str, str]:
    """The room a file is in, as ARROWS names it, and the operation: ("ops/X/parts", "convolve")."""
    folders = path.parts[:-1]
    for depth in range(len(folders), 0, -1):
        plain = "/".join(folders[:depth])
        if plain in ARROWS:
            return plain, ""
        general = "/".join([folders[0], "X", *folders[2:depth]])
        if depth > 1 and general in ARROWS:
            return general, folders[1]
    return "", ""


def target_of(root: Path, path: PurePosixPath, name: str) -> PurePosixPath | None:
    """The file of this tree that #include NAME opens, if any."""
    for candidate in (path.parent / name, PurePosixPath(name), PurePosixPath("include") / name):
        if (root / candidate).is_file():
            return candidate
    return None


def is_plain(root: Path, header: PurePosixPath) -> bool:
    """A public header that includes nothing, or only other such headers: the run-time compiler can open it."""
    if header.suffix != ".hpp" or room_of(header)[0] != "include/tessera":
        return False
    found = [match for line in (root / header).read_text().splitlines() if (match := INCLUDE.match(line))]
    targets = [target_of(root, header, match[2]) for match in found if match[1] == '"']
    return len(targets) == len(found) and all(target and is_plain(root, target) for target in targets)


def door_of(path: PurePosixPath) -> tuple[str, str]:
    """Part and side of a file of an operation: ("clean", "cuda"), ("", "cpu"), ("", "") at the top."""
    folders = ["", *path.parts[2:-1]]
    side = folders.pop() if folders[-1] in SIDES else ""
    return folders[-1], side


def door_fault(path: PurePosixPath, target: PurePosixPath) -> str:
    """Why a file may not include another of the same operation, or of io/; "" if it may."""
    room, operation = room_of(path)
    if room_of(target) != (room, operation) or path.name.endswith(tuple(ROLES)):
        return ""
    if room == "io":
        (own, other) = (file.parts[1] if len(file.parts) > 2 else "" for file in (path, target))
        apart = own and other not in ("", own, *FORMATS.get(own, []))
        return f"formats do not include each other: {own} may not include {target}" if apart else ""
    if room != "ops/X":
        return ""
    (part, side), (to_part, to_side) = door_of(path), door_of(target)
    if side and to_side not in ("", side):
        return f"{side}/ may not include {target}; code that both sides need lies outside their doors"
    if part and to_part not in ("", part, *PARTS.get(f"{operation}/{part}", [])):
        return f"{part}/ may not include {target}; code that parts share lies at the top of {operation}"
    return ""


def place_faults(path: PurePosixPath) -> Iterator[str]:
    """Whether a file of an operation is behind an existing door, and behind the right one."""
    folders = path.parts[2:-1]
    if path.parts[0] != "ops" or not folders:
        return
    if len(folders) > 2 or (len(folders) == 2 and (folders[0] in SIDES + OTHER_DOORS or folders[1] not in SIDES)):
        yield f"lies too deep; doors are ops/X/{{cpu,cuda,{','.join(OTHER_DOORS)}}} and ops/X/PART/{{cpu,cuda}}"
    if folders[0] == "tests" and not path.name.endswith("_test.cpp"):
        yield "is not a test; tests/ of an operation is for tests of the whole operation"


def top_faults(paths: list[PurePosixPath]) -> Iterator[str]:
    tops: dict[PurePosixPath, int] = {}
    for path in paths:
        if path.parts[0] == "ops" and len(path.parts) == 3 and path.suffix in SOURCES:
            tops[path.parent] = tops.get(path.parent, 0) + 1
    for top, count in tops.items():
        if count > TOP_LIMIT:
            yield f"{top}:1: has {count} sources at its top; at most {TOP_LIMIT}, the others go behind doors"


def may_include(root: Path, path: PurePosixPath, target: PurePosixPath) -> bool:
    (room, operation), (to_room, to_operation) = room_of(path), room_of(target)
    if path.suffix == ".cuh":
        return target.suffix == ".cuh" or is_plain(root, target)
    if room == "ops/X/parts":
        return (room, operation) == (to_room, to_operation) or is_plain(root, target)
    allowed = [room, *ARROWS.get(room, [])]
    for ending, more in ROLES.items():
        allowed += more if path.name.endswith(ending) else []
    if to_room == "include/tessera":
        return True
    if to_room not in allowed:
        return False
    if to_operation in ("", operation) or not operation:
        return True
    return to_room == "ops/X/parts" and to_operation in OPERATIONS.get(operation, [])


def borrowed_header(root: Path, path: PurePosixPath, target: PurePosixPath) -> str:
    """The operation whose public header this is, if `path` belongs to an operation that may not use it."""
    room, operation = room_of(path)
    owner = target.stem
    if not room.startswith("ops/X") or target.parent.name != "tessera" or owner == operation:
        return ""
    is_operation = (root / "ops" / owner).is_dir()
    return owner if is_operation and owner not in OPERATIONS.get(operation, []) else ""


def include_faults(root: Path, path: PurePosixPath, quote: str, name: str) -> Iterator[str]:
    room, _ = room_of(path)
    if CUDA_HEADER.match(name) and path.suffix not in (".cu", ".cuh") and room != "core/cuda" \
            and path.name != "driver_fault.cpp":  # stands in for the driver
        yield f"includes {name}; CUDA headers belong in *.cu, *.cuh and core/cuda"
    if name == "omp.h" and path.name != "parallel_openmp.cpp":
        yield "includes omp.h; OpenMP belongs in core/parallel_openmp.cpp"
    if INTRINSICS.search(name) and not path.name.endswith(NAMED_FOR_INTRINSICS):
        yield f"includes {name}; raw intrinsics belong in files named after them, such as *_i8mm.cpp"
    target = target_of(root, path, name)
    if target is None:
        if quote == '"':
            yield f'includes "{name}", which is not in the tree; use <> for libraries'
    elif not may_include(root, path, target):
        yield f"{room or 'this place'} may not include {target}; see ARROWS in tools/check_rooms.py"
    elif fault := door_fault(path, target):
        yield fault
    elif owner := borrowed_header(root, path, target):
        yield f"may not use the operation {owner}; see OPERATIONS in tools/check_rooms.py"


def source_faults(root: Path, path: PurePosixPath, text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        if found := INCLUDE.match(line):
            for fault in include_faults(root, path, *found.groups()):
                yield number, fault
    # Comments and strings are removed, line ends stay, so that line numbers are right.
    code = COMMENT_OR_TEXT.sub(lambda match: "\n" * match.group().count("\n"), text)
    for number, line in enumerate(code.splitlines(), 1):
        if OPENMP.search(line) and path.name != "parallel_openmp.cpp":
            yield number, "uses OpenMP; it belongs in core/parallel_openmp.cpp"
        if "<<<" in line and "study" not in path.parts:
            yield number, "launches with <<<>>>; outside study/ kernels are launched by GpuKernel"


def speaks_to_commands(path: PurePosixPath) -> bool:
    return bool(COMMAND_ROOMS.intersection(path.parts)) or path.name.endswith("_test.cpp")


def message_faults(path: PurePosixPath, text: str) -> Iterator[tuple[int, str]]:
    if speaks_to_commands(path) or path.name in COMPILER_OPTIONS:
        return
    for found in COMMENT_OR_TEXT.finditer(text):
        if found[0].startswith('"') and COMMAND_OPTION.search(found[0]):
            number = text.count("\n", 0, found.start()) + 1
            yield number, f"names command-line options, {found[0]}; name options without dashes"


def is_script(path: PurePosixPath, text: str) -> bool:
    return path.suffix in SCRIPTS or path.name == "CMakeLists.txt" or text.startswith("#!")


def file_faults(root: Path, path: PurePosixPath) -> Iterator[tuple[int, str]]:
    if bad := BAD_ROOMS.intersection(path.parts[:-1]):
        yield 1, f"lies in a room named {bad.pop()}; name the room after its contents"
    for fault in place_faults(path):
        yield 1, fault
    text = (root / path).read_text(encoding="utf-8", errors="replace")
    if not text or (path.suffix not in SOURCES and not is_script(path, text)):
        return
    lines = text.splitlines()
    first = next((line for line in lines if not line.startswith("#!")), "")
    if first.strip() not in (f"// {SPDX}", f"# {SPDX}"):
        yield 1, f"does not begin with the line: {SPDX}"
    if len(lines) > LINE_LIMIT:
        yield LINE_LIMIT + 1, f"has {len(lines)} lines; at most {LINE_LIMIT}, split it by purpose"
    if path.suffix in SOURCES:
        yield from source_faults(root, path, text)
        yield from message_faults(path, text)


def name_faults(paths: list[PurePosixPath]) -> Iterator[str]:
    first_with: dict[str, PurePosixPath] = {}
    for path in paths:
        if path.suffix not in SOURCES | {".py"} or path.name in SAME_NAME_ALLOWED:
            continue
        if (first := first_with.setdefault(path.name, path)) != path:
            yield f"{path}:1: has the same name as {first}; names must be unique in the tree"


def faults(root: Path) -> Iterator[str]:
    paths = listed_files(root)
    for path in paths:
        for number, fault in file_faults(root, path):
            yield f"{path}:{number}: {fault}"
    yield from name_faults(paths)
    yield from top_faults(paths)


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    found = list(faults(root))
    print("\n".join(found) if found else "check_rooms: every file is in its place")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
