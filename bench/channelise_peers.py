# SPDX-License-Identifier: Apache-2.0
"""A polyphase filter bank by Tessera, NumPy and SciPy (pocketfft), and by CuPy in the manner of Bifrost: a kernel that
filters, then cuFFT. Complex samples of 8 bits, [time][antenna][polarisation], 8 taps, two polarisations."""
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from peers import Absent, Contender, OnDevice, Prepared, library

TAPS, POLARISATIONS, RMS = 8, 2, 20
GAIN = 4.0


@dataclass(frozen=True)
class ChanneliseCase:
    antennas: int
    channels: int
    dtype: str = "int8"

    @property
    def inputs(self) -> int:
        return self.antennas * POLARISATIONS

    @property
    def spectra(self) -> int:
        """A few million values per input, in whole groups of the X-engine's samples."""
        return max(16, (1 << 18) // self.channels // 16 * 16)

    @property
    def samples(self) -> int:
        return (self.spectra - 1 + TAPS) * self.channels

    def name(self) -> str:
        return f"{self.antennas} antennas x {POLARISATIONS}, {self.channels} channels, {self.spectra} spectra of ci8"

    def image(self) -> np.ndarray:
        """[time][antenna][polarisation][re, im]."""
        shape = (self.samples, self.antennas, POLARISATIONS, 2)
        noise = np.random.default_rng(7).standard_normal(shape, np.float32)
        return np.clip(np.rint(RMS * noise), -128, 127).astype(np.int8)

    def bytes(self) -> int:
        """Samples of 8 bits and spectra in float, once each."""
        return self.inputs * (2 * self.samples + 8 * self.spectra * self.channels)

    def flops(self) -> int:
        """Real multiply-adds of filter and radix-2 transforms."""
        return self.inputs * self.spectra * self.channels * (4 * TAPS + int(5 * np.log2(self.channels)))

    def weights(self, rng: np.random.Generator) -> np.ndarray:
        """firwin(TAPS * channels, 1 / channels): a sinc in a Hamming window, of sum 1."""
        n = np.arange(TAPS * self.channels) - (TAPS * self.channels - 1) / 2
        h = np.sinc(n / self.channels) * np.hamming(n.size)
        return h / h.sum()


def wrong_spectra_of_band(case: ChanneliseCase, image: np.ndarray, weights: np.ndarray, result: np.ndarray) -> float:
    """The largest error of three spectra of the first and last input, [spectrum][channel][input], in units of 1e-5 of
    the largest value: sums in double."""
    worst = 0.0
    for m in {0, case.spectra // 2, case.spectra - 1}:
        part = image[m * case.channels:(m + TAPS) * case.channels].reshape(-1, case.inputs, 2)[:, [0, -1]]
        values = (part[..., 0] + 1j * part[..., 1].astype(float)) * weights[:, None]
        truth = np.fft.fftshift(np.fft.fft(values.reshape(TAPS, case.channels, 2).sum(0), axis=0), axes=0)
        worst = max(worst, float(abs(result[m][:, [0, -1]] - truth).max() / abs(truth).max()) / 1e-5)
    return worst


def band_options(case: ChanneliseCase, weights: np.ndarray, **more: Any) -> dict[str, Any]:
    return {"channels": case.channels, "taps": TAPS, "coefficients": weights} | more


def by_tessera(case: ChanneliseCase, given: Any, weights: np.ndarray, to_host: Callable[[Any], np.ndarray],
               **options: Any) -> Prepared:
    tessera = library("tessera")
    if not hasattr(tessera, "channelise"):
        raise Absent("this tessera has no channelise")
    last: dict[str, Any] = {}

    def run() -> None:
        last["spectra"] = tessera.channelise(given, "tap", **band_options(case, weights, **options))

    return Prepared(run, lambda: to_host(last["spectra"]).reshape(case.spectra, case.channels, -1))


class TesseraBand(Contender):
    module = "tessera"
    name = "tessera"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        return by_tessera(case, image, weights, np.asarray, backend="cpu", threads=threads)


class TesseraBandCuda(OnDevice):
    module = "tessera"
    name = "tessera"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cupy = self.cupy()
        return by_tessera(case, cupy.asarray(image), weights, cupy.asnumpy, backend="cuda")


class TesseraQuantised(Contender):
    """Spectra of 8 bits, which the X-engine multiplies exactly."""

    module = "tessera"
    name = "tessera, to ci8"
    other = "rounded to 8 bits"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        return by_tessera(case, image, weights, np.asarray, backend="cpu", threads=threads, output_type="ci8",
                          gains=GAIN)


class TesseraQuantisedCuda(OnDevice):
    module = "tessera"
    name = "tessera, to ci8"
    other = "rounded to 8 bits"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cupy = self.cupy()
        return by_tessera(case, cupy.asarray(image), weights, cupy.asnumpy, backend="cuda", output_type="ci8",
                          gains=GAIN)


def x_engine_of(case: ChanneliseCase, given: Any, **options: Any) -> Prepared:
    """The X-engine on as many samples as the band has, as channels of 8 bits: what a filter bank must keep up with."""
    engine = library("tessera").XEngine(case.antennas, POLARISATIONS, case.channels, samples="ci8", **options)
    count = case.spectra * case.channels
    spectra = given[:count].reshape(case.spectra, case.channels, case.antennas, POLARISATIONS, 2)

    def run() -> None:
        engine.add(spectra, layout="tci")

    return Prepared(run, lambda: np.empty(0))


class XEngineBeside(Contender):
    module = "tessera"
    name = "tessera's X-engine on as many samples"
    other = "sums of products of all pairs"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        return x_engine_of(case, image, backend="cpu", threads=threads)


class XEngineBesideCuda(OnDevice):
    module = "tessera"
    name = "tessera's X-engine on as many samples"
    other = "sums of products of all pairs"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        return x_engine_of(case, self.cupy().asarray(image), backend="cuda")


class ArrayBank(Contender):
    """Folded by a sum over taps, transformed, half a turn of the axis: arrays of floats all the way."""

    def __init__(self, module: str) -> None:
        self.module = module
        self.name = f"{module}, sum over taps and fft"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        fft = library("scipy.fft") if self.module == "scipy" else None
        h = weights.astype(np.float32).reshape(TAPS, case.channels, 1)
        last: dict[str, Any] = {}

        def run() -> None:
            floats = image.reshape(case.samples, case.inputs, 2).astype(np.float32).view(np.complex64)[..., 0]
            rows = floats.reshape(-1, case.channels, case.inputs)
            folded = h[0] * rows[:case.spectra]
            for tap in range(1, TAPS):
                folded += h[tap] * rows[tap:tap + case.spectra]
            if fft:
                made = fft.fft(folded, axis=1, overwrite_x=True, workers=threads or -1)
            else:
                made = np.fft.fft(folded, axis=1).astype(np.complex64)
            last["spectra"] = np.fft.fftshift(made, axes=1)

        return Prepared(run, lambda: last["spectra"])


FOLD = r"""
extern "C" __global__ void fold(const char2* x, const float* h, float2* y, long long values, int channels, int inputs,
                                int taps) {
  const long long at = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (at >= values) return;
  const int n = at / inputs % channels;
  float2 sum = {0, 0};
  for (int tap = 0; tap < taps; ++tap) {
    const char2 v = x[at + (long long)tap * channels * inputs];
    const float w = h[tap * channels + n];
    sum.x += w * v.x;
    sum.y += w * v.y;
  }
  y[at] = sum;
}
"""


class CupyBank(OnDevice):
    """A thread per value filters, then cuFFT and half a turn of the axis."""

    module = "cupy"
    name = "cupy, kernel and cufft"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cupy = self.cupy()
        there, h = cupy.asarray(image), cupy.asarray(weights.astype(np.float32))
        shape = (case.spectra, case.channels, case.inputs)
        folded, values = cupy.empty(shape, cupy.complex64), int(np.prod(shape))
        kernel, last = cupy.RawKernel(FOLD, "fold"), {}

        def run() -> None:
            kernel(((values + 255) // 256,), (256,), (there, h, folded, np.int64(values), np.int32(case.channels),
                                                     np.int32(case.inputs), np.int32(TAPS)))
            last["spectra"] = cupy.fft.fftshift(cupy.fft.fft(folded, axis=1), axes=1)

        return Prepared(run, lambda: cupy.asnumpy(last["spectra"]))


CHANNELISE_CONTENDERS: dict[str, list[Contender]] = {
    "cpu": [TesseraBand(), TesseraQuantised(), XEngineBeside(), ArrayBank("numpy"), ArrayBank("scipy")],
    "cuda": [TesseraBandCuda(), TesseraQuantisedCuda(), XEngineBesideCuda(), CupyBank()],
}
