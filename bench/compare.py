#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tessera and its peers, in one run.

    bench/compare.py convolve                     4096x4096, all filters, CPU and GPU if there is one
    bench/compare.py convolve --quick             512x512, three filters: half a minute
    bench/compare.py convolve --backend cpu --sizes 2048x2048 --filters 3 9 17x43
    bench/compare.py separable                    the same, by filters that are a column times a row
    bench/compare.py morphology                   erosion by boxes and disks
    bench/compare.py median                       medians of squares
    bench/compare.py everyday                     filters of everyday, one call each, 64x64 to 4096x4096
    bench/compare.py everyday --words median Sobel --sizes 256 --threads 1
    bench/compare.py correlate                    autocorrelation of four planes, an image and a batch of 64
    bench/compare.py enhance                      a scan of 8773x5352: grey, histogram, contrast, smoothing
    bench/compare.py beam --longest 10            a plane of 2048x2048 convolved to wider beams
    bench/compare.py clahe                        adaptive histogram equalisation
    bench/compare.py cells --longest 60           36 cells found in a frame, and followed through ten
    bench/compare.py faraday --longest 10         rotation measure synthesis, 300 channels to 401 depths, and RM-CLEAN
    bench/compare.py faraday --backend cuda --sizes 512x512
    bench/compare.py noise --longest 30           background and noise of every pixel's box, 16, 64 or 256 pixels wide
    bench/compare.py noise --sizes 512x512 --filters 64 --longest 60
    bench/compare.py sources                      islands and fits of 1024 sources, next to sep, which does not fit
    bench/compare.py xengine                      a correlator's sums of 64, 128 and 256 antennas, 1024 samples
    bench/compare.py xengine --sizes 32x4         32 antennas, 4 channels
    bench/compare.py channelise                   a band of 8 antennas into 64, 1024 and 4096 channels

Every result is compared with Tessera's reference in double before it is timed; a contender that
computes something else by design says so. The contenders take turns in random order; figures are medians over
rounds, spreads the middle half over the median (those of `tessera study`, `bench --report` and `tune` are slowest
minus fastest). On the CPU the time of the process, all its threads, is given next to the wall-clock time.
Each row is also written to bench/results/<machine>/<operation>.jsonl.
"""
import argparse
import datetime
import json
import os
import random
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

# Threads that wait by spinning, OpenMP's and OpenBLAS's, would take the cores from the next contender. Both read this
# when they are loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")

import numpy as np
from compare_cases import OPERATIONS, TYPES, pair
from noise_peers import Patience
from peers import Absent, Case, Contender, Prepared

import tessera

ROOT = Path(__file__).resolve().parent.parent
SAMPLE_SECONDS = 0.05


class CpuTimer:
    """Seconds of wall-clock time; `busy` keeps those of the process, all its threads together. On a machine with
    other work the latter is more accurate."""

    busy = 0.0

    def __call__(self, run: Callable[[], Any], calls: int) -> float:
        start, busy = time.perf_counter(), time.process_time()
        for _ in range(calls):
            run()
        self.busy = (time.process_time() - busy) / calls
        return (time.perf_counter() - start) / calls


class DeviceTimer:
    """Seconds of device time. The device spins first, so that the calls are queued when the clock
    starts and Python's own time is not counted."""

    def __init__(self) -> None:
        import cupy

        self.cupy = cupy
        self.spin = cupy.RawKernel(
            'extern "C" __global__ void spin(long long n) { long long s = clock64(); while (clock64() - s < n) ; }',
            "spin")

    def __call__(self, run: Callable[[], Any], calls: int) -> float:
        start, end = self.cupy.cuda.Event(), self.cupy.cuda.Event()
        self.spin((1,), (1,), (200_000 * calls,))
        start.record()
        for _ in range(calls):
            run()
        end.record()
        end.synchronize()
        return float(self.cupy.cuda.get_elapsed_time(start, end)) / 1e3 / calls


def calls_for(timer: Callable[..., float], run: Callable[[], Any], target: float) -> int:
    run()
    return max(1, min(1000, int(target / max(timer(run, 1), 1e-7))))


def machine_name(info: dict[str, Any], backend: str) -> str:
    name = info["devices"][0]["name"] if backend == "cuda" and info["devices"] else f"{info['cpu']}-{info['threads']}"
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def ceiling(info: dict[str, Any], backend: str, case: Case, threads: int) -> float:
    """The fastest this machine could be: all bytes copied, or all multiply-adds done, in seconds."""
    device = [c for c in info["ceilings"] if c["where"].startswith("device")]
    host = [c for c in info["ceilings"] if not c["where"].startswith("device")]
    rows = device[:1] if backend == "cuda" else host[:1] if threads == 1 else host[-1:]
    if not rows or not rows[0]["copy_bytes_per_second"] or not rows[0]["fma_flops_per_second"]:
        return 0.0
    return max(case.bytes() / rows[0]["copy_bytes_per_second"], case.flops() / rows[0]["fma_flops_per_second"])


def commit() -> str:
    """With -dirty if sources differ from it; results of this run do not count. TESSERA_COMMIT names it if it is
    set: for machines that have only the files."""
    if named := os.environ.get("TESSERA_COMMIT"):
        return named
    git = lambda *words: subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True).stdout.strip()
    commit = git("rev-parse", "--short", "HEAD")
    changed = commit and git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!bench/results")
    return commit + ("-dirty" if changed else "") or "unknown"


def prepared(contender: Contender, case: Case, image: np.ndarray, weights: np.ndarray,
             options: argparse.Namespace) -> Prepared:
    ready = contender.prepare(case, image, weights, options.threads)
    start = time.perf_counter()
    ready.run()
    result = ready.result()
    seconds = time.perf_counter() - start
    error = 0.0 if contender.other else OPERATIONS[options.operation].error(case, image, weights, result)
    if not error <= 1:
        raise Absent(f"not timed: it differs from the reference by {error:.3g} times the bound")
    if seconds > options.longest:
        raise Absent(f"not timed: its first call took {seconds:.1f} s; raise --longest")
    return ready


def compare(case: Case, backend: str, options: argparse.Namespace) -> list[dict[str, Any]]:
    """One row per contender: the figures, or why there are none."""
    rng = np.random.default_rng(7)
    top = np.iinfo(case.dtype).max if case.dtype.startswith("uint") else 1
    made = getattr(case, "image", lambda: (rng.uniform(0, 1, case.shape()) * top).astype(case.dtype))
    image = made()
    weights = case.weights(rng)
    rows: dict[str, dict[str, Any]] = {}
    ready: dict[str, Prepared] = {}
    for contender in OPERATIONS[options.operation].contenders[backend]:
        rows[contender.name] = {"who": contender.name} | ({"other": contender.other} if contender.other else {})
        try:
            rows[contender.name]["version"] = contender.version()
            ready[contender.name] = prepared(contender, case, image, weights, options)
        except (Absent, ValueError, RuntimeError, MemoryError) as error:
            rows[contender.name]["absent"] = " ".join(str(error).split())
    timer: Any = DeviceTimer() if backend == "cuda" and ready else CpuTimer()
    calls = {name: calls_for(timer, one.run, options.seconds) for name, one in ready.items()}
    samples: dict[str, list[float]] = {name: [] for name in ready}
    busy: dict[str, list[float]] = {name: [] for name in ready}
    for done in range(options.rounds):
        for name in random.sample(list(ready), len(ready)):
            if done < 2 or sum(samples[name]) * calls[name] < options.longest:  # slow ones take part in few rounds
                samples[name].append(timer(ready[name].run, calls[name]))
                busy[name].append(getattr(timer, "busy", 0.0))
    for name, seconds in samples.items():
        quarters = statistics.quantiles(seconds, n=4)
        median = statistics.median(seconds)
        rows[name].update(median_ms=1e3 * median, spread=(quarters[2] - quarters[0]) / median, rounds=len(seconds))
        if any(busy[name]):
            rows[name]["cpu_ms"] = 1e3 * statistics.median(busy[name])
    return list(rows.values())


def finish(rows: list[dict[str, Any]], case: Case, backend: str, info: dict[str, Any], threads: int) -> None:
    """Ratios to Tessera, the fraction of this machine's ceiling, and the fields that every line has."""
    ours = next((r.get("median_ms") for r in rows if r["who"] == "tessera"), None)
    fastest = 1e3 * ceiling(info, backend, case, threads)
    for row in rows:
        if "median_ms" in row:
            row["ratio"] = row["median_ms"] / ours if ours else None
            row["of_peak"] = fastest / row["median_ms"] if fastest else None
            if hasattr(case, "useful"):
                row["useful_gops"] = 1e-6 * case.useful() / row["median_ms"]
        row.update(machine=machine_name(info, backend), backend=backend, threads=threads or info["threads"],
                   case=case.name(), date=datetime.date.today().isoformat(), commit=commit(),
                   tessera=tessera.__version__, numpy=np.__version__, python=sys.version.split()[0])


def show(row: dict[str, Any]) -> str:
    head = f"  {row['who']:44} "
    if "absent" in row:
        return head + f"absent: {row['absent']}"
    ratio = f"{row['ratio']:7.2f}x" if row["ratio"] else "       -"
    peak = f"{100 * row['of_peak']:5.1f}% of peak" if row["of_peak"] else ""
    busy = f"  cpu {row['cpu_ms']:9.3f} ms" if "cpu_ms" in row else ""
    useful = f"  {row['useful_gops']:9.1f} useful GOP/s" if "useful_gops" in row else ""
    other = f"  another definition: {row['other']}" if "other" in row else ""
    spread = f"  spread {100 * row['spread']:4.1f}%"
    return head + f"{row['median_ms']:10.4f} ms {ratio}{busy}{useful}{spread}  {peak}{other}"


def save(folder: Path, operation: str, rows: list[dict[str, Any]]) -> Path:
    path = folder / rows[0]["machine"] / f"{operation}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    return path


def even(text: str) -> int:
    return max(2, int(text) + int(text) % 2)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("operation", choices=list(OPERATIONS))
    parser.add_argument("--quick", action="store_true", help="512x512 and three filters, few rounds")
    parser.add_argument("--sizes", nargs="+", type=pair, metavar="WxH")
    parser.add_argument("--filters", nargs="+", type=pair, metavar="N or WxH")
    parser.add_argument("--words", nargs="+", metavar="WORD", help="of everyday: parts of filters' names; default: all")
    parser.add_argument("--types", nargs="+", choices=TYPES, help="of convolve, median and everyday; default: all")
    parser.add_argument("--backend", choices=["cpu", "cuda"], help="default: both, if there is a device")
    parser.add_argument("--threads", type=int, default=0, help="CPU threads; 0: all")
    parser.add_argument("--rounds", type=even, help="an even number; default 10, quick 4")
    parser.add_argument("--seconds", type=float, help="about how long one sample takes")
    parser.add_argument("--longest", type=float, default=3, help="seconds a call may take to be timed; default 3")
    parser.add_argument("--results", type=Path, default=ROOT / "bench" / "results", help="folder for the lines")
    options = parser.parse_args()
    Patience.seconds = options.longest
    if options.threads:
        os.environ["VIPS_CONCURRENCY"] = str(options.threads)  # libvips reads it once, when it is loaded
    options.rounds = options.rounds or (4 if options.quick else 10)
    options.seconds = options.seconds or (SAMPLE_SECONDS / 5 if options.quick else SAMPLE_SECONDS)
    return options


def main() -> int:
    options = parse()
    operation = OPERATIONS[options.operation]
    info = tessera.info(measure=True)
    backends = [options.backend] if options.backend else ["cpu"] + (["cuda"] if info["devices"] else [])
    if not options.backend and not info["devices"]:
        print(f"no GPU rows: {info['no_device_reason']}")
    timed = 0
    for backend in backends:
        print(f"{machine_name(info, backend)}, tessera {tessera.__version__} at {commit()}, {options.rounds} rounds")
        for case in operation.cases(options):
            rows = compare(case, backend, options)
            finish(rows, case, backend, info, options.threads)
            print(f"{backend} {options.operation} {case.name()}, border {operation.border}", *map(show, rows), sep="\n",
                  flush=True)
            path = save(options.results, options.operation, rows)
            timed += sum("median_ms" in row and row["who"] == "tessera" for row in rows)
        print(f"lines in {path}")
    return 0 if timed else 1


if __name__ == "__main__":
    sys.exit(main())
