# SPDX-License-Identifier: Apache-2.0
"""Visibilities in plain NumPy, and arrays of voltages in every layout."""
import numpy as np

LIMITS = {"ci8": (-128, 128, "int8"), "ci4": (-8, 8, "int8"), "ci16": (-32768, 32768, "int16")}


def random_voltages(rng, samples, channels, antennas, polarisations, kind="ci8"):
    """(time, channels, antennas, polarisations) as whole numbers or floats in complex128."""
    shape = (samples, channels, antennas, polarisations, 2)
    if kind in LIMITS:
        parts = rng.integers(*LIMITS[kind][:2], shape)
    else:
        parts = rng.normal(0, 3, shape).astype("float16" if kind == "cf16" else "float32")
    return parts[..., 0] + 1j * parts[..., 1]


def full_matrix(voltages, valid=None):
    """V[c, i, j] = sum over t of A_i conj(A_j). Whole numbers are exact below 2^53."""
    samples, channels, antennas, polarisations = voltages.shape
    inputs = voltages.reshape(samples, channels, antennas * polarisations)
    if valid is not None:
        inputs = np.where(valid.reshape(samples, 1, -1), inputs, 0)
    return np.einsum("tci,tcj->cij", inputs, inputs.conj())


def triangle(matrix, polarisations):
    """(channels, baselines, polarisations, polarisations) of a full matrix."""
    antennas = matrix.shape[1] // polarisations
    blocks = matrix.reshape(-1, antennas, polarisations, antennas, polarisations)
    a, b = np.tril_indices(antennas)
    return np.moveaxis(blocks[:, a, :, b], 0, 1)


def as_dtype(voltages, kind):
    """Complex numbers as arrays that Tessera takes."""
    if kind == "cf32":
        return voltages.astype("complex64")
    if kind == "ci4":
        return ((voltages.real.astype(int) & 15) << 4 | voltages.imag.astype(int) & 15).astype("uint8")
    parts = np.stack([voltages.real, voltages.imag], -1)
    return parts.astype("float16" if kind == "cf16" else LIMITS[kind][2])


def in_layout(array, layout):
    """(time, channels, antennas, polarisations[, 2]) in another order, packed."""
    rest = list(range(4, array.ndim))
    orders = {"tci": [0, 1, 2, 3], "cti": [1, 0, 2, 3], "cit": [1, 2, 3, 0], "act": [2, 1, 0, 3]}
    if layout in orders:
        return np.ascontiguousarray(array.transpose(orders[layout] + rest))
    samples, *others = array.shape
    part_bytes = array.itemsize * array[0, 0, 0, 0].size
    group = 4 if layout == "dp4a" else 32 // part_bytes
    grouped = array.reshape(samples // group, group, *others)  # (T, n, c, a, p[, 2])
    order = [0, 2, 3, 4, 5, 1] if layout == "dp4a" else [2, 0, 3, 4, 1] + [axis + 1 for axis in rest]
    return np.ascontiguousarray(grouped.transpose(order))
