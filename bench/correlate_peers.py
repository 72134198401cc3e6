# SPDX-License-Identifier: Apache-2.0
"""Autocorrelation of four planes by Tessera and by the libraries it is compared with: for shifts right and down
the sum over planes, of one image or a batch of them."""
from dataclasses import dataclass
from typing import Any

import numpy as np
from peers import Absent, Contender, OnDevice, Prepared, TesseraCpu, TesseraCuda, into, library

import tessera

PLANES = 4
BOUND = 1e-6  # of the energy, as the direct method promises


@dataclass(frozen=True)
class CorrelateCase:
    width: int
    height: int
    shifts: int
    batch: int = 1
    dtype: str = "float32"
    channels: int = 1

    def name(self) -> str:
        return (f"{self.batch} x {PLANES} planes of {self.width}x{self.height} {self.dtype}, "
                f"shifts {self.shifts}x{self.shifts}")

    def shape(self) -> tuple[int, ...]:
        return self.batch * PLANES, self.height, self.width

    def bytes(self) -> int:
        return 4 * self.batch * (PLANES * self.width * self.height + self.shifts**2)

    def flops(self) -> int:
        """Those of transforms, 5 n log2 n each, at the smallest length that keeps shifts apart: all ways need them."""
        across, down = self.width + self.shifts - 1, self.height + self.shifts - 1
        return int((PLANES + 1) * self.batch * 2.5 * across * down * np.log2(float(across * down)))

    def weights(self, rng: np.random.Generator) -> np.ndarray:
        return np.empty(0)

    def lengths(self, fast: Any) -> tuple[int, int]:
        """Rows and columns of transforms that are fast in a library."""
        return fast(self.height + self.shifts - 1, True), fast(self.width + self.shifts - 1, True)


def wrong_shifts(case: CorrelateCase, images: np.ndarray, _: np.ndarray, result: np.ndarray) -> float:
    """The worst error over shifts of the last image, compared with sums in double, in units of the bound."""
    planes = images[-PLANES:].astype(float)
    last = result.reshape(case.batch, case.shifts, case.shifts)[-1]
    places = [0, 1, case.shifts // 3, case.shifts - 1]
    worst = 0.0
    for dy in places:
        for dx in places:
            truth = (planes[:, dy:, dx:] * planes[:, :case.height - dy, :case.width - dx]).sum()
            worst = max(worst, float(abs(truth - last[dy, dx])))
    return worst / (BOUND * float((planes**2).sum()))


def power_spectra(fft: Any, images: Any, case: CorrelateCase, **options: Any) -> Any:
    """The straight way: transform all planes, add their powers, transform back."""
    lengths = case.lengths(fft.next_fast_len)
    spectra = fft.rfft2(images.reshape(case.batch, PLANES, case.height, case.width), lengths, **options)
    powers = (spectra.real**2 + spectra.imag**2).sum(axis=1)
    return fft.irfft2(powers, lengths, **options)[:, :case.shifts, :case.shifts]


class TesseraCorrelate(TesseraCpu):
    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        shape = (case.batch,) * (case.batch > 1) + (case.shifts, case.shifts)
        out = np.empty(shape, np.float32)
        return into(out, lambda: tessera.correlate(image, out=out, max_shift=case.shifts, batch=case.batch,
                                                   backend="cpu", method=self.method, threads=threads))


def kept_plan(case: CorrelateCase, image: np.ndarray, **options: Any) -> Any:
    if not hasattr(tessera, "Correlate"):
        raise Absent("this tessera has no plan of correlations")
    return tessera.Correlate(image.shape, image.dtype, max_shift=case.shifts, batch=case.batch, **options)


class TesseraCorrelatePlan(TesseraCpu):
    """As in a program with many images: the plan is made once."""

    def __init__(self) -> None:
        super().__init__()
        self.name = "tessera, plan kept"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        plan = kept_plan(case, image, backend="cpu", threads=threads)
        out = np.empty((case.batch,) * (case.batch > 1) + (case.shifts, case.shifts), np.float32)
        return into(out, lambda: plan(image, out=out))


class ScipyFft(Contender):
    name = "scipy.fft power spectra"
    module = "scipy"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        fft = library("scipy.fft")
        last = {}

        def run() -> None:
            last["result"] = power_spectra(fft, image, case, workers=threads or -1)

        return Prepared(run, lambda: last["result"])


class ScipyCorrelate(Contender):
    name = "scipy signal.correlate, method fft (1 thread)"
    module = "scipy"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        correlate = library("scipy.signal").correlate
        planes = image.reshape(case.batch, PLANES, case.height, case.width)
        top, left = case.height - 1, case.width - 1  # the position of shift 0, 0
        last = {}

        def run() -> None:
            last["result"] = np.stack([sum(
                correlate(plane, plane, method="fft")[top:top + case.shifts, left:left + case.shifts] for plane in one)
                for one in planes])

        return Prepared(run, lambda: last["result"])


class TesseraCorrelateCuda(TesseraCuda):
    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cupy = self.cupy()
        shape = (case.batch,) * (case.batch > 1) + (case.shifts, case.shifts)
        given, out = cupy.asarray(image), cupy.empty(shape, np.float32)
        return Prepared(lambda: tessera.correlate(given, out=out, max_shift=case.shifts, batch=case.batch,
                                                  backend="cuda", method=self.method), lambda: cupy.asnumpy(out))


class TesseraCorrelatePlanCuda(TesseraCuda):
    def __init__(self) -> None:
        super().__init__()
        self.name = "tessera, plan kept"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cupy = self.cupy()
        plan = kept_plan(case, image, backend="cuda")
        shape = (case.batch,) * (case.batch > 1) + (case.shifts, case.shifts)
        given, out = cupy.asarray(image), cupy.empty(shape, np.float32)
        return Prepared(lambda: plan(given, out=out), lambda: cupy.asnumpy(out))


class CupyFft(OnDevice):
    name = "cupy fft power spectra"
    module = "cupy"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cupy = self.cupy()
        fft = library("cupyx.scipy.fft")
        given = cupy.asarray(image)
        last = {}

        def run() -> None:
            last["result"] = power_spectra(fft, given, case)

        return Prepared(run, lambda: cupy.asnumpy(last["result"]))


CORRELATE_CONTENDERS: dict[str, list[Contender]] = {
    "cpu": [TesseraCorrelate(), TesseraCorrelatePlan(), TesseraCorrelate("direct"), TesseraCorrelate("fft"),
            ScipyFft(), ScipyCorrelate()],
    "cuda": [TesseraCorrelateCuda(), TesseraCorrelatePlanCuda(), TesseraCorrelateCuda("direct"),
             TesseraCorrelateCuda("fft"), CupyFft()],
}
