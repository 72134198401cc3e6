#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How far the maps of `noise --mode grid` are from those of mode exact: the table of docs/noise.md.

    bench/noise_refine.py                all rows, a minute or two: mode exact with the estimator clip is slow
    bench/noise_refine.py --only iqr     rows of one estimator

A cell is the largest difference of background or noise over the exact noise, the number of refined cells, and in
brackets the CPU seconds of the whole command; those of mode exact come first. TESSERA_CLI names the tool, otherwise it
is build/tessera.
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
TOOL = os.environ.get("TESSERA_CLI", str(ROOT / "build" / "tessera"))
PARKES = ROOT / "tests" / "data" / "aegean" / "1904-66_cut.fits"  # of Aegean, see ORIGIN.md there
SIDE, BEAM, BOX = 640, 4.7, 64
STEPS_OF_REFINE = ("0", "0.2", "0.05")


def gaussian(width: float, y: float, x: float) -> np.ndarray:
    """A source with a peak of 1 and this full width at half maximum."""
    rows, columns = np.mgrid[:SIDE, :SIDE]
    return np.exp(-4 * np.log(2) * ((rows - y) ** 2 + (columns - x) ** 2) / width**2)


def independent(random: np.random.RandomState) -> np.ndarray:
    return random.standard_normal((SIDE, SIDE))


def beam_noise(random: np.random.RandomState) -> np.ndarray:
    """Noise of 1 seen through the beam, by a product of transforms."""
    beam = np.roll(gaussian(BEAM, SIDE // 2, SIDE // 2), (-(SIDE // 2), -(SIDE // 2)), (0, 1))
    noise = np.fft.ifft2(np.fft.fft2(random.standard_normal((SIDE, SIDE))) * np.fft.fft2(beam)).real
    return noise / noise.std()


def with_sources(count: int, faintest: float, width: float) -> Callable[[np.random.RandomState], np.ndarray]:
    """Fluxes whose number above S falls as S^-1.5, as in the sky."""
    def image(random: np.random.RandomState) -> np.ndarray:
        sky = beam_noise(random)
        for flux in faintest * random.uniform(0, 1, count) ** (-1 / 1.5):
            sky += flux * gaussian(width, *random.uniform(0, SIDE, 2))
        return sky
    return image


@dataclass(frozen=True)
class Row:
    name: str
    image: Callable[[np.random.RandomState], np.ndarray] | Path
    step: int = 16
    estimator: str = "iqr"


POINTS, WIDE = with_sources(40, 30, BEAM), with_sources(10, 100, 24)
ROWS = [Row(f"{SIDE}×{SIDE}, independent pixels, no sources", independent),
        Row(f"{SIDE}×{SIDE}, pixels of a beam {BEAM} wide, 40 point sources of 30 σ and more", POINTS),
        Row("the same with 10 sources of 100 σ and more, 24 pixels wide", WIDE), Row("the same", WIDE, step=64),
        Row("the same", WIDE, estimator="clip"),
        Row("Parkes image, a box holds few beams", PARKES), Row("the same", PARKES, estimator="clip")]


def run(*words: object) -> tuple[dict, float]:
    """The JSON of a command, and its CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([TOOL, *map(str, words), "--json"], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return json.loads(done.stdout), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def maps(path: Path, row: Row, *options: object) -> tuple[np.ndarray, np.ndarray, int, float]:
    said, seconds = run("noise", path, "-o", path.parent / "out", "--only", "bkg,rms", "--box", BOX, "--estimator",
                        row.estimator, "--force", *options)
    background, noise = (np.load(path.parent / f"out_{name}.npy") for name in ("bkg", "rms"))
    return background, noise, said.get("refined", 0), seconds


def cells_of(row: Row, folder: Path) -> list[str]:
    path = folder / "in.npy"
    if isinstance(row.image, Path):
        run("convert", row.image, path, "--force")
    else:
        np.save(path, row.image(np.random.RandomState(1)).astype("f4"))
    background, noise, _, seconds = maps(path, row)
    cells = [f"({seconds:.2f} s)"]
    count = np.prod([-(-(side - 1) // row.step) for side in noise.shape])
    for refine in STEPS_OF_REFINE:
        other, others, refined, seconds = maps(path, row, "--mode", "grid", "--grid", row.step, "--refine", refine)
        worst = np.nanmax(np.maximum(abs(other - background), abs(others - noise)) / noise)
        said = "" if refine == "0" else f", {refined} of {count} refined"
        cells.append(f"{worst:.2g}{said} ({seconds:.2f} s)")
    return cells


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="ESTIMATOR", help="rows of this estimator")
    options = parser.parse_args()
    print("| image, step, estimator | exact | " + " | ".join(f"`--refine {t}`" for t in STEPS_OF_REFINE) + " |")
    print("| --- | --- |" + " --- |" * len(STEPS_OF_REFINE))
    with tempfile.TemporaryDirectory() as folder:
        for row in ROWS:
            if options.only in (None, row.estimator):
                name = f"{row.name}, {row.step}, `{row.estimator}`"
                print(f"| {name} | {' | '.join(cells_of(row, Path(folder)))} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
