# SPDX-License-Identifier: Apache-2.0
"""The same steps with image and result on a device."""
import ctypes
import functools
from typing import Any

import numpy as np
from enhance_peers import ENHANCE_CPU, STEPS, TRIANGLE, exactly, roughly
from peers import Absent, Contender, OnDevice, Prepared, TesseraCuda, build_npp_shim, library

import tessera


class TesseraEnhanceCuda(TesseraCuda):
    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cupy = self.cupy()
        plan = tessera.Enhance(image.shape, image.dtype, steps=STEPS, backend="cuda", method=self.method)
        given, out = cupy.asarray(image), cupy.empty(image.shape[:2], image.dtype)
        return Prepared(lambda: plan(given, out), exactly(case, lambda: cupy.asnumpy(out)))


@functools.cache
def device_shares() -> Any:
    """Up once, not in the time of those that use it."""
    return library("cupy").asarray([3_500_000, 996_500_000])


def device_curve(cupy: Any, counts: Any) -> Any:
    """The new value of each value by contrast, computed on the device."""
    below = cupy.cumsum(counts)
    ranks = device_shares() * below[-1]
    low, high = cupy.searchsorted(below, (ranks + 10**9 - 1) // 10**9)
    apart = cupy.maximum(high - low, 1)
    return cupy.clip(((cupy.arange(256) - low) * 255 + apart // 2) // apart, 0, 255).astype("u1")


class CupyEnhance(OnDevice):
    name = "cupy elementwise, bincount, take, correlate1d twice"
    module = "cupy"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cupy = self.cupy()
        correlate1d = library("cupyx.scipy.ndimage").correlate1d
        to_grey = cupy.ElementwiseKernel(
            "raw uint8 rgb", "uint8 grey",
            "grey = (77 * rgb[3 * i] + 151 * rgb[3 * i + 1] + 28 * rgb[3 * i + 2] + 128) >> 8", "to_grey")
        weighted = cupy.ElementwiseKernel("uint16 sum, uint16 total", "uint8 out", "out = (sum + total / 2) / total",
                                          "weighted")
        row = cupy.asarray(TRIANGLE, "u2")

        def sums(grey: Any) -> Any:
            return correlate1d(correlate1d(grey, row, 0, mode="constant"), row, 1, mode="constant")

        given, grey = cupy.asarray(image), cupy.empty(image.shape[:2], "u1")
        total = sums(cupy.ones(image.shape[:2], "u2"))
        last = {}

        def run() -> None:
            to_grey(given, grey)
            curve = device_curve(cupy, cupy.bincount(grey.ravel(), minlength=256))
            last["result"] = weighted(sums(curve[grey].astype("u2")), total)

        return Prepared(run, exactly(case, lambda: cupy.asnumpy(last["result"])))


class NppEnhance(OnDevice):
    """NPP's grey, histogram, table and filter; the table's 256 values are CuPy's, on the device."""

    shim: Any = None

    def __init__(self, smooth: str) -> None:
        self.smooth = smooth
        self.name = f"npp ColorToGray, HistogramEven, LUTPalette, {smooth}"
        self.other = "Gaussian weights" if smooth == "FilterGaussBorder" else ""

    def version(self) -> str:
        return library("cupy").__version__ + " and NPP"

    def call(self, function: str, *words: Any) -> None:
        if status := getattr(self.shim, function)(*words):
            raise Absent(f"{function}: NPP answers {status}")

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cupy = self.cupy()
        if self.shim is None:
            NppEnhance.shim = build_npp_shim("npp_enhance_shim.cu", "nppif", "nppicc", "nppist", "nppc")
        pointer = lambda array: ctypes.c_void_p(array.data.ptr)
        size = ctypes.c_int(case.width), ctypes.c_int(case.height)
        self.call("npp_enhance_begin", ctypes.c_void_p(cupy.cuda.get_current_stream().ptr))
        self.shim.npp_count_bytes.restype = ctypes.c_longlong
        buffer = cupy.empty(max(1, self.shim.npp_count_bytes(*size)), "u1")
        given = cupy.asarray(image)
        grey, stretched, out = (cupy.empty(image.shape[:2], "u1") for _ in range(3))
        counts = cupy.empty(256, "i4")
        taps = cupy.asarray(np.outer(TRIANGLE, TRIANGLE) / 81, "f4")

        def run() -> None:
            self.call("npp_grey", pointer(given), pointer(grey), *size)
            self.call("npp_count", pointer(grey), *size, pointer(counts), pointer(buffer))
            values = device_curve(cupy, counts.astype("i8")).astype("u1")
            self.call("npp_table", pointer(grey), pointer(stretched), *size, pointer(values))
            if self.other:
                self.call("npp_gauss", pointer(stretched), pointer(out), *size)
            else:
                self.call("npp_smooth", pointer(stretched), pointer(out), *size, pointer(taps))

        result = lambda: cupy.asnumpy(out)
        return Prepared(run, roughly(case, result) if self.other else result)


class CopyCeilingCuda(OnDevice):
    name = "a copy of as many bytes"
    other = "no work at all"
    module = "cupy"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cupy = self.cupy()
        given, out = (cupy.ones(case.bytes() // 2, "u1") for _ in range(2))
        return Prepared(lambda: out.data.copy_from_device_async(given.data, given.nbytes),
                        lambda: cupy.asnumpy(out[:1]))


ENHANCE_CONTENDERS: dict[str, list[Contender]] = {
    "cpu": ENHANCE_CPU,
    "cuda": [TesseraEnhanceCuda(), TesseraEnhanceCuda("fused"), TesseraEnhanceCuda("steps"), CupyEnhance(),
             NppEnhance("FilterBorder"), NppEnhance("FilterGaussBorder"), CopyCeilingCuda()],
}
