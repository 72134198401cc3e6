# SPDX-License-Identifier: Apache-2.0
"""Rotation measure synthesis and RM-CLEAN by Tessera, by products of NumPy and CuPy, and by RM-Tools: 300 channels
to 401 depths; and spectra of 401 depths that need 12 components each."""
import importlib.util
import sys
import types
from dataclasses import dataclass
from typing import Any

import numpy as np
from peers import Absent, Contender, OnDevice, Prepared, TesseraCpu, TesseraCuda, library

import tessera

CHANNELS, DEPTHS, STEP = 300, 401, 5.0
FREQUENCY = np.linspace(0.8e9, 1.088e9, CHANNELS)
LAMBDA2 = (299792458.0 / FREQUENCY)**2
DISTANCE = LAMBDA2 - LAMBDA2.mean()
PHI = STEP * (np.arange(DEPTHS) - DEPTHS // 2)
PHI2 = STEP * (np.arange(2 * DEPTHS + 1) - DEPTHS)  # of the RMSF: twice as wide
GAIN, CUTOFF = 0.1, 0.29  # 0.9^12 = 0.282 of a source of 1 is left after 12 components
SYNTH_BOUND = 1e-5  # of a pixel's mean |Q + i U|, as every method promises
CLEAN_BOUND = 1e-4  # of the peak


def turns() -> np.ndarray:
    """exp(-2i phi d) / channels, depths by channels."""
    return np.exp(-2j * np.outer(PHI, DISTANCE)) / CHANNELS


def rmsf() -> np.ndarray:
    return np.exp(-2j * np.outer(PHI2, DISTANCE)).mean(axis=1)


@dataclass(frozen=True)
class FaradayCase:
    width: int
    height: int
    part: str = "synth"
    dtype: str = "float32"
    channels: int = 1

    def name(self) -> str:
        what = f"{CHANNELS} channels of" if self.part == "synth" else "RM-CLEAN, 12 components a pixel,"
        return f"{what} {self.width}x{self.height}, {DEPTHS} depths"

    def image(self) -> np.ndarray:
        """Q + i U for synthesis, dirty spectra for CLEAN; complex64."""
        rng = np.random.default_rng(7)
        if self.part == "synth":
            parts = rng.standard_normal((2, CHANNELS, self.height, self.width), np.float32)
            return parts[0] + np.complex64(1j) * parts[1]
        centres = rng.integers(50, DEPTHS - 50, (self.height, self.width))
        beams = rmsf().astype(np.complex64)
        return beams[DEPTHS + np.arange(DEPTHS)[:, None, None] - centres[None]]

    def bytes(self) -> int:
        planes = CHANNELS + DEPTHS if self.part == "synth" else 2 * DEPTHS
        return 8 * planes * self.width * self.height

    def flops(self) -> int:
        """Those of the plain sum, also for an NUFFT; for CLEAN one complex product per depth and component."""
        return 8 * DEPTHS * self.width * self.height * (CHANNELS if self.part == "synth" else 12)

    def weights(self, rng: np.random.Generator) -> np.ndarray:
        return np.empty(0)


def cleaned(dirty: np.ndarray) -> np.ndarray:
    """One spectrum, in double, as written in the papers."""
    residual, components, lobes = dirty.astype(complex), np.zeros(DEPTHS, complex), rmsf()
    while abs(residual).max() >= CUTOFF:
        p = abs(residual).argmax()
        part = GAIN * residual[p]
        components[p] += part
        residual = residual - part * lobes[DEPTHS - p:2 * DEPTHS - p]
    width = tessera.faraday_rmsf(tessera.faraday_axes(FREQUENCY, phi=PHI)).fwhm
    beams = np.exp(-4 * np.log(2) * (PHI[:, None] - PHI[None])**2 / width**2)
    return beams @ components + residual


def wrong_spectra(case: FaradayCase, image: np.ndarray, _: np.ndarray, result: np.ndarray) -> float:
    """The worst error over some pixels, in units of the bound."""
    worst = 0.0
    for y, x in {(0, 0), (case.height // 3, case.width // 2), (case.height - 1, case.width - 1)}:
        given = image[:, y, x].astype(complex)
        if case.part == "synth":
            error = abs(turns() @ given - result[:, y, x]).max() / (SYNTH_BOUND * abs(given).mean())
        else:
            error = abs(cleaned(given) - result[:, y, x]).max() / (CLEAN_BOUND * abs(given).max())
        worst = max(worst, float(error))
    return worst


def only(case: FaradayCase, part: str) -> None:
    if case.part != part:
        raise Absent(f"it does only {part}")


def tessera_work(case: FaradayCase, backend: str, method: str, threads: int, image: Any, xp: Any) -> Prepared:
    """On arrays of NumPy or CuPy; plans are made once."""
    axes = tessera.faraday_axes(FREQUENCY, phi=PHI)
    options: dict[str, Any] = {"backend": backend, "method": method}
    if backend == "cpu":
        options["threads"] = threads
    on_host = (lambda a: a) if xp is np else xp.asnumpy
    if case.part == "synth":
        q, u = xp.ascontiguousarray(image.real), xp.ascontiguousarray(image.imag)
        out = xp.empty((DEPTHS, case.height, case.width), np.complex64)
        plan = tessera.FaradaySynth(q.shape, q.dtype, axes, **options)
        return Prepared(lambda: plan(q, u, out), lambda: on_host(out))
    clean = tessera.FaradayClean(image.shape, image.dtype, tessera.faraday_rmsf(axes), CUTOFF, gain=GAIN, **options)
    last: dict[str, Any] = {}

    def run() -> None:
        last["result"] = clean(image).clean

    return Prepared(run, lambda: on_host(last["result"]))


class TesseraFaraday(TesseraCpu):
    def __init__(self, method: str = "auto", part: str = "") -> None:
        super().__init__(method)
        self.part = part

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        if self.part:
            only(case, self.part)
        return tessera_work(case, "cpu", self.method, threads, image, np)


class TesseraFaradayCuda(TesseraCuda):
    def __init__(self, method: str = "auto", part: str = "") -> None:
        super().__init__(method)
        self.part = part

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        if self.part:
            only(case, self.part)
        cupy = self.cupy()
        return tessera_work(case, "cuda", self.method, threads, cupy.asarray(image), cupy)


class NumpySynth(Contender):
    """`work` gives a function that makes spectra of (channels, pixels)."""

    module = "numpy"
    def work(self, given: np.ndarray) -> Any:
        raise NotImplementedError

    def spectra(self, made: np.ndarray) -> np.ndarray:
        return made

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        only(case, "synth")
        work = self.work(image.reshape(CHANNELS, -1))
        last: dict[str, np.ndarray] = {}

        def run() -> None:
            last["made"] = work()

        return Prepared(run, lambda: self.spectra(last["made"]).reshape(DEPTHS, case.height, case.width))


class NumpyReal(NumpySynth):
    name = "numpy sgemm, Q and U stacked"

    def work(self, given: np.ndarray) -> Any:
        turn = turns()
        matrix = np.block([[turn.real, -turn.imag], [turn.imag, turn.real]]).astype(np.float32)
        stacked = np.concatenate([given.real, given.imag])
        return lambda: matrix @ stacked

    def spectra(self, made: np.ndarray) -> np.ndarray:
        return made[:DEPTHS] + 1j * made[DEPTHS:]


class NumpyComplex(NumpySynth):
    name = "numpy cgemm"

    def work(self, given: np.ndarray) -> Any:
        matrix = turns().astype(np.complex64)
        return lambda: matrix @ given


class NumpyLoop(NumpySynth):
    name = "numpy, one sum per depth (1 thread)"

    def work(self, given: np.ndarray) -> Any:
        matrix = turns().astype(np.complex64)
        return lambda: np.stack([(row[:, None] * given).sum(axis=0) for row in matrix])


def rm_tools() -> Any:
    """Its module imports FINUFFT, which CLEAN does not use: an empty one stands in while it is imported."""
    if importlib.util.find_spec("finufft") is not None:
        return library("RMutils.util_RM")
    sys.modules["finufft"] = types.ModuleType("finufft")
    try:
        return library("RMutils.util_RM")
    finally:
        del sys.modules["finufft"]


def rm_tools_version() -> str:
    rm_tools()
    metadata = library("importlib.metadata")
    try:
        return str(metadata.version("RM-Tools"))
    except metadata.PackageNotFoundError:
        return "?"


class RmToolsSynth(Contender):
    name = "RM-Tools do_rmsynth_planes"

    def version(self) -> str:
        return rm_tools_version()

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        only(case, "synth")
        library("finufft")
        rm = rm_tools()
        q, u = np.ascontiguousarray(image.real), np.ascontiguousarray(image.imag)
        last: dict[str, np.ndarray] = {}

        def run() -> None:
            last["result"] = rm.do_rmsynth_planes(q, u, LAMBDA2, PHI, log=lambda _: None)[0]

        return Prepared(run, lambda: last["result"])


class RmToolsClean(Contender):
    name = "RM-Tools do_rmclean_hogbom (1 thread)"

    def version(self) -> str:
        return rm_tools_version()

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        only(case, "clean")
        rm = rm_tools()
        lobes = np.broadcast_to(rmsf().astype(np.complex64)[:, None, None], (len(PHI2), *image.shape[1:]))
        widths = np.full(image.shape[1:], tessera.faraday_rmsf(tessera.faraday_axes(FREQUENCY, phi=PHI)).fwhm)
        last: dict[str, np.ndarray] = {}

        def run() -> None:  # with its default window it continues to the maximum number of iterations
            last["result"] = rm.do_rmclean_hogbom(image, PHI, lobes, PHI2, widths, CUTOFF, gain=GAIN, window=np.nan,
                                                  log=lambda *_, **__: None)[0]

        return Prepared(run, lambda: last["result"])


class CupyComplex(OnDevice):
    name = "cupy cgemm"
    module = "cupy"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        only(case, "synth")
        cupy = self.cupy()
        matrix, given = cupy.asarray(turns().astype(np.complex64)), cupy.asarray(image.reshape(CHANNELS, -1))
        out = cupy.empty((DEPTHS, case.width * case.height), np.complex64)
        return Prepared(lambda: cupy.matmul(matrix, given, out=out),
                        lambda: cupy.asnumpy(out).reshape(DEPTHS, case.height, case.width))


FARADAY_CONTENDERS: dict[str, list[Contender]] = {
    "cpu": [TesseraFaraday(), TesseraFaraday("direct", "synth"), TesseraFaraday("gemm", "synth"),
            TesseraFaraday("nufft", "synth"), NumpyReal(), NumpyComplex(), NumpyLoop(), RmToolsSynth(), RmToolsClean()],
    "cuda": [TesseraFaradayCuda(), TesseraFaradayCuda("gemm", "synth"), TesseraFaradayCuda("nufft", "synth"),
             CupyComplex()],
}
