# SPDX-License-Identifier: Apache-2.0
"""Convolution on a device: Tessera, CuPy, cuFFT, PyTorch and NPP."""
import ctypes
import subprocess
from typing import Any

import numpy as np
from fftw_peers import FftwTiles
from peers import (
    CONVOLVE_ON_CPU,
    SEPARABLE_ON_CPU,
    Absent,
    Case,
    Contender,
    OnDevice,
    Prepared,
    TesseraCuda,
    build_npp_shim,
    factors,
    library,
)


class CupyNdimage(OnDevice):
    name = "cupyx ndimage.correlate"
    module = "cupy"

    def prepare(self, case: Case, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cupy = self.cupy()
        if image.dtype.kind == "u":
            raise Absent("it wraps integers around where the others saturate")
        correlate = library("cupyx.scipy.ndimage").correlate
        given, out = cupy.asarray(image), cupy.empty(image.shape, image.dtype)
        weights = cupy.asarray(weights[..., None] if case.channels > 1 else weights, image.dtype)
        return Prepared(lambda: correlate(given, weights, out, mode="nearest"), lambda: cupy.asnumpy(out))


class CupySeparable(OnDevice):
    name = "cupyx ndimage.correlate1d, twice"
    module = "cupy"

    def prepare(self, case: Case, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cupy = self.cupy()
        correlate1d = library("cupyx.scipy.ndimage").correlate1d
        row, column = (cupy.asarray(factor, image.dtype) for factor in factors(weights))
        given = cupy.asarray(image)
        between, out = cupy.empty_like(given), cupy.empty_like(given)

        def run() -> None:
            correlate1d(given, row, 1, between, mode="nearest")
            correlate1d(between, column, 0, out, mode="nearest")

        return Prepared(run, lambda: cupy.asnumpy(out))


class CuFft(OnDevice):
    name = "cufft (spectrum kept)"

    def version(self) -> str:
        return str(self.cupy().cuda.cufft.getVersion())

    def prepare(self, case: Case, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cupy = self.cupy()
        if case.channels > 1 or image.dtype.kind == "u":
            raise Absent("compared on float images of one channel only")
        fft = library("cupyx.scipy.fft")
        above, left = case.filter_height // 2, case.filter_width // 2
        apron = ((above, case.filter_height - 1 - above), (left, case.filter_width - 1 - left))
        given = cupy.asarray(image)
        shape = [fft.next_fast_len(n + f - 1, True) for n, f in zip(image.shape, weights.shape, strict=True)]
        spectrum = fft.rfft2(cupy.asarray(weights[::-1, ::-1], image.dtype), shape)
        last = {}

        def run() -> None:
            padded = cupy.pad(given, apron, mode="edge")
            whole = fft.irfft2(fft.rfft2(padded, shape) * spectrum, shape)
            last["result"] = whole[case.filter_height - 1:case.filter_height - 1 + case.height,
                                   case.filter_width - 1:case.filter_width - 1 + case.width]

        return Prepared(run, lambda: cupy.asnumpy(last["result"]))


class TorchConv2d(OnDevice):
    name = "torch conv2d"
    module = "torch"

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
        shim = build_npp_shim("npp_shim.cu", "nppif", "nppc")
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
        """Whether NPP reads weights backwards: a single weight at the corner shows it."""
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
    "cpu": [*CONVOLVE_ON_CPU, FftwTiles()],
    "cuda": [TesseraCuda(), TesseraCuda("direct"), TesseraCuda("fft"), CupyNdimage(), CuFft(), TorchConv2d(), Npp()],
}
SEPARABLE_CONTENDERS: dict[str, list[Contender]] = {
    "cpu": SEPARABLE_ON_CPU,
    "cuda": [TesseraCuda(), TesseraCuda("separable"), CupySeparable()],
}
