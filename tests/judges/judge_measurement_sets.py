# SPDX-License-Identifier: Apache-2.0
"""python3-casacore on the Measurement Sets of xengine: every column of every table, and the values of those that the
UVFITS of the same recording has too, as astropy reads it."""
import numpy as np
from judging import Case, program_version
from measurement_sets import run
from uvfits_inputs import PLACE, contents, empty_file, random_file, reversed_file, turned_file, written_set
from voltage_inputs import START

PACKAGES = {"debian": ["casacore-dev", "python3-casacore"]}
TOOL = "python3-casacore"
COMPARED = "xengine: Measurement Sets, every column read; data, weights, flags, u v w, times, antennas, channels"
SOME = 17  # rows between those that are kept of files with gaps
# The Debian package is for the system's Python, not for that of build/judges-venv.
READ = f"""
import sys
import numpy as np
from casacore.tables import table
main = table(sys.argv[1], ack=False)
tables = [main] + [table(value[7:], ack=False) for value in main.getkeywords().values()
                   if isinstance(value, str) and value.startswith("Table: ")]
columns = unread = 0
for part in tables:
    for name in part.colnames():
        columns += 1
        try:
            part.getcol(name)
        except RuntimeError:
            unread += 1
def column(name, part=""):
    return table(sys.argv[1] + part, ack=False).getcol(name)
np.savez(sys.argv[2], data=column("DATA"), uvw=column("UVW"), flags=column("FLAG"), weights=column("WEIGHT_SPECTRUM"),
         errors=np.stack([column("WEIGHT"), column("SIGMA")]).swapaxes(0, 1), rows=column("FLAG_ROW"),
         antennas=np.stack([column("ANTENNA1"), column("ANTENNA2")], 1),
         seconds=np.stack([column("TIME") - {START!r} * 86400, column("EXPOSURE"), column("INTERVAL")], 1),
         frequency=column("CHAN_FREQ", "/SPECTRAL_WINDOW")[0], positions=column("POSITION", "/ANTENNA"),
         place=np.rad2deg(column("PHASE_DIR", "/FIELD")[0, 0]) % 360,
         polarisations=column("CORR_TYPE", "/POLARIZATION")[0], tables=[len(tables), columns, unread])
"""
WHOLE = ("frequency", "positions", "place", "polarisations", "tables")


def version() -> str:
    return program_version("python3-casacore")


def case(name: str, make, polarisations: int, every: int = 1, descending: bool = False) -> Case:
    def theirs(folder):
        made = written_set(make(folder))
        run("/usr/bin/python3", "-c", READ, made, folder / "found.npz")
        with np.load(folder / "found.npz") as found:
            return kept(dict(found))

    def kept(found):
        return {key: array if key in WHOLE else array[::every] for key, array in found.items()}

    def ours(folder):
        found = contents(make(folder))
        order = [0, 2, 3, 1][:polarisations**2]  # XX, XY, YX, YY
        step = -1 if descending else 1  # UVFITS has them ascending
        weights = found["weights"][:, ::step][..., order]
        root = np.sqrt(weights[:, 0])
        sigma = np.divide(1, root, out=np.zeros_like(root), where=root > 0)
        each = found["seconds each"]
        return kept({"data": found["data"][:, ::step][..., order], "uvw": found["uvw"], "flags": weights <= 0,
                     "weights": weights, "errors": np.stack([weights[:, 0], sigma], 1),
                     "rows": (weights <= 0).all(axis=(1, 2)), "antennas": found["antennas"],
                     "seconds": np.stack([found["seconds"], each, each], 1),
                     "frequency": found["frequency"][::step], "positions": found["positions"],
                     "place": np.array(PLACE) % 360, "polarisations": np.array([9, 10, 11, 12][:polarisations**2]),
                     "tables": np.array([13, 120, 0])})

    exact = dict.fromkeys(("data", "flags", "weights", "rows", "antennas", "polarisations", "tables"), 0)
    # In UVFITS DATE is in two floats, u v w are floats of 1e-6 s.
    bounds = {"uvw": 1e-4, "seconds": 1e-3, "frequency": 1e-3, "place": 1e-9, "positions": 1e-6, "errors": 1e-7}
    return Case(name, theirs, ours, exact | bounds)


def cases() -> list[Case]:
    return [case("2 polarisations", lambda folder: random_file(folder, 2), 2, 5),
            case("an integration without samples and a short one", empty_file, 1, SOME),
            case("turned here", turned_file, 1, SOME), case("descending channels", reversed_file, 1, SOME, True)]
