# SPDX-License-Identifier: Apache-2.0
"""Shared by all judges. A judge is a file judge_NAME.py with

    PACKAGES    packages to install: {"pypi": […], "pypi-alone": […], "debian": […]}; alone: without dependencies
    TOOL        the name of the outside tool
    NOT_JUDGED  optional: what the tool also computes and why it is not compared yet
    version()   the version of the tool that runs
    cases()     a list of Case

Tools are imported inside functions, because the recorded answers are compared without them.
"""
import importlib
import importlib.metadata
import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import numpy as np

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
Arrays = dict[str, np.ndarray]
# The largest |difference| that an array may have, or a function of the tool's array that gives it. 0: the same values,
# everywhere.
Bound = float | Callable[[np.ndarray], float]


@dataclass(frozen=True)
class Case:
    name: str
    theirs: Callable[[Path], Arrays]  # asks the outside tool; the argument is an empty folder
    ours: Callable[[Path], Arrays]  # asks tessera, in another empty folder: the same names
    bound: Bound | dict[str, Bound] = 0.0

    def bound_of(self, name: str, theirs: np.ndarray) -> float:
        bound = self.bound[name] if isinstance(self.bound, dict) else self.bound
        return float(bound(theirs) if callable(bound) else bound)


@dataclass(frozen=True)
class Result:
    case: str
    array: str
    difference: float
    bound: float
    fault: str = ""  # shapes, or samples without a value in one answer only

    @property
    def passed(self) -> bool:
        return not self.fault and self.difference <= self.bound

    @property
    def share(self) -> float:
        """The part of the bound that was used up; exact answers have 0."""
        if not self.passed:
            return np.inf
        return self.difference / self.bound if self.bound else 0.0

    def __str__(self) -> str:
        said = self.fault or f"differs by {self.difference:.3g}, the bound is {self.bound:.3g}"
        return f"{self.case}, {self.array}: {said}"


def compare(case: Case, ours: Arrays, theirs: Arrays) -> list[Result]:
    if ours.keys() != theirs.keys():
        return [Result(case.name, "all", np.inf, 0, f"ours has {sorted(ours)}, theirs {sorted(theirs)}")]
    return [compare_arrays(case, name, np.asarray(ours[name]), np.asarray(theirs[name])) for name in theirs]


def compare_arrays(case: Case, name: str, ours: np.ndarray, theirs: np.ndarray) -> Result:
    bound = case.bound_of(name, theirs)
    if ours.shape != theirs.shape:
        return Result(case.name, name, np.inf, bound, f"ours is {ours.shape}, theirs {theirs.shape}")
    if theirs.dtype.kind in "US":
        return Result(case.name, name, float((ours != theirs).sum()), bound)
    wide = np.complex128 if "c" in (ours.dtype.kind, theirs.dtype.kind) else np.float64
    if ours.dtype.kind in "iub" and theirs.dtype.kind in "iub":
        wide = np.int64
    a, b = ours.astype(wide), theirs.astype(wide)
    if wide is not np.int64 and not np.array_equal(np.isnan(a), np.isnan(b)):
        count = int((np.isnan(a) != np.isnan(b)).sum())
        return Result(case.name, name, np.inf, bound, f"{count} samples are NaN in one answer only")
    with np.errstate(invalid="ignore"):  # of two infinities
        difference = np.nan_to_num(np.abs(np.where(a == b, 0, a - b)), nan=0.0, posinf=np.inf)
    return Result(case.name, name, float(difference.max(initial=0)), bound)


def of_peak(share: float) -> Bound:
    """A bound that is a share of the largest magnitude."""
    return lambda theirs: share * float(np.nanmax(np.abs(theirs)))


def load_judge(name: str) -> ModuleType:
    return importlib.import_module(f"judge_{name}")


def package_version(package: str) -> str:
    return importlib.metadata.version(package)


def program_version(program: str) -> str:
    """The version of the Debian package of a program or library."""
    done = subprocess.run(["dpkg-query", "-W", "-f=${Version}", program], capture_output=True, text=True)
    if done.returncode != 0 or not done.stdout:
        raise ModuleNotFoundError(f"{program} is not installed")
    return done.stdout


def tessera(*arguments: object) -> str:
    """Runs the tool that TESSERA_CLI names, or build/tessera, and returns its standard output."""
    program = os.environ.get("TESSERA_CLI", str(ROOT / "build" / "tessera"))
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"tessera {' '.join(map(str, arguments))}: {done.stderr.strip()}")
    return done.stdout


def filtered(folder: Path, image: np.ndarray, command: str, argument: object = None, *options: object) -> np.ndarray:
    """The result of `tessera COMMAND in.npy [ARGUMENT] out.npy OPTIONS`. An array becomes a file."""
    np.save(folder / "in.npy", image)
    if isinstance(argument, np.ndarray):
        np.save(folder / "argument.npy", argument)
        argument = folder / "argument.npy"
    middle = [] if argument is None else [argument]
    tessera(command, folder / "in.npy", *middle, folder / "out.npy", "--quiet", "--force", *options)
    return np.load(folder / "out.npy")
