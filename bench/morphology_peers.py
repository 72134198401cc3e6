# SPDX-License-Identifier: Apache-2.0
"""Erosion by Tessera and by the libraries it is compared with; pixels outside do not count."""
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from peers import Absent, Contender, OnDevice, Prepared, into, library

import tessera

ELEMENTS = ["box:3x3", "box:5x5", "box:15x15", "box:63x63", "disk:3", "disk:12"]


@dataclass(frozen=True)
class MorphologyCase:
    width: int
    height: int
    dtype: str
    element: str
    channels: int = 1

    def name(self) -> str:
        return f"{self.width}x{self.height} {self.dtype} by {self.element}"

    def shape(self) -> tuple[int, ...]:
        return self.height, self.width

    def bytes(self) -> int:
        return 2 * self.width * self.height * np.dtype(self.dtype).itemsize

    def flops(self) -> int:
        return 0

    def weights(self, rng: np.random.Generator) -> np.ndarray:
        return tessera.named_element(self.element)


def wrong_pixels(case: MorphologyCase, image: np.ndarray, element: np.ndarray, result: np.ndarray) -> float:
    """The number of pixels of three windows (two corners, the middle) that differ from the reference."""
    height, width = min(case.height, 128), min(case.width, 128)
    wrong = 0
    for y in {0, (case.height - height) // 2, case.height - height}:
        x = y * (case.width - width) // max(1, case.height - height)
        top, left = max(0, y - element.shape[0]), max(0, x - element.shape[1])
        part = image[top:y + height + element.shape[0], left:x + width + element.shape[1]]
        truth = tessera.erode(part, element, method="reference", backend="cpu")
        truth = truth[y - top:y - top + height, x - left:x - left + width]
        wrong += int((truth != result[y:y + height, x:x + width]).sum())
    return 2.0 * wrong


class TesseraErode(Contender):
    name = "tessera"
    module = "tessera"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        plan = tessera.Erode(image.shape, image.dtype, weights, backend="cpu", threads=threads)
        out = np.empty_like(image)
        return into(out, lambda: plan(image, out))


class OpenCvErode(Contender):
    name = "opencv erode"
    module = "cv2"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cv2 = library("cv2")
        cv2.setNumThreads(threads or cv2.getNumberOfCPUs())
        out = np.empty_like(image)
        return into(out, lambda: cv2.erode(image, weights, out))


def grey_erosion(ndimage: Any, weights: Any, full: bool) -> Callable[..., Any]:
    """Both lack our border; repeating the edge does not change a minimum of boxes and disks."""
    shape = {"size": weights.shape} if full else {"footprint": weights}
    return lambda image, out: ndimage.grey_erosion(image, output=out, mode="nearest", **shape)


class ScipyErode(Contender):
    name = "scipy ndimage.grey_erosion (1 thread)"
    module = "scipy"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        erode = grey_erosion(library("scipy.ndimage"), weights, bool(weights.all()))
        out = np.empty_like(image)
        return into(out, lambda: erode(image, out))


class TesseraErodeCuda(OnDevice):
    name = "tessera"
    module = "tessera"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cupy = self.cupy()
        plan = tessera.Erode(image.shape, image.dtype, weights, backend="cuda")
        given, out = cupy.asarray(image), cupy.empty(image.shape, image.dtype)
        return Prepared(lambda: plan(given, out), lambda: cupy.asnumpy(out))


class CupyErode(OnDevice):
    name = "cupyx ndimage.grey_erosion"
    module = "cupy"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cupy = self.cupy()
        given, out = cupy.asarray(image), cupy.empty(image.shape, image.dtype)
        erode = grey_erosion(library("cupyx.scipy.ndimage"), cupy.asarray(weights), bool(weights.all()))
        return Prepared(lambda: erode(given, out), lambda: cupy.asnumpy(out))


class OpenCvCudaErode(OnDevice):
    name = "opencv cuda erode"
    module = "cv2"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cv2 = library("cv2")
        if not cv2.cuda.getCudaEnabledDeviceCount():
            raise Absent("this OpenCV was built without CUDA")
        given, out = cv2.cuda_GpuMat(image), cv2.cuda_GpuMat(image)
        kind = cv2.CV_8U if image.dtype == np.uint8 else cv2.CV_32F
        filtered = cv2.cuda.createMorphologyFilter(cv2.MORPH_ERODE, kind, weights)
        return Prepared(lambda: filtered.apply(given, out), out.download)


MORPHOLOGY_CONTENDERS: dict[str, list[Contender]] = {
    "cpu": [TesseraErode(), OpenCvErode(), ScipyErode()],
    "cuda": [TesseraErodeCuda(), CupyErode(), OpenCvCudaErode()],
}
