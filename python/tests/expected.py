# SPDX-License-Identifier: Apache-2.0
"""The results that convolve should give, from SciPy or from arithmetic, in double."""
import numpy as np
from scipy import ndimage, signal

# Our name of a border -> scipy.ndimage's
SCIPY_MODES = {
    "constant": "constant",
    "replicate": "nearest",
    "reflect": "reflect",
    "reflect-101": "mirror",
    "wrap": "wrap",
}
BORDERS = [*SCIPY_MODES, "valid", "inside"]


def correlate(image, weights, border="reflect-101", constant=0.0, anchor=None):
    """One channel, in double."""
    image = np.asarray(image, float)
    weights = np.asarray(weights, float)
    if border == "valid":
        return signal.correlate2d(image, weights, mode="valid")
    anchor = anchor or [n // 2 for n in weights.shape]
    origin = [a - n // 2 for a, n in zip(anchor, weights.shape, strict=True)]
    if border != "inside":
        return ndimage.correlate(image, weights, mode=SCIPY_MODES[border], cval=constant, origin=origin)
    sums = ndimage.correlate(image, weights, mode="constant", origin=origin)
    inside = ndimage.correlate(np.ones_like(image), abs(weights), mode="constant", origin=origin)
    return np.divide(sums * abs(weights).sum(), inside, out=np.zeros_like(sums), where=inside > 0)


def bound(image, weights, constant=0.0, scale=1.0, double=False):
    """How far a result may be from the truth: 2 n eps scale sum|filter| max|in|."""
    eps = np.finfo(float if double else np.float32).eps
    largest = max(abs(np.asarray(image, float)).max(), abs(constant))
    return 2 * np.size(weights) * eps * abs(scale) * abs(np.asarray(weights, float)).sum() * largest


def assert_close(actual, expected, tolerance):
    """Integers may also be half a step off, by rounding, and are saturated."""
    assert actual.shape == expected.shape
    if actual.dtype.kind == "u":
        expected = np.clip(expected, 0, np.iinfo(actual.dtype).max)
        tolerance += 0.5
    worst = abs(actual.astype(float) - expected).max(initial=0)
    assert worst <= tolerance, f"{worst} apart, {tolerance} allowed"


def random_image(rng, shape, dtype):
    dtype = np.dtype(dtype)
    if dtype.kind in "iu":
        return rng.integers(np.iinfo(dtype).min, np.iinfo(dtype).max, shape, dtype, endpoint=True)
    return rng.uniform(-1, 1, shape).astype(dtype)
