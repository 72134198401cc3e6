#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The time of a call, the road to the kernels included.

    bench/calls.py                              every operation, 64x64 to 4096x4096, the usual ways
    bench/calls.py --quick                      64x64 and 256x256, few rounds
    bench/calls.py --operations convolve noise --sizes 64 8192 --backend cuda

Ways: one call as users write it (`call`), the result given (`call, out`), a plan made once (`plan`), the same
with page-locked arrays (`plan, page-locked`) and with arrays on the device (`call, device`, `plan, device`). Peers
are called in the same way: OpenCV, SciPy and CuPy where they have the operation. Every way is called before the
clock starts, so kept plans are there. Contenders take turns; figures are medians of wall-clock time over rounds,
up to the end of the device's work. Each row is also written to bench/results/<machine>/calls.jsonl.
"""
import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from compare import ROOT, commit, machine_name, save
from peers import Absent, library

import tessera

SIZES, QUICK_SIZES = [64, 256, 1024, 4096], [64, 256]
SAMPLE_SECONDS = 0.02


class Work:
    """An operation on a square image: as a call, as a plan, and by peers."""

    def __init__(self, side: int) -> None:
        self.rng = np.random.default_rng(side)
        self.image = self.make(side)

    def make(self, side: int) -> np.ndarray:
        return self.rng.random((side, side), dtype=np.float32)

    def call(self, image: Any, **more: Any) -> Any:
        raise NotImplementedError

    def plan(self, **more: Any) -> Callable[..., Any]:
        raise NotImplementedError

    def peers(self) -> dict[str, Callable[[], Callable[[], Any]]]:
        """Each makes its function; Absent says why not."""
        return {}

    def device_peers(self) -> dict[str, Callable[[], Callable[[], Any]]]:
        return {}


class Filter(Work):
    """7x7 weights that are not separable."""

    def __init__(self, side: int) -> None:
        super().__init__(side)
        self.weights = self.rng.random((7, 7))

    def call(self, image: Any, **more: Any) -> Any:
        return tessera.convolve(image, self.weights, border="replicate", **more)

    def plan(self, **more: Any) -> Callable[..., Any]:
        return tessera.Convolve(self.image.shape, self.image.dtype, self.weights, border="replicate", **more)

    def peers(self) -> dict[str, Callable[[], Callable[[], Any]]]:
        def opencv() -> Callable[[], Any]:
            cv2, weights = library("cv2"), self.weights.astype(np.float32)
            return lambda: cv2.filter2D(self.image, -1, weights, borderType=cv2.BORDER_REPLICATE)

        def scipy() -> Callable[[], Any]:
            ndimage, weights = library("scipy.ndimage"), self.weights.astype(np.float32)
            return lambda: ndimage.correlate(self.image, weights, mode="nearest")
        return {"OpenCV filter2D": opencv, "SciPy correlate": scipy}

    def device_peers(self) -> dict[str, Callable[[], Callable[[], Any]]]:
        def cupy() -> Callable[[], Any]:
            cp, ndimage = library("cupy"), library("cupyx.scipy.ndimage")
            image, weights = cp.asarray(self.image), cp.asarray(self.weights.astype(np.float32))
            return lambda: ndimage.correlate(image, weights, mode="nearest")
        return {"CuPy correlate": cupy}


class Gauss(Work):
    """A Gaussian by its name."""

    def call(self, image: Any, **more: Any) -> Any:
        return tessera.convolve(image, "gauss:2.5", border="replicate", **more)

    def plan(self, **more: Any) -> Callable[..., Any]:
        return tessera.Convolve(self.image.shape, self.image.dtype, "gauss:2.5", border="replicate", **more)

    def peers(self) -> dict[str, Callable[[], Callable[[], Any]]]:
        def opencv() -> Callable[[], Any]:
            cv2 = library("cv2")
            return lambda: cv2.GaussianBlur(self.image, (21, 21), 2.5, borderType=cv2.BORDER_REPLICATE)

        def scipy() -> Callable[[], Any]:
            ndimage = library("scipy.ndimage")
            return lambda: ndimage.gaussian_filter(self.image, 2.5, mode="nearest")
        return {"OpenCV GaussianBlur": opencv, "SciPy gaussian_filter": scipy}

    def device_peers(self) -> dict[str, Callable[[], Callable[[], Any]]]:
        def cupy() -> Callable[[], Any]:
            cp, ndimage = library("cupy"), library("cupyx.scipy.ndimage")
            image = cp.asarray(self.image)
            return lambda: ndimage.gaussian_filter(image, 2.5, mode="nearest")
        return {"CuPy gaussian_filter": cupy}


class Erosion(Work):
    """By a box of 5x5."""

    def call(self, image: Any, **more: Any) -> Any:
        return tessera.erode(image, "box:5x5", **more)

    def plan(self, **more: Any) -> Callable[..., Any]:
        return tessera.Erode(self.image.shape, self.image.dtype, "box:5x5", **more)

    def peers(self) -> dict[str, Callable[[], Callable[[], Any]]]:
        def opencv() -> Callable[[], Any]:
            cv2, element = library("cv2"), np.ones((5, 5), np.uint8)
            return lambda: cv2.erode(self.image, element)
        return {"OpenCV erode": opencv}

    def device_peers(self) -> dict[str, Callable[[], Callable[[], Any]]]:
        def cupy() -> Callable[[], Any]:
            cp, ndimage = library("cupy"), library("cupyx.scipy.ndimage")
            image = cp.asarray(self.image)
            return lambda: ndimage.grey_erosion(image, (5, 5))
        return {"CuPy grey_erosion": cupy}


class Enhancement(Work):
    """Contrast and smoothing of grey levels."""

    def make(self, side: int) -> np.ndarray:
        return self.rng.integers(0, 256, (side, side), dtype=np.uint8)

    def call(self, image: Any, **more: Any) -> Any:
        return tessera.enhance(image, steps="contrast,smooth", **more)

    def plan(self, **more: Any) -> Callable[..., Any]:
        return tessera.Enhance(self.image.shape, self.image.dtype, steps="contrast,smooth", **more)


class Correlation(Work):
    """32 shifts each way."""

    def call(self, image: Any, **more: Any) -> Any:
        return tessera.correlate(image, max_shift=32, **more)

    def plan(self, **more: Any) -> Callable[..., Any]:
        return tessera.Correlate(self.image.shape, self.image.dtype, max_shift=32, **more)


class NoiseMap(Work):
    """Boxes of 32x32."""

    def call(self, image: Any, **more: Any) -> Any:
        return tessera.noise(image, 32, **more)

    def plan(self, **more: Any) -> Callable[..., Any]:
        return tessera.Noise(self.image.shape, self.image.dtype, 32, **more)


class Synthesis(Work):
    """64 channels of side / 8 by side / 8 pixels to 101 depths."""

    def make(self, side: int) -> np.ndarray:
        self.frequency = np.linspace(1.1e9, 1.4e9, 64)
        self.other = self.rng.random((64, side // 8, side // 8), dtype=np.float32)
        return self.rng.random((64, side // 8, side // 8), dtype=np.float32)

    def call(self, image: Any, **more: Any) -> Any:
        other = more.pop("other", self.other)
        return tessera.faraday_synth(image, other, self.frequency, phi="-500,500,10", **more)


OPERATIONS: dict[str, type[Work]] = {
    "convolve 7x7": Filter, "convolve gauss:2.5": Gauss, "erode 5x5": Erosion, "enhance": Enhancement,
    "correlate 32": Correlation, "noise 32": NoiseMap, "faraday_synth": Synthesis}


def result_of(work: Work, made: Any) -> Any:
    """The array that `out` takes, where the function has it."""
    return made if isinstance(made, np.ndarray) else None


def host_ways(work: Work, backend: str) -> Iterator[tuple[str, Callable[[], Callable[[], Any]]]]:
    image = work.image
    made = result_of(work, work.call(image, backend=backend))
    yield "call", lambda: lambda: work.call(image, backend=backend)
    if made is None:
        return
    yield "call, out", lambda: lambda: work.call(image, backend=backend, out=made)
    plan = work.plan(backend=backend)
    yield "plan, out", lambda: lambda: plan(image, out=made)
    if backend == "cuda":
        locked, locked_out = tessera.pinned(image.shape, image.dtype), tessera.pinned(made.shape, made.dtype)
        locked[...] = image
        yield "plan, out, page-locked", lambda: lambda: plan(locked, out=locked_out)


def device_ways(work: Work) -> Iterator[tuple[str, Callable[[], Callable[[], Any]]]]:
    cp = library("cupy")
    image = cp.asarray(work.image)
    if hasattr(work, "other"):
        other = cp.asarray(work.other)
        yield "call, device", lambda: lambda: work.call(image, other=other)
        return
    made = work.call(image)
    yield "call, device", lambda: lambda: work.call(image)
    if not isinstance(made, cp.ndarray):
        return
    plan = work.plan()
    yield "plan, out, device", lambda: lambda: plan(image, out=made)


def contenders(work: Work, backend: str) -> dict[str, Callable[[], Callable[[], Any]]]:
    ways = {f"tessera: {name}": make for name, make in host_ways(work, backend)}
    if backend == "cuda":
        try:
            ways |= {f"tessera: {name}": make for name, make in device_ways(work)}
        except Absent as absent:
            print(f"no arrays on the device: {absent}")
        return ways | work.device_peers()
    return ways | work.peers()


def seconds_per_call(run: Callable[[], Any], calls: int, finish: Callable[[], Any]) -> float:
    start = time.perf_counter()
    for _ in range(calls):
        run()
    finish()
    return (time.perf_counter() - start) / calls


def measure(name: str, side: int, backend: str, options: argparse.Namespace) -> list[dict[str, Any]]:
    work = OPERATIONS[name](side)
    finish: Callable[[], Any] = lambda: None
    if backend == "cuda":
        try:
            finish = library("cupy").cuda.runtime.deviceSynchronize
        except Absent:
            pass
    rows: dict[str, dict[str, Any]] = {}
    ready: dict[str, Callable[[], Any]] = {}
    for who, make in contenders(work, backend).items():
        rows[who] = {"who": who}
        try:
            ready[who] = make()
            ready[who]()
        except Absent as absent:
            rows[who]["absent"] = str(absent)
            ready.pop(who, None)
    calls = {who: max(1, min(2000, int(options.seconds / max(seconds_per_call(run, 2, finish), 1e-7))))
             for who, run in ready.items()}
    samples: dict[str, list[float]] = {who: [] for who in ready}
    for _ in range(options.rounds):
        for who in random.sample(list(ready), len(ready)):
            samples[who].append(seconds_per_call(ready[who], calls[who], finish))
    for who, seconds in samples.items():
        quarters = statistics.quantiles(seconds, n=4)
        median = statistics.median(seconds)
        rows[who] |= {"median_ms": 1e3 * median, "least_ms": 1e3 * min(seconds),
                      "spread": (quarters[2] - quarters[0]) / median, "rounds": len(seconds)}
    return list(rows.values())


def show(row: dict[str, Any], ours: float) -> str:
    if "absent" in row:
        return f"  {row['who']:34} absent: {row['absent']}"
    return (f"  {row['who']:34} {row['median_ms']:10.4f} ms  least {row['least_ms']:10.4f}  "
            f"spread {100 * row['spread']:5.1f}%  {row['median_ms'] / ours:7.2f}x of a call")


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--operations", nargs="+", metavar="WORD", help="those whose names contain one of these")
    parser.add_argument("--sizes", nargs="+", type=int, metavar="SIDE")
    parser.add_argument("--backend", choices=["cpu", "cuda"], help="default: both, if there is a device")
    parser.add_argument("--rounds", type=int, help="default 10, quick 4")
    parser.add_argument("--seconds", type=float, default=SAMPLE_SECONDS, help="about how long one sample takes")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--results", type=Path, default=ROOT / "bench" / "results", help="folder for the lines")
    options = parser.parse_args()
    options.rounds = max(2, options.rounds or (4 if options.quick else 10))
    options.sizes = options.sizes or (QUICK_SIZES if options.quick else SIZES)
    names = [name for name in OPERATIONS if not options.operations or any(w in name for w in options.operations)]
    if not names:
        parser.error(f"no operation is called so; there are {', '.join(OPERATIONS)}")
    options.operations = names
    return options


def main() -> int:
    options = parse()
    info = tessera.info()
    backends = [options.backend] if options.backend else ["cpu"] + (["cuda"] if info["devices"] else [])
    if not options.backend and not info["devices"]:
        print(f"no GPU rows: {info['no_device_reason']}")
    for backend in backends:
        machine = machine_name(info, backend)
        print(f"{machine}, tessera {tessera.__version__} at {commit()}, {options.rounds} rounds")
        for name in options.operations:
            for side in options.sizes:
                rows = measure(name, side, backend, options)
                ours = rows[0]["median_ms"]
                print(f"{backend} {name} {side}x{side}", *(show(row, ours) for row in rows), sep="\n", flush=True)
                common = {"machine": machine, "backend": backend, "case": f"{name} {side}x{side}",
                          "date": time.strftime("%Y-%m-%d"), "commit": commit(), "tessera": tessera.__version__,
                          "numpy": np.__version__, "python": sys.version.split()[0]}
                path = save(options.results, "calls", [row | common for row in rows])
        print(f"lines in {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
