# SPDX-License-Identifier: Apache-2.0
"""Answers of the outside tools, in answers/: NAME.npz has the arrays, CASE/ARRAY each, NAME.json says where they come
from. Recording the same answers again with the same version changes neither file."""
import datetime
import json
import platform
from pathlib import Path
from types import ModuleType

import numpy as np
from judging import FOLDER, Arrays

ANSWERS = FOLDER / "answers"
LIMIT = 480_000  # bytes of all of them


def recorded_names() -> list[str]:
    return sorted(path.stem for path in ANSWERS.glob("*.json"))


def read(name: str) -> dict[str, Arrays]:
    """The recorded arrays of a judge, by case and name."""
    cases: dict[str, Arrays] = {case: {} for case in read_origin(name)["cases"]}
    with np.load(ANSWERS / f"{name}.npz") as arrays:
        for key in arrays.files:
            case, array = key.rsplit("/", 1)
            cases[case][array] = arrays[key]
    return cases


def read_origin(name: str) -> dict:
    return json.loads((ANSWERS / f"{name}.json").read_text())


def same(old: dict[str, Arrays], new: dict[str, Arrays]) -> bool:
    if {case: sorted(arrays) for case, arrays in old.items()} != {case: sorted(arrays) for case, arrays in new.items()}:
        return False
    return all(array.dtype == new[case][name].dtype and array.tobytes() == new[case][name].tobytes()
               for case, arrays in old.items() for name, array in arrays.items())


def record(name: str, judge: ModuleType, answers: dict[str, Arrays]) -> None:
    ANSWERS.mkdir(exist_ok=True)
    answers = {case: {key: np.asarray(value) for key, value in arrays.items()} for case, arrays in answers.items()}
    origin = dict(tool=judge.TOOL, version=judge.version(), compared=judge.COMPARED,
                  command=f"scripts/judges --record {name}", python=platform.python_version(),
                  numpy=np.__version__, machine=platform.machine(), cases=list(answers))
    path = ANSWERS / f"{name}.json"
    if path.exists():
        old = read_origin(name)
        if old | origin == old and same(read(name), answers):
            return
    origin["date"] = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    path.write_text(json.dumps(origin, indent=1) + "\n")
    flat = {f"{case}/{key}": value for case, arrays in answers.items() for key, value in arrays.items()}
    write_arrays(ANSWERS / f"{name}.npz", flat)


def write_arrays(path: Path, arrays: Arrays) -> None:
    np.savez_compressed(path, **arrays)
