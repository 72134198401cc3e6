# SPDX-License-Identifier: Apache-2.0
"""Measurement Sets from UVFITS files by casacore's own importer, for the judges casacore and wsclean."""
import os
import subprocess
from pathlib import Path

LIBRARIES = ["msfits", "ms", "fits", "measures", "tables", "casa"]
PROGRAM = """
#include <casacore/msfits/MSFits/MSFitsInput.h>
int main(int, char** names) {
  casacore::MSFitsInput input(names[2], names[1]);
  input.readFitsFile();
}
"""


def measurement_set(uvfits: Path) -> Path:
    folder = uvfits.parent
    (folder / "import.cpp").write_text(PROGRAM)
    run("g++", "-I/usr/include/casacore", folder / "import.cpp", "-o", folder / "import",
        *(f"-lcasa_{library}" for library in LIBRARIES))
    run(folder / "import", uvfits, folder / "v.ms")
    return folder / "v.ms"


def run(*command: object) -> None:
    # wsclean refuses to run with a BLAS that has its own threads.
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]}: {(done.stderr or done.stdout).strip()[-500:]}")
