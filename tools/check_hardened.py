#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that programs and libraries were built as cmake/compile.cmake says (tessera_harden).

    tools/check_hardened.py build/tessera build/libtessera.a --fortified

Programs and shared libraries: random addresses, read-only tables of the linker from the start, no executable stack.
Archives too: canaries on the stack and, with --fortified (an optimised build), checked calls of libc. Needs readelf.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path


def readelf(option: str, path: Path) -> str:
    run = subprocess.run(["readelf", "-W", option, str(path)], capture_output=True, text=True, check=True)
    return run.stdout


def faults_of_loaded(path: Path) -> list[str]:
    """Faults of a file that the loader maps: a program or a shared library."""
    header, segments, dynamic = (readelf(option, path) for option in ("-h", "-l", "-d"))
    is_program = " INTERP " in segments
    stack = re.search(r"GNU_STACK.*?\s([RWE ]{3})\s+0x", segments)
    checks = {
        "it is loaded at a fixed address": " DYN " in header,
        "it is not a PIE": not is_program or "PIE" in dynamic,
        "the linker's tables can be written to (no GNU_RELRO)": "GNU_RELRO" in segments,
        "symbols are bound late (no BIND_NOW)": "BIND_NOW" in dynamic or re.search(r"FLAGS_1.*NOW", dynamic),
        "its stack is executable": stack and "E" not in stack[1],
        "code and data share a segment": not re.search(r"LOAD.*\sRWE\s", segments),
    }
    return [fault for fault, good in checks.items() if not good]


def faults_of_code(path: Path, fortified: bool) -> list[str]:
    """Faults of compiled code: its undefined symbols name the functions it relies on."""
    symbols = set(re.findall(r"UND (\w+)", readelf("-s", path)))
    checked = {name for name in symbols if name.startswith("__") and name.endswith("_chk")}
    faults = []
    if "__stack_chk_fail" not in symbols:
        faults.append("there are no canaries on the stack")
    if fortified and not checked:
        faults.append("calls of libc are not checked (_FORTIFY_SOURCE)")
    return faults


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--fortified", action="store_true", help="expect checked calls of libc")
    args = parser.parse_args()
    bad = False
    for path in args.files:
        faults = faults_of_code(path, args.fortified)
        if path.suffix != ".a":
            faults += faults_of_loaded(path)
        bad |= bool(faults)
        print(f"{path}: {'; '.join(faults) or 'hardened'}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
