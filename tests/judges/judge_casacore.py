# SPDX-License-Identifier: Apache-2.0
"""casacore on the UVFITS files of xengine: MSFitsInput makes a Measurement Set of them, python3-casacore reads it."""
import numpy as np
from judging import Case, program_version
from measurement_sets import measurement_set, run
from uvfits_inputs import PLACE, TRACKED, contents, convert, gaps_file, random_file
from voltage_inputs import START, antennas, record, samples

PACKAGES = {"debian": ["casacore-dev", "python3-casacore"]}
TOOL = "casacore"
COMPARED = "xengine: UVFITS as casacore imports it: data, weights, u v w, times; gaps, 300 antennas"
EVERY, SOME = 1999, 17  # groups between those that are kept of 300 antennas, and of files with gaps
NOT_JUDGED = [
    "positions of antennas: casacore takes them as parallel to ITRF unless it knows the array (VLA, SMA, CARMA); in "
    "Tessera's files, as pyuvdata reads them, x is in the meridian of the array (AIPS Memo 117)",
]
# The Debian package is for the system's Python, not for that of build/judges-venv.
READ = f"""
import sys
import numpy as np
from casacore.tables import table
def column(name, part=""):
    return table(sys.argv[1] + part, ack=False).getcol(name)
np.savez(sys.argv[2], data=column("DATA"), uvw=column("UVW"), flags=column("FLAG"), weights=column("WEIGHT_SPECTRUM"),
         antennas=np.stack([column("ANTENNA1"), column("ANTENNA2")], 1),
         seconds=column("TIME") - {START!r} * 86400, exposure=column("EXPOSURE"),
         frequency=column("CHAN_FREQ", "/SPECTRAL_WINDOW")[0],
         place=np.rad2deg(column("PHASE_DIR", "/FIELD")[0, 0]) % 360,
         polarisations=column("CORR_TYPE", "/POLARIZATION")[0])
"""


def version() -> str:
    return program_version("casacore-dev") + ", python3-casacore " + program_version("python3-casacore")


def many_file(folder):
    data = samples("ci8", 39, (20, 1, 300, 1))
    return convert(folder, record(folder, data, "ci8", antennas(300, 40), **TRACKED))


def case(name: str, make, polarisations: int, every: int = 1) -> Case:
    def theirs(folder):
        made = measurement_set(make(folder))
        run("/usr/bin/python3", "-c", READ, made, folder / "found.npz")
        with np.load(folder / "found.npz") as found:
            return kept(dict(found))

    def kept(found):
        return {key: array if key in ("frequency", "place", "polarisations") else array[::every]
                for key, array in found.items()}

    def ours(folder):
        found = contents(make(folder))
        # casacore keeps E_1 conj(E_2) and u, v, w of r_1 - r_2. XX, XY, YX, YY (9 to 12) is its order.
        order = [0, 2, 3, 1][:polarisations**2]
        return kept({"data": found["data"][..., order], "uvw": found["uvw"], "flags": found["weights"][..., order] <= 0,
                "weights": found["weights"][..., order], "antennas": found["antennas"], "seconds": found["seconds"],
                "exposure": found["seconds each"],
                "frequency": found["frequency"], "place": np.array(PLACE) % 360,
                "polarisations": np.array([9, 10, 11, 12][:polarisations**2])})

    exact = dict.fromkeys(("data", "flags", "weights", "antennas", "polarisations"), 0)
    # DATE is in two floats, u v w are floats of 1e-6 s.
    bounds = {"uvw": 1e-4, "seconds": 1e-3, "exposure": 1e-6, "frequency": 1e-3, "place": 1e-9}
    return Case(name, theirs, ours, exact | bounds)


def cases() -> list[Case]:
    return [*(case(f"{count} polarisations", lambda folder, count=count: random_file(folder, count), count)
              for count in (1, 2)),
            case("gaps", gaps_file, 1, SOME), case("300 antennas", many_file, 1, EVERY)]
