# SPDX-License-Identifier: Apache-2.0
"""FFTW as a peer of convolve's method fft, if FFTW is installed (apt install libfftw3-dev)."""
import ctypes
import shutil
import subprocess
import tempfile
import weakref
from pathlib import Path
from typing import Any

import numpy as np
from peers import Absent, Case, Contender, Prepared

SOURCE = Path(__file__).with_name("fftw_tiles_shim.cpp")
TYPES = {"float32": "float", "float64": "double"}


def smooth_length(least: int) -> int:
    """The smallest product of 2, 3, 5 and 7 that is not less: lengths that are fast in FFTW."""
    while True:
        left = least
        for prime in (2, 3, 5, 7):
            while left % prime == 0:
                left //= prime
        if left == 1:
            return least
        least += 1


def tile_length(taps: int, results: int) -> int:
    """128 is FFTW's best for small filters; for larger ones a third of the tile is lost to the filter."""
    return min(max(128, 1 << (3 * taps - 1).bit_length()), smooth_length(results + taps - 1))


def build_shim() -> Any:
    if shutil.which("c++") is None:
        raise Absent(f"c++ is not found, which builds bench/{SOURCE.name}")
    with tempfile.TemporaryDirectory(prefix="fftw_shim_") as folder:
        target = Path(folder) / "fftw_tiles_shim.so"
        done = subprocess.run(["c++", "-std=c++20", "-O3", "-march=native", "-shared", "-fPIC", SOURCE, "-o", target,
                               "-lfftw3f", "-lfftw3"], capture_output=True, text=True)
        if done.returncode:
            lines = [line for line in done.stderr.splitlines() if "error" in line or "cannot" in line]
            raise Absent(f"bench/{SOURCE.name} does not build; is libfftw3-dev installed? {(lines or ['?'])[0]}")
        return ctypes.CDLL(str(target))


class FftwTiles(Contender):
    name = "FFTW r2c tiles (1 thread)"
    shim: Any = None

    def load(self) -> Any:
        if self.shim is None:
            FftwTiles.shim = build_shim()
        return self.shim

    def version(self) -> str:
        text = ctypes.c_char * 64
        return text.in_dll(self.load(), "fftwf_version").value.decode().removeprefix("fftw-")

    def prepare(self, case: Case, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        if case.channels > 1 or image.dtype.name not in TYPES:
            raise Absent("compared on float images of one channel only")
        shim, name = self.load(), TYPES[image.dtype.name]
        make, run, free = (getattr(shim, f"fftw_tiles_{what}_{name}") for what in ("make", "run", "free"))
        make.restype = ctypes.c_void_p
        given = np.ascontiguousarray(weights, "f8")
        tiles = ctypes.c_void_p(make(tile_length(case.filter_width, case.width),
                                     tile_length(case.filter_height, case.height),
                                     ctypes.c_void_p(given.ctypes.data), case.filter_width, case.filter_height))
        above, left = case.filter_height // 2, case.filter_width // 2
        apron = ((above, case.filter_height - 1 - above), (left, case.filter_width - 1 - left))
        out = np.empty_like(image)

        def filter_once() -> None:
            padded = np.pad(image, apron, mode="edge")
            run(tiles, ctypes.c_void_p(padded.ctypes.data), ctypes.c_longlong(padded.shape[1]), padded.shape[0],
                ctypes.c_void_p(out.ctypes.data), case.width, case.height)

        weakref.finalize(filter_once, free, tiles)
        return Prepared(filter_once, lambda: out)
