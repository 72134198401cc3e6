# SPDX-License-Identifier: Apache-2.0
"""A plane of a radio image convolved from one beam to another by Tessera, by astropy's convolve_fft with the kernel of
radio_beam, and by racs-tools."""
import importlib.util
import sys
import types
from dataclasses import dataclass
from typing import Any

import numpy as np
from peers import Contender, Prepared, TesseraCpu, into, library

import tessera

FROM, PIXEL = (12.0, 9.0, 30.0), 2.5  # arcsec, arcsec, degrees; arcsec
# Of the peak. Sums of FFTs in float are off by 1e-6; radio_beam samples a Gaussian that is 5 pixels wide.
BOUND = 1e-4


@dataclass(frozen=True)
class BeamCase:
    width: int
    height: int
    to: tuple[float, float, float] = (18.0, 15.0, 30.0)
    dtype: str = "float32"
    channels: int = 1

    def name(self) -> str:
        return f"{self.width}x{self.height}, {FROM[0]:g}x{FROM[1]:g} to {self.to[0]:g}x{self.to[1]:g} arcsec"

    def image(self) -> np.ndarray:
        """Noise, and 0 towards the edges: racs-tools takes the sky for periodic."""
        noise = np.random.default_rng(7).standard_normal((self.height, self.width), np.float32)
        edge = int(np.ceil(2 * self.to[0] / PIXEL))
        noise[:edge] = noise[-edge:] = noise[:, :edge] = noise[:, -edge:] = 0
        return noise

    def weights(self, _: np.random.Generator) -> np.ndarray:
        return np.asarray(tessera.beam_kernel(FROM, self.to, PIXEL))

    def bytes(self) -> int:
        return 8 * self.width * self.height

    def flops(self) -> int:
        """None: transforms do not sum over the filter."""
        return 0


def factor(case: BeamCase) -> float:
    """The quotient of the areas of the beams, for values in Jy/beam."""
    return case.to[0] * case.to[1] / (FROM[0] * FROM[1])


def wrong_rows(case: BeamCase, image: np.ndarray, _: np.ndarray, result: np.ndarray) -> float:
    """The worst error over rows of the reference, in units of the bound."""
    half = int(np.ceil(4 * case.to[0] / PIXEL))
    middle = case.height // 2
    part = image[max(0, middle - half):middle + half + 1]
    truth = tessera.beam_smooth(part.astype(float), FROM, case.to, PIXEL, method="reference", backend="cpu")
    row = truth[min(half, middle)]
    return float(abs(row - result[middle]).max() / (BOUND * abs(row).max()))


class TesseraBeam(TesseraCpu):
    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        out = np.empty_like(image)
        options = {"method": self.method, "backend": "cpu", "threads": threads, "out": out}
        return into(out, lambda: tessera.beam_smooth(image, FROM, case.to, PIXEL, **options))


def beam_of(values: tuple[float, float, float]) -> Any:
    units = library("astropy.units")
    return library("radio_beam").Beam(values[0] * units.arcsec, values[1] * units.arcsec, values[2] * units.deg)


class AstropyFft(Contender):
    name = "astropy convolve_fft, kernel of radio_beam"
    module = "astropy"

    def version(self) -> str:
        return f"{super().version()}, radio_beam {library('radio_beam').__version__}"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        units, convolution = library("astropy.units"), library("astropy.convolution")
        kernel = beam_of(case.to).deconvolve(beam_of(FROM)).as_kernel(PIXEL * units.arcsec)
        last: dict[str, np.ndarray] = {}

        def run() -> None:
            last["result"] = factor(case) * convolution.convolve_fft(image, kernel, normalize_kernel=True,
                                                                     allow_huge=True)

        return Prepared(run, lambda: last["result"])


def numba_or_python() -> None:
    """racs-tools compiles one loop, of its own transform of a Gaussian, with numba; without it Python runs the loop."""
    if importlib.util.find_spec("numba") is None and "numba" not in sys.modules:
        stand_in = types.ModuleType("numba")
        stand_in.njit = lambda *args, **_: args[0] if args and callable(args[0]) else lambda function: function
        sys.modules["numba"] = stand_in


class RacsTools(Contender):
    module = "racs_tools"

    def __init__(self, mode: str) -> None:
        self.mode = mode
        self.name = f"racs-tools smooth, {mode}"

    def version(self) -> str:
        numba_or_python()
        library("racs_tools")
        return importlib.import_module("importlib.metadata").version("racs-tools")

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        numba_or_python()
        units, uv = library("astropy.units"), library("racs_tools.convolve_uv")
        old, new, pixel = beam_of(FROM), beam_of(case.to), PIXEL * units.arcsec
        last: dict[str, np.ndarray] = {}

        def run() -> None:
            last["result"] = uv.smooth(image, old, new, pixel, pixel, conv_mode=self.mode)

        return Prepared(run, lambda: last["result"])


BEAM_CONTENDERS = {"cpu": [TesseraBeam(), TesseraBeam("direct"), AstropyFft(), RacsTools("robust"),
                           RacsTools("scipy")], "cuda": []}
