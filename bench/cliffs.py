#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No cliffs: a filter that is one weight longer never costs much more, and a region costs what its pixels cost.

    bench/cliffs.py                      F x F, 1 x F and F x 1 for F = 3 … 64, method auto, CPU
    bench/cliffs.py --backend cuda       on the GPU
    bench/cliffs.py --side 1024 --last 32 --method direct

The rule: time(F + 1) / time(F) <= max(1.4, 1.15 (F + 1)^2 / F^2), for lines with F instead of F^2; a region of
interest, one pixel in from every side, takes within 5% of what its pixels take of the whole image. Lines go to
bench/results/<machine>/cliffs.jsonl; exit code 1 when a rule is broken.
"""
import argparse
import datetime
import json
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from compare import CpuTimer, DeviceTimer, calls_for, commit, machine_name

import tessera

ROOT = Path(__file__).resolve().parent.parent
SHAPES: dict[str, Callable[[int], tuple[int, int]]] = {
    "FxF": lambda f: (f, f), "1xF": lambda f: (1, f), "Fx1": lambda f: (f, 1)}


def allowed(shape: str, f: int) -> float:
    growth = (f + 1) / f
    return max(1.4, 1.15 * (growth * growth if shape == "FxF" else growth))


def method_of(plan: Any) -> str:
    """ "convolve 4096x4096 f32 by 7x7: cpu direct, neon …" """
    return plan.describe().split(": ", 1)[1].split(",")[0]


class Stopwatch:
    """Milliseconds of a filtering, the median of some samples."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.timer = DeviceTimer() if options.backend == "cuda" else CpuTimer()

    def __call__(self, image: Any, weights: np.ndarray, out: Any) -> tuple[float, str]:
        plan = tessera.Convolve(image.shape, image.dtype, weights, border="replicate", method=self.options.method,
                                backend=self.options.backend)
        run = lambda: plan(image, out)
        calls = calls_for(self.timer, run, self.options.seconds)
        return 1e3 * statistics.median(self.timer(run, calls) for _ in range(self.options.samples)), method_of(plan)


def images(options: argparse.Namespace) -> tuple[Any, Any]:
    image = np.random.default_rng(1).random((options.side, options.side), dtype=np.float32)
    if options.backend == "cuda":
        import cupy

        return cupy.asarray(image), cupy.empty_like(cupy.asarray(image))
    return image, np.empty_like(image)


def walk(shape: str, stopwatch: Stopwatch, image: Any, out: Any, last: int) -> list[dict[str, Any]]:
    rng = np.random.default_rng(2)
    rows: list[dict[str, Any]] = []
    for f in range(3, last + 1):
        width, height = SHAPES[shape](f)
        ms, method = stopwatch(image, rng.uniform(-1, 1, (height, width)), out)
        row: dict[str, Any] = {"shape": shape, "f": f, "ms": ms, "method": method}
        if rows:
            row.update(ratio=ms / rows[-1]["ms"], allowed=allowed(shape, f - 1))
        rows.append(row)
    return rows


def regions(stopwatch: Stopwatch, image: Any, out: Any) -> list[dict[str, Any]]:
    """One pixel in from every side: nothing begins on a boundary."""
    rows = []
    for f in (3, 9, 21, 31):
        weights = np.random.default_rng(3).uniform(-1, 1, (f, f))
        whole, _ = stopwatch(image, weights, out)
        part, method = stopwatch(image[1:-1, 1:-1], weights, out[1:-1, 1:-1])
        pixels = (image.shape[0] - 2) * (image.shape[1] - 2) / image.size
        rows.append({"shape": "region", "f": f, "ms": part, "method": method, "ratio": part / (whole * pixels),
                     "allowed": 1.05})
    return rows


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--backend", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--method", default="auto")
    parser.add_argument("--side", type=int, default=2048)
    parser.add_argument("--last", type=int, default=64)
    parser.add_argument("--samples", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.02, help="about how long one sample takes")
    parser.add_argument("--results", type=Path, default=ROOT / "bench" / "results", help="folder for the lines")
    return parser.parse_args()


def main() -> int:
    options = parse()
    stopwatch = Stopwatch(options)
    image, out = images(options)
    rows = [row for shape in SHAPES for row in walk(shape, stopwatch, image, out, options.last)]
    rows += regions(stopwatch, image, out)
    machine = machine_name(tessera.info(), options.backend)
    for row in rows:
        row.update(machine=machine, backend=options.backend, asked=options.method, side=options.side,
                   date=datetime.date.today().isoformat(), commit=commit())
    path = options.results / machine / "cliffs.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    broken = [row for row in rows if row.get("ratio", 0) > row.get("allowed", 1)]
    for shape in [*SHAPES, "region"]:
        steps = [row for row in rows if row["shape"] == shape and "ratio" in row]
        worst = max(steps, key=lambda row: row["ratio"] / row["allowed"])
        print(f"{shape:7} {len(steps)} steps, worst {worst['ratio']:.2f} at {worst['f']} ({worst['method']}), "
              f"allowed {worst['allowed']:.2f}")
    for row in broken:
        print(f"broken: {row['shape']} {row['f']}: {row['ratio']:.2f}, allowed {row['allowed']:.2f} ({row['method']})")
    print(f"lines in {path}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
