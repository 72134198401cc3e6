# SPDX-License-Identifier: Apache-2.0
"""The module is built as the tool is: canaries, read-only tables of the linker, no executable stack."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tessera

CHECK = Path(__file__).parents[2] / "tools" / "check_hardened.py"


@pytest.mark.skipif(shutil.which("readelf") is None, reason="readelf is not installed")
def test_module_is_hardened():
    run = subprocess.run([sys.executable, str(CHECK), tessera._tessera.__file__], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
