# SPDX-License-Identifier: Apache-2.0
"""The X-engine by Tessera and by products of complex matrices in float: NumPy and SciPy (OpenBLAS), CuPy (cuBLAS).
1024 samples of 8 bits, [time][channel][antenna][polarisation], two polarisations."""
from dataclasses import dataclass
from typing import Any

import numpy as np
from peers import Absent, Contender, OnDevice, Prepared, library

SAMPLES, POLARISATIONS, RMS = 1024, 2, 20
LARGEST = 90  # 2 * 90^2 * 1024 < 2^24: sums in float are exact too


@dataclass(frozen=True)
class XEngineCase:
    antennas: int
    channels: int
    dtype: str = "int8"

    @property
    def inputs(self) -> int:
        return self.antennas * POLARISATIONS

    def name(self) -> str:
        return f"{self.antennas} antennas x {POLARISATIONS}, {self.channels} channels, {SAMPLES} samples of ci8"

    def image(self) -> np.ndarray:
        """[time][channel][antenna][polarisation][re, im]."""
        shape = (SAMPLES, self.channels, self.antennas, POLARISATIONS, 2)
        noise = np.random.default_rng(7).standard_normal(shape, np.float32)
        return np.clip(np.rint(RMS * noise), -LARGEST, LARGEST).astype(np.int8)

    def bytes(self) -> int:
        return self.channels * (2 * self.inputs * SAMPLES + 8 * self.inputs**2 // 2)

    def flops(self) -> int:
        """The useful ones: those of one triangle."""
        return 8 * self.inputs**2 // 2 * self.channels * SAMPLES

    useful = flops

    def weights(self, rng: np.random.Generator) -> np.ndarray:
        return np.empty(0)


def matrices(image: np.ndarray, xp: Any = np) -> Any:
    """complex64, [channel][input][time]: the matrices that BLAS multiplies."""
    samples, channels = image.shape[:2]
    floats = image.reshape(samples, channels, -1).astype(np.float32).view(np.complex64)
    return xp.ascontiguousarray(floats.transpose(1, 2, 0))


def wrong_sums(case: XEngineCase, image: np.ndarray, _: np.ndarray, result: np.ndarray) -> float:
    """The largest error of the lower triangles [channel][i][j] of the first and last channel; 0 is right."""
    worst = 0.0
    for channel in {0, case.channels - 1}:
        given = matrices(image[:, channel:channel + 1])[0].astype(np.complex128)  # below 2^53: exact
        worst = max(worst, float(abs(np.tril(given @ given.conj().T - result[channel])).max()) / 0.5)
    return worst


def lower_triangles(case: XEngineCase, dumped: Any) -> np.ndarray:
    """Tessera's [channel][baseline][p of a][p of b][re, im] as matrices, zero above the blocks of the diagonal."""
    full = np.zeros((case.channels, case.antennas, POLARISATIONS, case.antennas, POLARISATIONS), np.complex128)
    parts = np.asarray(dumped).reshape(case.channels, -1, POLARISATIONS, POLARISATIONS, 2)
    place = 0
    for a in range(case.antennas):
        rows = parts[:, place:place + a + 1]
        full[:, a, :, :a + 1] = (rows[..., 0] + 1j * rows[..., 1]).transpose(0, 2, 1, 3)
        place += a + 1
    return full.reshape(case.channels, case.inputs, case.inputs)


def engine(case: XEngineCase, **options: Any) -> Any:
    tessera = library("tessera")
    if not hasattr(tessera, "XEngine"):
        raise Absent("this tessera has no XEngine")
    return tessera.XEngine(case.antennas, POLARISATIONS, case.channels, samples="ci8", **options)


def one_dump(case: XEngineCase, plan: Any, given: Any, layout: str, on_host: Any) -> Prepared:
    """A block is added and the sums are written, int64."""
    last: dict[str, Any] = {}

    def run() -> None:
        plan.add(given, layout=layout)
        last["sums"] = plan.dump()

    return Prepared(run, lambda: lower_triangles(case, on_host(last["sums"])))


class TesseraXEngine(Contender):
    module = "tessera"
    def __init__(self, method: str = "auto") -> None:
        self.method = method
        self.name = "tessera" if method == "auto" else f"tessera, method {method}"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        plan = engine(case, backend="cpu", method=self.method, threads=threads)
        return one_dump(case, plan, image, "tci", np.asarray)


class TesseraXEngineCuda(OnDevice):
    """From xGPU's order, or from the Tensor-Core Correlator's (tcc), which needs no transposition."""

    module = "tessera"
    def __init__(self, method: str = "auto", layout: str = "tci") -> None:
        self.method, self.layout = method, layout
        self.name = ("tessera" + (f", method {method}" if method != "auto" else "")
                     + (f", layout {layout}" if layout != "tci" else ""))

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cupy = self.cupy()
        if self.layout == "tcc":  # [channel][time / 16][antenna][polarisation][16][re, im]
            grouped = image.reshape(SAMPLES // 16, 16, *image.shape[1:])
            image = np.ascontiguousarray(grouped.transpose(2, 0, 3, 4, 1, 5))
        plan = engine(case, backend="cuda", method=self.method)
        return one_dump(case, plan, cupy.asarray(image), self.layout, cupy.asnumpy)


class FloatProduct(Contender):
    """`converting`: the conversion of bytes to floats is timed too."""

    what = ""

    def __init__(self, converting: bool) -> None:
        self.converting = converting
        self.name = f"{self.what}, {'bytes to floats timed too' if converting else 'from floats'}"

    def given(self, image: np.ndarray) -> Any:
        return matrices(image)

    def multiply(self, given: Any) -> Any:
        raise NotImplementedError

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        ready = None if self.converting else self.given(image)
        last: dict[str, Any] = {}

        def run() -> None:
            last["sums"] = self.multiply(self.given(image) if ready is None else ready)

        return Prepared(run, lambda: np.asarray(last["sums"]))


class NumpyCgemm(FloatProduct):
    what = "numpy cgemm"
    module = "numpy"

    def given(self, image: np.ndarray) -> Any:
        floats = matrices(image)
        return floats, np.ascontiguousarray(floats.conj().transpose(0, 2, 1))

    def multiply(self, given: Any) -> Any:
        return given[0] @ given[1]


class ScipyCherk(FloatProduct):
    what = "scipy cherk"
    module = "scipy"

    def given(self, image: np.ndarray) -> Any:
        floats = image.reshape(*image.shape[:2], -1).astype(np.float32).view(np.complex64)
        # In Fortran's order, so that nothing is copied again.
        return [np.ascontiguousarray(floats[:, c]).T for c in range(floats.shape[1])]

    def multiply(self, given: Any) -> Any:
        cherk = library("scipy.linalg.blas").cherk
        return [cherk(1, channel, lower=1) for channel in given]


class NumpyEinsum(FloatProduct):
    what = "numpy einsum (1 thread)"
    module = "numpy"

    def multiply(self, given: Any) -> Any:
        return np.einsum("cit,cjt->cij", given, given.conj())


class CupyCgemm(OnDevice):
    module = "cupy"
    def __init__(self, converting: bool) -> None:
        self.converting = converting
        self.name = f"cupy cgemm, {'bytes to floats timed too' if converting else 'from floats'}"

    def prepare(self, case: Any, image: np.ndarray, weights: np.ndarray, threads: int) -> Prepared:
        cupy = self.cupy()
        there, last = cupy.asarray(image), {}

        def make() -> tuple[Any, Any]:
            floats = matrices(there, cupy)
            return floats, cupy.ascontiguousarray(floats.conj().transpose(0, 2, 1))

        ready = None if self.converting else make()

        def run() -> None:
            left, right = make() if ready is None else ready
            last["sums"] = cupy.matmul(left, right)

        return Prepared(run, lambda: cupy.asnumpy(last["sums"]))


XENGINE_CONTENDERS: dict[str, list[Contender]] = {
    "cpu": [TesseraXEngine(), TesseraXEngine("dot"), TesseraXEngine("fma"), NumpyCgemm(False), NumpyCgemm(True),
            ScipyCherk(False), ScipyCherk(True), NumpyEinsum(False)],
    "cuda": [TesseraXEngineCuda(), TesseraXEngineCuda(layout="tcc"), TesseraXEngineCuda("wgmma"),
             TesseraXEngineCuda("mma"), TesseraXEngineCuda("dp4a"), CupyCgemm(False), CupyCgemm(True)],
}
