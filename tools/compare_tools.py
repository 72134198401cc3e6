#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the data that two versions of the tool make.

    tools/compare_tools.py OLD_TOOL NEW_TOOL [--only WORD] [--keep DIR]

Both tools run every command of compare_commands.txt on the CPU, on inputs that the old tool has
made. Samples, pixels, tables and the numbers of JSON must be the same; text, HISTORY, timings and
drawings are left out (compare_files.py). The exit code is 1 if anything differs, 2 if a command of
the table does not work with the old tool. --only runs the commands with WORD in name or arguments,
--keep leaves everything in DIR, which must not exist.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from compare_commands import GIVEN, TABLE, Command, parse_commands, selected, write_given
from compare_files import compare_folders, data_files

VIDEOS = (".mkv", ".mp4", ".avi")
SECONDS = 300  # time limit of one command


@dataclass
class Run:
    code: int
    said: str  # the last line of standard error


def environment(folder: Path) -> dict[str, str]:
    """One backend and no tuning tables of this user, so that `auto` means the same for both tools."""
    return os.environ | {"TESSERA_BACKEND": "cpu", "TESSERA_CACHE": str(folder / "cache"),
                         "LC_ALL": "C.UTF-8", "TZ": "UTC"}


def run(tool: Path, words: list[str], folder: Path, root: Path) -> Run:
    """Runs the tool in `folder`, in which in/ is a link to the folders of the old tool."""
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


def verdict(old: Run, new: Run, folders: tuple[Path, Path]) -> str:
    """"same", or the difference."""
    if old.code != new.code:
        return f"refused differently: exit code {old.code} became {new.code}: {new.said}"
    found = compare_folders(*folders)
    return f"DIFFERENT: {'; '.join(found)}" if found else "same"


def why_broken(command: Command, old: Run, folder: Path) -> str:
    """Why the old tool's run cannot be used for a comparison; empty if it can."""
    if old.code != command.code:
        return f"exit code {old.code}, not {command.code}: {old.said}"
    if old.code in (0, 4) and not data_files(folder):
        return "no file made"
    return ""


def runs_here(command: Command) -> bool:
    has_video = any(word.endswith(VIDEOS) for word in command.old)
    return not has_video or shutil.which(os.environ.get("TESSERA_FFMPEG", "ffmpeg")) is not None


def compare_all(tools: tuple[Path, Path], word: str, root: Path) -> int:
    write_given(root / "old" / GIVEN)
    commands, wanted = selected(parse_commands(TABLE.read_text()), word)
    counts: Counter[str] = Counter()
    start = time.monotonic()
    for command in commands:
        folders = (root / "old" / command.name, root / "new" / command.name)
        if not runs_here(command):
            print(f"{command.name}: skipped, needs ffmpeg")
            counts["skipped"] += 1
            continue
        old = run(tools[0], command.old, folders[0], root)
        if reason := why_broken(command, old, folders[0]):
            print(f"{command.name}: does not work with the old tool: {reason}", flush=True)
            counts["broken"] += 1
        elif command.name in wanted:
            words = command.old if tools[0] == tools[1] else command.new
            result = verdict(old, run(tools[1], words, folders[1], root), folders)
            respelled = " (respelled)" if words != command.old else ""
            print(f"{command.name}{respelled}: {result}", flush=True)
            counts["same" if result == "same" else "different"] += 1
    compared = counts["same"] + counts["different"]
    print(f"\n{compared} commands compared in {time.monotonic() - start:.0f} s: {counts['same']} "
          f"same, {counts['different']} different; {counts['skipped']} skipped, "
          f"{counts['broken']} do not work with the old tool")
    if counts["broken"] or not compared:
        return 2
    return 1 if counts["different"] else 0


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
