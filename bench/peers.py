# SPDX-License-Identifier: Apache-2.0
"""Tessera and the libraries it is compared with. Each contender prepares a case and gives back a
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

    def name(self) -> str:
        return (f"{self.width}x{self.height} {self.dtype} x{self.channels} "
                f"by {self.filter_width}x{self.filter_height}")

    def shape(self) -> tuple[int, ...]:
        return (self.height, self.width) + ((self.channels,) if self.channels > 1 else ())

    def bytes(self) -> int:
        return 2 * self.width * self.height * self.channels * np.dtype(self.dtype).itemsize

    def weights(self, rng: np.random.Generator) -> np.ndarray:
        return rng.uniform(-1, 1, (self.filter_height, self.filter_width))

    def flops(self) -> int:
        return 2 * self.width * self.height * self.channels * self.filter_width * self.filter_height


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

    def version(self) -> str:
        raise NotImplementedError

    def prepare(self, case: Case, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        raise NotImplementedError


def into(out: np.ndarray, run: Callable[[], Any]) -> Prepared:
    return Prepared(run, lambda: out)


class TesseraCpu(Contender):
    name = "tessera"

    def version(self) -> str:
        return library("tessera").__version__

    def prepare(self, case: Case, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        axis = -1 if case.channels > 1 else None
        plan = library("tessera").Convolve(image.shape, image.dtype, weights, border="replicate", backend="cpu",
                                           channel_axis=axis, threads=threads)
        out = np.empty_like(image)
        return into(out, lambda: plan(image, out))


class OpenCv(Contender):
    name = "opencv filter2D"

    def version(self) -> str:
        return library("cv2").__version__

    def prepare(self, case: Case, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cv2 = library("cv2")
        cv2.setNumThreads(threads or cv2.getNumberOfCPUs())
        out = np.empty_like(image)
        weights = weights.astype(np.float32)
        return into(out, lambda: cv2.filter2D(image, -1, weights, out, borderType=cv2.BORDER_REPLICATE))


class ScipyNdimage(Contender):
    name = "scipy ndimage.correlate (1 thread)"

    def version(self) -> str:
        return library("scipy").__version__

    def prepare(self, case: Case, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        ndimage = library("scipy.ndimage")
        if image.dtype.kind == "u":
            raise Absent("it wraps integers around where the others saturate")
        weights = weights[..., None] if case.channels > 1 else weights
        out = np.empty_like(image)
        return into(out, lambda: ndimage.correlate(image, weights, out, mode="nearest"))


class ScipyOverlapAdd(Contender):
    name = "scipy signal.oaconvolve (1 thread)"

    def version(self) -> str:
        return library("scipy").__version__

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
    name = "tessera"

    def version(self) -> str:
        return library("tessera").__version__

    def prepare(self, case: Case, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cupy = self.cupy()
        axis = -1 if case.channels > 1 else None
        plan = library("tessera").Convolve(image.shape, image.dtype, weights, border="replicate", backend="cuda",
                                           channel_axis=axis)
        given, out = cupy.asarray(image), cupy.empty(image.shape, image.dtype)
        return Prepared(lambda: plan(given, out), lambda: cupy.asnumpy(out))


class CupyNdimage(OnDevice):
    name = "cupyx ndimage.correlate"

    def version(self) -> str:
        return library("cupy").__version__

    def prepare(self, case: Case, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cupy = self.cupy()
        if image.dtype.kind == "u":
            raise Absent("it wraps integers around where the others saturate")
        correlate = library("cupyx.scipy.ndimage").correlate
        given, out = cupy.asarray(image), cupy.empty(image.shape, image.dtype)
        weights = cupy.asarray(weights[..., None] if case.channels > 1 else weights, image.dtype)
        return Prepared(lambda: correlate(given, weights, out, mode="nearest"), lambda: cupy.asnumpy(out))


class TorchConv2d(OnDevice):
    name = "torch conv2d"

    def version(self) -> str:
        return library("torch").__version__

    def prepare(self, case: Case, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        self.cupy()
        torch = library("torch")
        if image.dtype.kind == "u":
            raise Absent("it has no integer convolution")
        torch.backends.cudnn.allow_tf32 = False
        torch.backends.cudnn.benchmark = True  # let it find its best algorithm, before the clock runs
        functional = torch.nn.functional
        planes = np.ascontiguousarray(np.moveaxis(image.reshape(*image.shape[:2], -1), -1, 0))[None]
        given = torch.as_tensor(planes, device="cuda")
        kernel = torch.as_tensor(weights.astype(image.dtype), device="cuda")[None, None].repeat(case.channels, 1, 1, 1)
        above, left = case.filter_height // 2, case.filter_width // 2
        apron = (left, case.filter_width - 1 - left, above, case.filter_height - 1 - above)
        last = {}

        def run() -> None:  # on torch's default stream, which is CuPy's, where the clock is
            padded = functional.pad(given, apron, mode="replicate")
            last["result"] = functional.conv2d(padded, kernel, groups=case.channels)

        def result() -> np.ndarray:
            return np.moveaxis(last["result"][0].cpu().numpy(), 0, -1).reshape(image.shape)

        return Prepared(run, result)


class Npp(OnDevice):
    name = "npp FilterBorder"
    shim: Any = None

    def version(self) -> str:
        nvcc = subprocess.run(["nvcc", "--version"], capture_output=True, text=True).stdout
        return nvcc.strip().splitlines()[-1] if nvcc else "?"

    def build(self) -> Any:
        if shutil.which("nvcc") is None:
            raise Absent("nvcc is not found, which builds bench/npp_shim.cu")
        folder = tempfile.mkdtemp(prefix="npp_shim_")
        target = Path(folder) / "npp_shim.so"
        source = Path(__file__).with_name("npp_shim.cu")
        done = subprocess.run(["nvcc", "-O2", "-shared", "-Xcompiler", "-fPIC", source, "-o", target, "-lnppif", "-lnppc"],
                              capture_output=True, text=True)
        if done.returncode:
            lines = [line for line in (done.stderr + done.stdout).splitlines() if "error" in line or "cannot" in line]
            raise Absent(f"bench/npp_shim.cu does not build: {(lines or ['?'])[0]}")
        shim = ctypes.CDLL(str(target))
        shutil.rmtree(folder)
        shim.npp_filter.argtypes = [ctypes.c_void_p, ctypes.c_void_p, *[ctypes.c_int] * 4, ctypes.c_void_p,
                                    ctypes.c_int, ctypes.c_int]
        shim.npp_use_stream.argtypes = [ctypes.c_void_p]
        shim.npp_use_stream.restype = None
        return shim

    def filter(self, cupy: Any, given: Any, out: Any, weights: Any) -> None:
        height, width, channels = (*given.shape, 1)[:3]
        status = self.shim.npp_filter(given.data.ptr, out.data.ptr, width, height, channels, given.dtype.itemsize,
                                      weights.data.ptr, weights.shape[1], weights.shape[0])
        if status:
            raise Absent("NPP has no filter of this type" if status == 1 else f"NPP answers {status}")

    def turns_filters(self, cupy: Any) -> bool:
        """Whether NPP reads weights backwards: a single weight at the corner tells."""
        given, out = cupy.zeros((5, 5), "f4"), cupy.empty((5, 5), "f4")
        given[2, 2] = 1
        weights = cupy.zeros((3, 3), "f4")
        weights[0, 0] = 1
        self.filter(cupy, given, out, weights)
        return bool(out[1, 1] == 1)  # a correlation moves the pixel to (3, 3)

    def prepare(self, case: Case, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cupy = self.cupy()
        if image.dtype == np.float64:
            raise Absent("NPP has no filter of this type")
        if self.shim is None:
            Npp.shim = self.build()
        self.shim.npp_use_stream(cupy.cuda.get_current_stream().ptr)
        turned = weights[::-1, ::-1] if self.turns_filters(cupy) else weights
        given, out = cupy.asarray(image), cupy.empty(image.shape, image.dtype)
        taps = cupy.asarray(np.ascontiguousarray(turned), "f4")
        return Prepared(lambda: self.filter(cupy, given, out, taps), lambda: cupy.asnumpy(out))


CONTENDERS: dict[str, list[Contender]] = {
    "cpu": [TesseraCpu(), OpenCv(), ScipyNdimage(), ScipyOverlapAdd()],
    "cuda": [TesseraCuda(), CupyNdimage(), TorchConv2d(), Npp()],
}
