#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the data that two versions of the tool make.

    tools/compare_tools.py OLD_TOOL NEW_TOOL [--only WORD] [--keep DIR]

Both tools run every command of compare_commands.txt on the CPU, on inputs that the old tool has made.
Samples, pixels, tables and the numbers of JSON must be the same; text, HISTORY, timings and drawings
are left out (compare_files.py). The exit code is 1 if anything differs, 2 if a command of the table
does not work with the old tool. --only runs the commands with WORD in name or arguments, --keep
leaves everything in DIR, which must not exist.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from compare_commands import GIVEN, TABLE, Command, parse_commands, selected, write_given
from compare_files import compare_folders

VIDEOS = (".mkv", ".mp4", ".avi")
SECONDS = 300  # that one command may take


@dataclass
class Run:
    code: int
    said: str  # the last line of standard error


def environment(folder: Path) -> dict[str, str]:
    """One backend and no tuning tables of this user, so that `auto` means the same to both."""
    return os.environ | {"TESSERA_BACKEND": "cpu", "TESSERA_CACHE": str(folder / "cache"),
                         "LC_ALL": "C.UTF-8", "TZ": "UTC"}


def run(tool: Path, words: list[str], folder: Path, root: Path) -> Run:
    """Runs the tool in `folder`, where in/ shows the folders of the old tool."""
    folder.mkdir(parents=True)
    (folder / "in").symlink_to(os.path.relpath(root / "old", folder))
    arguments: list[str] = []
    source, said = Path(os.devnull), Path(os.devnull)
    rest = iter(words)
    for word in rest:
        if word == "<":
            source = folder / next(rest)
        elif word == ">":
            said = folder / next(rest)
        else:
            arguments.append(word)
    with open(source, "rb") as stdin, open(said, "wb") as stdout:
        try:
            done = subprocess.run([tool, *arguments], cwd=folder, stdin=stdin, stdout=stdout,
                                  stderr=subprocess.PIPE, env=environment(root), timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return Run(-1, f"stopped after {SECONDS} s")
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return Run(done.returncode, lines[-1] if lines else "")


def compare(command: Command, old: Run, new: Run, root: Path) -> list[str]:
    """What differs, one line per file; empty if nothing does."""
    if old.code != new.code:
        return [f"refused differently: exit code {old.code} became {new.code}: {new.said}"]
    return compare_folders(root / "old" / command.name, root / "new" / command.name)


def runs_here(command: Command) -> bool:
    has_video = any(word.endswith(VIDEOS) for word in command.old)
    return not has_video or shutil.which(os.environ.get("TESSERA_FFMPEG", "ffmpeg")) is not None


def compare_all(tools: tuple[Path, Path], word: str, root: Path) -> int:
    write_given(root / "old" / GIVEN)
    commands, wanted = selected(parse_commands(TABLE.read_text()), word)
    different, broken, skipped = [], [], []
    start = time.monotonic()
    for command in commands:
        if not runs_here(command):
            skipped.append(command.name)
            print(f"{command.name}: skipped, needs ffmpeg")
            continue
        old = run(tools[0], command.old, root / "old" / command.name, root)
        if old.code != command.code:
            broken.append(command.name)
            print(f"{command.name}: the old tool has exit code {old.code}, not {command.code}: "
                  f"{old.said}")
            continue
        if command.name not in wanted:
            continue
        words = command.old if tools[0] == tools[1] else command.new
        new = run(tools[1], words, root / "new" / command.name, root)
        found = compare(command, old, new, root)
        if found:
            different.append(command.name)
            print(f"{command.name}: DIFFERENT", *found, sep="\n    ", flush=True)
        else:
            respelled = " (respelled)" if command.old != command.new else ""
            print(f"{command.name}: same{respelled}", flush=True)
    compared = len(wanted) - len([name for name in broken + skipped if name in wanted])
    print(f"\n{compared} commands compared in {time.monotonic() - start:.0f} s: "
          f"{compared - len(different)} same, {len(different)} different, "
          f"{len(skipped)} skipped, {len(broken)} that the old tool does not run")
    if broken or not compared:
        return 2
    return 1 if different else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--only", default="", metavar="WORD")
    parser.add_argument("--keep", type=Path, metavar="DIR")
    options = parser.parse_args()
    tools = (options.old.resolve(), options.new.resolve())
    for tool in tools:
        if not os.access(tool, os.X_OK):
            parser.error(f"{tool} is not a program")
    if options.keep:
        if options.keep.exists():
            parser.error(f"{options.keep} exists already; name a new folder")
        return compare_all(tools, options.only, options.keep.resolve())
    with tempfile.TemporaryDirectory(prefix="compare_tools.") as folder:
        return compare_all(tools, options.only, Path(folder).resolve())


if __name__ == "__main__":
    sys.exit(main())
