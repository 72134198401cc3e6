# SPDX-License-Identifier: Apache-2.0
"""Tessera and the libraries it is compared with. Each contender prepares a case and returns a
function that runs it once; Absent says why one cannot."""
import ctypes
import importlib
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np


class Absent(Exception):
    """The contender is not here, or cannot do this case; the message says why."""


@dataclass(frozen=True)
class Case:
    """A convolution with border replicate."""

    width: int
    height: int
    dtype: str
    channels: int
    filter_width: int
    filter_height: int
    separable: bool = False  # the filter is the product of a column and a row

    def name(self) -> str:
        return (f"{self.width}x{self.height} {self.dtype} x{self.channels} "
                f"by {self.filter_width}x{self.filter_height}")

    def shape(self) -> tuple[int, ...]:
        return (self.height, self.width) + ((self.channels,) if self.channels > 1 else ())

    def bytes(self) -> int:
        return 2 * self.width * self.height * self.channels * np.dtype(self.dtype).itemsize

    def weights(self, rng: np.random.Generator) -> np.ndarray:
        if self.separable:
            return np.outer(rng.uniform(-1, 1, self.filter_height), rng.uniform(-1, 1, self.filter_width))
        return rng.uniform(-1, 1, (self.filter_height, self.filter_width))

    def flops(self) -> int:
        taps = self.filter_width + self.filter_height if self.separable else self.filter_width * self.filter_height
        return 2 * self.width * self.height * self.channels * taps


@dataclass
class Prepared:
    run: Callable[[], Any]  # enqueues, on a device
    result: Callable[[], np.ndarray]  # of the last run, on the host


def library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise Absent(f"{name} is not installed ({error})") from error


class Contender:
    name = ""
    backend = "cpu"
    module = ""  # whose version it has
    other = ""  # what it computes instead: then it is timed, but not compared with the reference

    def version(self) -> str:
        return str(library(self.module).__version__)

    def prepare(self, case: Case, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        raise NotImplementedError


def into(out: np.ndarray, run: Callable[[], Any]) -> Prepared:
    return Prepared(run, lambda: out)


def factors(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The row and the column that a separable filter is the product of."""
    j, i = np.unravel_index(abs(weights).argmax(), weights.shape)
    return weights[j] / weights[j, i], weights[:, i]


class TesseraCpu(Contender):
    module = "tessera"
    def __init__(self, method: str = "auto") -> None:
        self.method = method
        self.name = "tessera" if method == "auto" else f"tessera, method {method}"

    def prepare(self, case: Case, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        axis = -1 if case.channels > 1 else None
        plan = library("tessera").Convolve(image.shape, image.dtype, weights, border="replicate", backend="cpu",
                                           method=self.method, channel_axis=axis, threads=threads)
        out = np.empty_like(image)
        return into(out, lambda: plan(image, out))


class OpenCv(Contender):
    name = "opencv filter2D"
    module = "cv2"

    def prepare(self, case: Case, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cv2 = library("cv2")
        cv2.setNumThreads(threads or cv2.getNumberOfCPUs())
        out = np.empty_like(image)
        weights = weights.astype(np.float32)
        return into(out, lambda: cv2.filter2D(image, -1, weights, out, borderType=cv2.BORDER_REPLICATE))


class OpenCvSeparable(Contender):
    name = "opencv sepFilter2D"
    module = "cv2"

    def prepare(self, case: Case, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cv2 = library("cv2")
        cv2.setNumThreads(threads or cv2.getNumberOfCPUs())
        out = np.empty_like(image)
        row, column = (factor.astype(np.float32) for factor in factors(weights))
        return into(out, lambda: cv2.sepFilter2D(image, -1, row, column, out, borderType=cv2.BORDER_REPLICATE))


class Vips(Contender):
    name = "libvips conv"

    def version(self) -> str:
        vips = library("pyvips")
        return ".".join(str(vips.version(part)) for part in range(3))

    def prepare(self, case: Case, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        vips = library("pyvips")
        if image.dtype.kind == "u":
            raise Absent("compared on float images only")
        vips.cache_set_max(0)
        given = vips.Image.new_from_memory(image.data, case.width, case.height, case.channels, "float")
        mask = vips.Image.new_from_list(weights.tolist())
        last = {}

        def run() -> None:
            last["result"] = given.conv(mask, precision="float").write_to_memory()

        return Prepared(run, lambda: np.frombuffer(last["result"], "f4").reshape(image.shape))


class ScipySeparable(Contender):
    name = "scipy ndimage.correlate1d, twice (1 thread)"
    module = "scipy"

    def prepare(self, case: Case, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        correlate1d = library("scipy.ndimage").correlate1d
        row, column = factors(weights)
        between, out = np.empty_like(image), np.empty_like(image)

        def run() -> None:
            correlate1d(image, row, 1, between, mode="nearest")
            correlate1d(between, column, 0, out, mode="nearest")

        return into(out, run)


class ScipyNdimage(Contender):
    name = "scipy ndimage.correlate (1 thread)"
    module = "scipy"

    def prepare(self, case: Case, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        ndimage = library("scipy.ndimage")
        if image.dtype.kind == "u":
            raise Absent("it wraps integers around where the others saturate")
        weights = weights[..., None] if case.channels > 1 else weights
        out = np.empty_like(image)
        return into(out, lambda: ndimage.correlate(image, weights, out, mode="nearest"))


class ScipyOverlapAdd(Contender):
    name = "scipy signal.oaconvolve (1 thread)"
    module = "scipy"

    def prepare(self, case: Case, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        signal = library("scipy.signal")
        if case.channels > 1 or image.dtype.kind == "u":
            raise Absent("compared on float images of one channel only")
        above, left = case.filter_height // 2, case.filter_width // 2
        apron = ((above, case.filter_height - 1 - above), (left, case.filter_width - 1 - left))
        turned = weights[::-1, ::-1].astype(image.dtype)
        last = {}

        def run() -> None:
            last["result"] = signal.oaconvolve(np.pad(image, apron, mode="edge"), turned, mode="valid")

        return Prepared(run, lambda: last["result"])


class OnDevice(Contender):
    backend = "cuda"

    def cupy(self) -> Any:
        cupy = library("cupy")
        try:
            cupy.cuda.runtime.getDeviceCount()
        except Exception as error:
            raise Absent(f"no CUDA device ({error})") from error
        return cupy


class TesseraCuda(OnDevice):
    module = "tessera"
    def __init__(self, method: str = "auto") -> None:
        self.method = method
        self.name = "tessera" if method == "auto" else f"tessera, method {method}"

    def prepare(self, case: Case, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cupy = self.cupy()
        axis = -1 if case.channels > 1 else None
        plan = library("tessera").Convolve(image.shape, image.dtype, weights, border="replicate", backend="cuda",
                                           method=self.method, channel_axis=axis)
        given, out = cupy.asarray(image), cupy.empty(image.shape, image.dtype)
        return Prepared(lambda: plan(given, out), lambda: cupy.asnumpy(out))


def build_npp_shim(name: str, *libraries: str) -> Any:
    """The C functions over NPP of a file next to this one."""
    if shutil.which("nvcc") is None:
        raise Absent(f"nvcc is not found, which builds bench/{name}")
    with tempfile.TemporaryDirectory(prefix="npp_shim_") as folder:
        target, source = Path(folder) / "npp_shim.so", Path(__file__).with_name(name)
        done = subprocess.run(["nvcc", "-O2", "-shared", "-Xcompiler", "-fPIC", source, "-o", target,
                               *(f"-l{library}" for library in libraries)], capture_output=True, text=True)
        if done.returncode:
            lines = [line for line in (done.stderr + done.stdout).splitlines() if "error" in line or "cannot" in line]
            raise Absent(f"bench/{name} does not build: {(lines or ['?'])[0]}")
        return ctypes.CDLL(str(target))


CONVOLVE_ON_CPU: list[Contender] = [
    TesseraCpu(), TesseraCpu("direct"), TesseraCpu("fft"), OpenCv(), Vips(), ScipyNdimage(), ScipyOverlapAdd()]
SEPARABLE_ON_CPU: list[Contender] = [TesseraCpu(), TesseraCpu("separable"), OpenCvSeparable(), ScipySeparable()]
