# SPDX-License-Identifier: Apache-2.0
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from package_build import BUILD
from package_build import run as run_program

SLOWEST = ["test_doc_cpp.py", "new_operation_test.py", "test_wheel.py", "test_deb.py"]


def pytest_collection_modifyitems(items):
    """The slowest files first: with several processes none is left alone with one of them at the end."""
    items.sort(key=lambda item: SLOWEST.index(item.path.name) if item.path.name in SLOWEST else len(SLOWEST))


@pytest.fixture
def rng():
    return np.random.default_rng(1)


@pytest.fixture
def cli():
    """Runs the command line tool; TESSERA_CLI says where it is when it is not build/tessera."""
    root = Path(__file__).resolve().parents[2]
    program = Path(os.environ.get("TESSERA_CLI", root / "build" / "tessera"))
    if not program.is_file():
        pytest.skip(f"the tool is not at {program}; build it or set TESSERA_CLI")

    def run(*arguments, code=0):
        done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
        if "which this build lacks" in done.stderr:
            pytest.skip(done.stderr.strip())
        assert done.returncode == code, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def prefix(tmp_path_factory):
    """Where the finished build is installed; moved afterwards: nothing in it may know where it was."""
    folder = tmp_path_factory.mktemp("install")
    run_program("cmake", "--install", BUILD, "--prefix", folder / "first")
    return (folder / "first").rename(folder / "moved")
