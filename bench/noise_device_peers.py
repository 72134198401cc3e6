# SPDX-License-Identifier: Apache-2.0
"""Background and noise on a device: Tessera and CuPy."""
from typing import Any

import numpy as np
from noise_peers import NOISE_ON_CPU, TRIAL, Percentile, TesseraNoise, kept_to, percentile_error, tried
from peers import Contender, OnDevice, Prepared, library

import tessera


class TesseraNoiseCuda(TesseraNoise, OnDevice):
    backend = "cuda"

    def __init__(self, mode: str = "exact") -> None:
        super().__init__(mode)
        if mode == "grid":
            self.other += ", drawn on the host: with the copies there and back"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cupy = self.cupy()
        plan = self.plan(case, image, backend="cuda")
        given, out = cupy.asarray(image), cupy.empty((2, *image.shape), np.float32)
        return self.kept(case, image, Prepared(lambda: plan(given, out=out), lambda: cupy.asnumpy(out)))


class CupyPercentile(OnDevice):
    name = "cupyx ndimage.percentile_filter"
    other = Percentile.other
    module = "cupy"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cupy, ndimage = self.cupy(), library("cupyx.scipy.ndimage")
        given, out = cupy.asarray(image), cupy.empty(image.shape, image.dtype)
        work = lambda part: (ndimage.percentile_filter(part, 25, case.box), cupy.cuda.Device().synchronize())
        work(given[:TRIAL, :TRIAL])  # compiles; a part of an image has a different kernel than the whole
        tried(work, given)
        ready = Prepared(lambda: ndimage.percentile_filter(given, 25, case.box, output=out), lambda: cupy.asnumpy(out))
        return kept_to(ready, lambda result: percentile_error(case, image, result))


class TesseraPercentileCuda(OnDevice):
    name = "tessera percentile_filter"
    other = Percentile.other
    module = "tessera"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cupy = self.cupy()
        given, out = cupy.asarray(image), cupy.empty(image.shape, image.dtype)
        ready = Prepared(lambda: tessera.percentile_filter(given, 25, case.box, out=out), lambda: cupy.asnumpy(out))
        return kept_to(ready, lambda result: percentile_error(case, image, result))


NOISE_CONTENDERS: dict[str, list[Contender]] = {
    "cpu": NOISE_ON_CPU,
    "cuda": [TesseraNoiseCuda(), TesseraNoiseCuda("binned"), TesseraNoiseCuda("grid"), TesseraPercentileCuda(),
             CupyPercentile()],
}
