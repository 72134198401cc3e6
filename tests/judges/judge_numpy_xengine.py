# SPDX-License-Identifier: Apache-2.0
"""NumPy's einsum on xengine: every product of every pair, integers exact to the bit."""
import numpy as np
from judging import Case
from voltage_inputs import record, samples, visibilities

PACKAGES = {"pypi": ["numpy"]}
TOOL = "NumPy"
COMPARED = "xengine: einsum in int64 and double; integrations, averages"


def version() -> str:
    return np.__version__


def plain(data: np.ndarray, average: int) -> np.ndarray:
    """(channels, baselines, p of a, p of b) of one integration, parts by themselves: exact for integers."""
    wide = data.astype(np.int64 if data.dtype.kind == "i" else np.float64)
    real, imaginary = wide[..., 0], wide[..., 1]
    sums = [np.einsum("tcap,tcbq->cabpq", x, y) for x, y in
            ((real, real), (imaginary, imaginary), (imaginary, real), (real, imaginary))]
    full = (sums[0] + sums[1]) + 1j * (sums[2] - sums[3])
    a, b = np.tril_indices(data.shape[2])
    return full[:, a, b].reshape(-1, average, a.size, *full.shape[3:]).sum(1)


def case(kind: str, shape: tuple[int, int, int, int], integrate: int, average: int = 1) -> Case:
    data = samples(kind, 30, shape)

    def theirs(_):
        pieces = [data[first:first + integrate] for first in range(0, shape[0], integrate)]
        return {"visibilities": np.stack([plain(piece, average) for piece in pieces])}

    def ours(folder):
        return {"visibilities": visibilities(folder, record(folder, data, kind), "--integrate", integrate, "--average",
                                             average)}

    # docs/accuracy.md: 259 2^-23 of the sum of |A_i| |A_j|; here of the largest power of an input.
    power = (data.astype(float) ** 2).sum(-1)[:integrate].sum(0).max() * average
    bound = 259 * 2.0**-23 * power if kind == "cf32" else 0.0
    averaged = f", {average} channels averaged" if average > 1 else ""
    return Case(f"{kind}, {shape[2]} antennas, {shape[3]} polarisations, {integrate} of {shape[0]} samples{averaged}",
                theirs, ours, bound)


def cases() -> list[Case]:
    return [case("ci8", (250, 3, 5, 2), 100), case("ci8", (64, 4, 9, 1), 64, average=2),
            case("ci16", (200, 2, 4, 2), 200), case("cf32", (300, 2, 5, 2), 300)]
