# SPDX-License-Identifier: Apache-2.0
"""Dask arrays for tests, and comparisons with one call of tessera for the whole array."""
import os
import time

import dask
import dask.array as da
import numpy as np


def three_chunks(shape):
    """Odd pieces both ways, single rows, and one chunk that is larger than the array."""
    return {
        "odd": tuple(max(1, n * 2 // 5) for n in shape),
        "rows": (1, *(-1 for _ in shape[1:])),
        "whole": tuple(n + 9 for n in shape),
    }


def same(made, wanted):
    """Computes a Dask array and compares its bytes, those of NaN included, shape and dtype."""
    assert isinstance(made, da.Array)
    assert (made.shape, made.dtype) == (wanted.shape, wanted.dtype)
    found = made.compute(scheduler="synchronous")
    assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype)
    assert found.tobytes() == np.ascontiguousarray(wanted).tobytes()


def tasks_of(array, name):
    """The keys of the blocks of an operation in a graph."""
    return [key for key in dict(array.__dask_graph__())
            if isinstance(key, tuple) and str(key[0]).startswith(f"tessera-{name}-")]


class CountingSource:
    """An array that remembers which parts were read."""

    def __init__(self, array):
        self.array, self.shape, self.dtype, self.ndim = array, array.shape, array.dtype, array.ndim
        self.read = []

    def __getitem__(self, index):
        part = self.array[index]
        if part.size:  # Dask looks at an empty part to learn what chunks are
            self.read.append(part.shape)
        return part

    def chunked(self, chunks):
        return da.from_array(self, chunks=chunks, meta=np.empty((0,) * self.ndim, self.dtype), name=False,
                             inline_array=True)


class SlowSource:
    """An array whose parts take a while to read; each read leaves a file in a folder that processes share."""

    def __init__(self, array, folder, seconds):
        self.array, self.shape, self.dtype, self.ndim = array, array.shape, array.dtype, array.ndim
        self.folder, self.seconds = str(folder), seconds

    def __getitem__(self, index):
        part = self.array[index]
        if part.size:
            with open(os.path.join(self.folder, f"{os.getpid()}-{time.monotonic_ns()}"), "w"):
                time.sleep(self.seconds)
        return part


def delayed_of(images):
    return [dask.delayed(image) for image in images]
