# SPDX-License-Identifier: Apache-2.0
"""Fields of sources for the judges of `tessera sources`, made by NumPy alone, and Tessera's tables of them."""
from pathlib import Path

import numpy as np
from judging import tessera
from noise_inputs import REAL

BEAM = 4.0  # full width at half maximum, in pixels


def smooth_noise(random: np.random.RandomState, rows: int, columns: int, width: float) -> np.ndarray:
    """Normal noise of standard deviation 1, smoothed by a Gaussian of this full width; 0: white."""
    noise = random.normal(size=(rows, columns))
    if width:
        v, u = np.fft.fftfreq(rows)[:, None], np.fft.rfftfreq(columns)
        noise = np.fft.irfft2(np.fft.rfft2(noise) * np.exp(-(np.pi * width) ** 2 * (u * u + v * v) / (4 * np.log(2))),
                              s=noise.shape)
    return noise / noise.std()


def add_source(image: np.ndarray, x: float, y: float, peak: float, major: float, minor: float, angle: float) -> None:
    v, u = np.mgrid[:image.shape[0], :image.shape[1]]
    sine, cosine = np.sin(np.radians(angle)), np.cos(np.radians(angle))
    along, across = -(u - x) * sine + (v - y) * cosine, (u - x) * cosine + (v - y) * sine
    image += peak * np.exp(-4 * np.log(2) * ((along / major) ** 2 + (across / minor) ** 2))


def field(seed: int, count: int, width: float, step: int = 0, most: float = 300,
          extended: bool = True, least: float = 9) -> np.ndarray:
    """Sources on noise of 1: on a grid of `step` pixels, or anywhere (crowded); a quarter is wider than the beam."""
    random = np.random.RandomState(seed)
    side = 256
    image = smooth_noise(random, side, side, width)
    for k in range(count):
        x, y = random.uniform(3, side - 4, 2)
        if step:
            across = side // step
            x, y = (step * (k % across + 0.5) + random.uniform(-4, 4),
                    step * (k // across % across + 0.5) + random.uniform(-4, 4))
        wide = 1 + (extended and k % 4 == 0) * random.uniform(0, 1.5)
        peak = least * (1 - random.uniform(0, 1 - least / most)) ** -1
        add_source(image, x, y, min(peak, most), BEAM * wide, BEAM, random.uniform(-90, 90))
    return image.astype("f4")


def real() -> np.ndarray:
    from astropy.io import fits
    return np.squeeze(fits.getdata(REAL)).astype("f4")


def table(folder: Path, image: np.ndarray | Path, *options: object) -> np.ndarray:
    path = image
    if isinstance(image, np.ndarray):
        path = folder / "in.npy"
        np.save(path, image)
    tessera("sources", path, "-o", folder / "cat.csv", "--quiet", "--force", *options)
    return np.atleast_1d(np.genfromtxt(folder / "cat.csv", delimiter=",", names=True, dtype=None, encoding="utf8"))
