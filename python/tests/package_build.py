# SPDX-License-Identifier: Apache-2.0
"""Parts that tests of packages share: the finished build, programs that must succeed, traces of the build machine."""
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("TESSERA_CLI", ROOT / "build" / "tessera")).resolve().parent
VERSION = (ROOT / "VERSION").read_text().strip()
needs_build = pytest.mark.skipif(not (shutil.which("cmake") and (BUILD / "CPackConfig.cmake").is_file()),
                                 reason=f"no finished build at {BUILD}, or no cmake")


def run(*command, **how):
    """The output of a program that must succeed."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, **how)
    assert done.returncode == 0, f"{command[0]} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
    return done.stdout


def from_cache(name):
    """A variable of the finished build; "" where it is not set, did not find its program, or there is no build."""
    cache = BUILD / "CMakeCache.txt"
    found = re.search(rf"^{name}:\w+=(.*)$", cache.read_text() if cache.is_file() else "", re.MULTILINE)
    return "" if not found or found[1].endswith("NOTFOUND") else found[1]


def configure_with(prefix, source, folder, *more):
    """The command that configures a project of its own with the Tessera installed at `prefix`."""
    return ["cmake", "-S", source, "-B", folder, "-G", from_cache("CMAKE_GENERATOR"),
            f"-DCMAKE_CXX_COMPILER={from_cache('CMAKE_CXX_COMPILER')}", "-DCMAKE_BUILD_TYPE=Release",
            f"-DCMAKE_PREFIX_PATH={prefix}", *more]


def names_in(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def files_that_name_the_build(folder):
    """Files with a path of the build machine in them: of the sources or of the build folder."""
    places = {f"{BUILD}/".encode(), f"{from_cache('CMAKE_HOME_DIRECTORY')}/".encode()}

    def has_one(data):  # /src/, but not as a part of /usr/src/
        return any(place in data and re.search(rb"(?<![\w.-])" + re.escape(place), data) for place in places)

    return [name for name in sorted(names_in(folder)) if has_one((folder / name).read_bytes())]


def check_that_it_filters(tool, folder):
    """An unpacked tool runs the main job, without the build next to it."""
    assert run(tool, "--version") == f"tessera {VERSION}\n"
    run(tool, "sample", "scene", "--size", "80x60", "scene.png", cwd=folder)
    said = run(tool, "convolve", "scene.png", "gauss:2", "soft.npy", "--backend", "cpu", "--check", cwd=folder)
    assert "convolve 80x60" in said
    assert (folder / "soft.npy").is_file()
