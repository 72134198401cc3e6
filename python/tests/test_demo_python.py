# SPDX-License-Identifier: Apache-2.0
"""The Python lines of `tessera demo`, run as they stand in the folders of its parts."""
import json
import subprocess
import sys

import pytest

PARTS = ["convolve", "rank", "correlate", "enhance", "cells", "faraday", "channelise", "xengine", "noise", "beam",
         "sources"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("demo") / "demo"


@pytest.fixture
def parts(cli, folder):
    """The demo on small data, made once."""
    if not (folder / "demo.json").exists():
        cli("demo", "-o", folder, "--quick")
    return {part["operation"]: part for part in json.loads((folder / "demo.json").read_text())["parts"]}


def test_every_part_has_lines(parts):
    assert list(parts) == PARTS
    for name, part in parts.items():
        assert "import tessera" in part["python"], name


@pytest.mark.parametrize("name", PARTS)
def test_lines_run_as_they_stand(parts, folder, name):
    done = subprocess.run([sys.executable, "-c", parts[name]["python"]], cwd=folder / name,
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
