# SPDX-License-Identifier: Apache-2.0
"""Small inputs of the judges. RandomState gives the same numbers in every version of NumPy, unlike default_rng."""
import numpy as np

# Tessera's name of a border, and SciPy's and OpenCV's of the same rule.
SCIPY_BORDERS = {"reflect-101": "mirror", "reflect": "reflect", "replicate": "nearest", "constant": "constant",
                 "wrap": "wrap"}
OPENCV_BORDERS = {"reflect-101": "BORDER_REFLECT_101", "reflect": "BORDER_REFLECT", "replicate": "BORDER_REPLICATE",
                  "constant": "BORDER_CONSTANT"}


def grey(dtype: str, seed: int, rows: int = 17, columns: int = 22) -> np.ndarray:
    """Noise over the whole range of an integer type; normal numbers for floats."""
    random = np.random.RandomState(seed)
    if np.dtype(dtype).kind == "u":
        return random.randint(0, np.iinfo(dtype).max + 1, (rows, columns)).astype(dtype)
    return random.standard_normal((rows, columns)).astype(dtype)


def scene(dtype: str, seed: int, rows: int, columns: int, channels: int = 1) -> np.ndarray:
    """A dark picture with a slope, a bright disk and some noise: its histogram is far from flat."""
    random = np.random.RandomState(seed)
    y, x = np.mgrid[:rows, :columns]
    disk = (x - columns / 3) ** 2 + (y - rows / 2) ** 2 < (rows / 5) ** 2
    parts = [0.1 + 0.3 * x / columns + 0.1 * c * y / rows + 0.25 * disk + 0.03 * random.standard_normal((rows, columns))
             for c in range(channels)]
    values = np.clip(np.stack(parts, -1), 0, 1) * np.iinfo(dtype).max
    return np.squeeze(values.round().astype(dtype), -1) if channels == 1 else values.round().astype(dtype)


def weights(rows: int, columns: int, seed: int, divisor: int = 1) -> np.ndarray:
    """Whole numbers from -8 to 8, divided by a power of two: their sums with 16-bit pixels are exact in float."""
    return np.random.RandomState(seed).randint(-8, 9, (rows, columns)) / divisor


def element(rows: int, columns: int, seed: int) -> np.ndarray:
    """A flat element without symmetry that contains its middle."""
    pixels = np.random.RandomState(seed).randint(0, 2, (rows, columns)).astype(np.uint8)
    pixels[rows // 2, columns // 2] = 1
    return pixels
