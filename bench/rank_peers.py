# SPDX-License-Identifier: Apache-2.0
"""Medians by Tessera and by the libraries it is compared with; the edge is repeated."""
import argparse
from dataclasses import dataclass
from typing import Any

import numpy as np
from peers import Absent, Contender, OnDevice, Prepared, into, library

import tessera

MEDIAN_SIDES = [3, 5, 7, 15, 31]
MEDIAN_TYPES = ["uint8", "uint16", "float32"]


@dataclass(frozen=True)
class MedianCase:
    width: int
    height: int
    dtype: str
    side: int
    channels: int = 1

    def name(self) -> str:
        return f"{self.width}x{self.height} {self.dtype} by {self.side}x{self.side}"

    def shape(self) -> tuple[int, ...]:
        return self.height, self.width

    def bytes(self) -> int:
        return 2 * self.width * self.height * np.dtype(self.dtype).itemsize

    def flops(self) -> int:
        return 0

    def weights(self, rng: np.random.Generator) -> np.ndarray:
        return np.ones((self.side, self.side), np.uint8)


def median_cases(options: argparse.Namespace) -> list[MedianCase]:
    """--filters are windows; of each pair only the width counts."""
    sizes = options.sizes or [(512, 512) if options.quick else (4096, 4096)]
    sides = [side for side, _ in options.filters or []] or (MEDIAN_SIDES[:2] if options.quick else MEDIAN_SIDES)
    return [MedianCase(*size, dtype, side) for size in sizes for dtype in options.types or MEDIAN_TYPES
            for side in sides]


def wrong_medians(case: MedianCase, image: np.ndarray, weights: np.ndarray, result: np.ndarray) -> float:
    """The number of pixels of three windows (two corners, the middle) that differ from the reference."""
    height, width = min(case.height, 96), min(case.width, 96)
    wrong = 0
    for y in {0, (case.height - height) // 2, case.height - height}:
        x = y * (case.width - width) // max(1, case.height - height)
        top, left = max(0, y - case.side), max(0, x - case.side)
        part = image[top:y + height + case.side, left:x + width + case.side]
        truth = tessera.median_filter(part, case.side, mode="nearest", method="reference", backend="cpu")
        truth = truth[y - top:y - top + height, x - left:x - left + width]
        wrong += int((truth != result[y:y + height, x:x + width]).sum())
    return 2.0 * wrong


class TesseraMedian(Contender):
    name = "tessera"
    module = "tessera"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        out = np.empty_like(image)
        options = {"mode": "nearest", "backend": "cpu", "threads": threads, "out": out}
        return into(out, lambda: tessera.median_filter(image, case.side, **options))


class OpenCvMedian(Contender):
    name = "opencv medianBlur"
    module = "cv2"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cv2 = library("cv2")
        if case.side > 5 and image.dtype != np.uint8:
            raise Absent("OpenCV filters windows above 5x5 only in images of bytes")
        cv2.setNumThreads(threads or cv2.getNumberOfCPUs())
        out = np.empty_like(image)
        return into(out, lambda: cv2.medianBlur(image, case.side, dst=out))


class ScipyMedian(Contender):
    name = "scipy ndimage.median_filter (1 thread)"
    module = "scipy"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        ndimage = library("scipy.ndimage")
        out = np.empty_like(image)
        return into(out, lambda: ndimage.median_filter(image, case.side, output=out, mode="nearest"))


class TesseraMedianCuda(OnDevice):
    name = "tessera"
    module = "tessera"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cupy = self.cupy()
        given, out = cupy.asarray(image), cupy.empty(image.shape, image.dtype)
        return Prepared(lambda: tessera.median_filter(given, case.side, mode="nearest", out=out),
                        lambda: cupy.asnumpy(out))


class CupyMedian(OnDevice):
    name = "cupyx ndimage.median_filter"
    module = "cupy"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cupy = self.cupy()
        given, out = cupy.asarray(image), cupy.empty(image.shape, image.dtype)
        ndimage = library("cupyx.scipy.ndimage")
        return Prepared(lambda: ndimage.median_filter(given, case.side, output=out, mode="nearest"),
                        lambda: cupy.asnumpy(out))


MEDIAN_CONTENDERS: dict[str, list[Contender]] = {
    "cpu": [TesseraMedian(), OpenCvMedian(), ScipyMedian()],
    "cuda": [TesseraMedianCuda(), CupyMedian()],
}
