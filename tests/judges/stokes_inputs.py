# SPDX-License-Identifier: Apache-2.0
"""Cubes of Stokes I for the judges of fits, and Tessera's answers to them. Not a judge itself."""
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from judging import Arrays, tessera

# Fits of two tools end within 1e-4 of the errors of each other, and float rounds them: errors of the
# coefficients of the faintest pixel are 4e-3, 0.14 and 3; those of log errors are differences of derivatives.
BOUNDS = {"coefficients": 3e-4, "log errors": 1e-4, "model": 3e-6, "reference": 128.0, "log covariance": 2e-3}


@dataclass(frozen=True)
class StokesSky:
    frequency: np.ndarray
    i: np.ndarray
    sigma: np.ndarray

    def write(self, folder: Path) -> list[Path]:
        """The arguments of `tessera faraday fit-i`, and the file of the noise."""
        paths = [folder / name for name in ("i.npy", "frequencies.txt", "noise.txt")]
        np.save(paths[0], self.i)
        np.savetxt(paths[1], self.frequency, fmt="%.17g")
        np.savetxt(paths[2], self.sigma, fmt="%.17g")
        return paths


def stokes_sky(rows: int = 3, columns: int = 6, bad_channel: bool = False) -> StokesSky:
    """In float: curved power laws of 5 to 50 times the noise of a channel, 36 channels of 1.1 to 1.7 GHz, noise that
    differs between channels. The first row lacks channels; the last pixel is noise."""
    random = np.random.RandomState(26)
    frequency = np.linspace(1.1e9, 1.7e9, 36)
    sigma = 0.02 * (1 + 0.3 * np.cos(np.arange(36)))
    flux = np.geomspace(0.1, 1, rows * columns).reshape(rows, columns)
    index, curve = random.uniform(-1.5, 0.5, (2, rows, columns))
    power = np.log10(frequency / 1.4e9)[:, None, None]
    i = flux * 10 ** (index * power + curve * power**2)
    i[:, -1, -1] = 0
    i = i + random.standard_normal(i.shape) * sigma[:, None, None]
    i[20:, 0, :2] = np.nan
    i[5, 0, 2:] = np.nan
    if bad_channel:
        i[9, 1:] += 0.5
    return StokesSky(frequency, i.astype("f4"), sigma)


def fitted(folder: Path, data: StokesSky, *options: object) -> Path:
    """Runs fit-i and returns the prefix of its files."""
    *inputs, sigma = data.write(folder)
    tessera("faraday", "fit-i", *inputs, "-o", folder / "m_", "-n", sigma, "--quiet", *options)
    return folder / "m_"


def load_fit(prefix: Path, order: int) -> Arrays:
    """Coefficients c0 to c`order` and what belongs to them."""
    def load(name):
        return np.load(f"{prefix}{name}.npy")
    return {"coefficients": np.stack([load(f"coeff{k}") for k in range(order + 1)]),
            "log errors": log_of([load(f"coeff{k}err") for k in range(order + 1)]), "model": load("model.i")}


def log_of(errors) -> np.ndarray:
    """Natural logarithms, 0 for errors of 0: of coefficients that a fit does not have."""
    values = np.stack(errors).astype(float)
    return np.log(np.where(values == 0, 1, np.abs(values)))
