# SPDX-License-Identifier: Apache-2.0
"""Adaptive histogram equalisation of a grey image by Tessera, by scikit-image, whose definition it is, and by OpenCV,
which has another."""
import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
from peers import Contender, OnDevice, Prepared, library

import tessera

TILES, CLIP = 8, 0.01
LEVELS = 1  # largest error that Tessera promises


@dataclass(frozen=True)
class ClaheCase:
    width: int
    height: int
    dtype: str = "uint8"
    channels: int = 1

    def name(self) -> str:
        return f"{self.width}x{self.height} {self.dtype}, clahe of {TILES}x{TILES} tiles, clip {CLIP}"

    def shape(self) -> tuple[int, ...]:
        return self.height, self.width

    def image(self) -> np.ndarray:
        truth(self)  # now, not while a contender is checked
        return grey_scene(self)

    def bytes(self) -> int:
        """Read for the histograms and for the result, which is written."""
        return 3 * self.width * self.height

    def flops(self) -> int:
        return 0

    def weights(self, rng: np.random.Generator) -> np.ndarray:
        return np.empty(0)


@functools.cache
def grey_scene(case: ClaheCase) -> np.ndarray:
    return np.ascontiguousarray(tessera.sample_scene(case.width, case.height, seed=1)[..., 1])


@functools.cache
def truth(case: ClaheCase) -> np.ndarray:
    return tessera.enhance(grey_scene(case), steps="clahe", tiles=(TILES, TILES), clip=CLIP, backend="cpu",
                           method="reference")


def wrong_levels(case: ClaheCase, image: np.ndarray, _: np.ndarray, result: np.ndarray) -> float:
    return float(abs(truth(case).astype(int) - result).max()) / LEVELS


class TesseraClahe(Contender):
    name = "tessera"
    module = "tessera"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        plan = tessera.Enhance(image.shape, image.dtype, steps="clahe", tiles=(TILES, TILES), clip=CLIP, backend="cpu",
                               threads=threads)
        out = np.empty_like(image)
        return Prepared(lambda: plan(image, out), lambda: out)


class SkimageClahe(Contender):
    name = "scikit-image equalize_adapthist (1 thread)"
    module = "skimage"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        equalize = library("skimage.exposure").equalize_adapthist
        tile = (case.height // TILES, case.width // TILES)
        last = {}

        def run() -> None:
            last["result"] = equalize(image, kernel_size=tile, clip_limit=CLIP)

        return Prepared(run, lambda: np.rint(255 * last["result"]).astype(np.uint8))


class OpenCvClahe(Contender):
    name = "opencv createCLAHE"
    other = "clips and interpolates otherwise, does not rescale"
    module = "cv2"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cv2 = library("cv2")
        cv2.setNumThreads(threads or cv2.getNumberOfCPUs())
        clahe = cv2.createCLAHE(CLIP * 256, (TILES, TILES))
        out = np.empty_like(image)
        return Prepared(lambda: clahe.apply(image, out), lambda: out)


class TesseraClaheCuda(OnDevice):
    name = "tessera"
    module = "tessera"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cupy = self.cupy()
        plan = tessera.Enhance(image.shape, image.dtype, steps="clahe", tiles=(TILES, TILES), clip=CLIP, backend="cuda")
        given, out = cupy.asarray(image), cupy.empty(image.shape, image.dtype)
        return Prepared(lambda: plan(given, out), lambda: cupy.asnumpy(out))


CLAHE_CONTENDERS: dict[str, list[Contender]] = {
    "cpu": [TesseraClahe(), SkimageClahe(), OpenCvClahe()],
    "cuda": [TesseraClaheCuda()],
}
