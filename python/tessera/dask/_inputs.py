# SPDX-License-Identifier: Apache-2.0
"""Inputs: Dask arrays, or paths of arrays that tasks open themselves."""
from __future__ import annotations

import math
import os
from typing import Any

import dask.array as da
import numpy as np


class ArrayFile:
    """An NPY file or a Zarr array. Tasks carry its path and read their own part."""

    def __init__(self, what: str, path: str | os.PathLike[str]) -> None:
        name = os.fspath(path)
        self.what = what
        self.path = name if "://" in name else os.path.abspath(name)
        array = self.open()
        self.shape, self.dtype, self.ndim = tuple(array.shape), np.dtype(array.dtype), len(array.shape)
        self.chunks = getattr(array, "chunks", None)

    def open(self) -> Any:
        if self.path.endswith(".npy") and "://" not in self.path:
            return np.load(self.path, mmap_mode="r")
        try:
            import zarr
        except ImportError as error:
            raise ImportError(f"{self.what}: {self.path} is read as Zarr, which is not installed: "
                              "pip install zarr") from error
        if "://" not in self.path and not os.path.exists(self.path):
            raise FileNotFoundError(f"{self.what}: {self.path} does not exist")
        try:
            return zarr.open_array(self.path, mode="r")
        except Exception as error:
            raise ValueError(f"{self.what}: {self.path} is neither an NPY file, whose name ends with .npy, nor a "
                             "Zarr array") from error

    def __getitem__(self, index: Any) -> np.ndarray:
        return np.asarray(self.open()[index])

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        try:
            found = os.stat(self.path)
        except OSError:
            return (self.path, self.shape, str(self.dtype))
        return (self.path, self.shape, str(self.dtype), found.st_mtime_ns, found.st_size)


_files: dict[str, ArrayFile] = {}


def file_of(array: da.Array) -> ArrayFile | None:
    """The file that an array of dask_array shows, for tasks that read their own part of it."""
    return _files.get(array.name)


def dask_array(what: str, given: Any) -> da.Array:
    """`given` as a Dask array of known size whose chunks are NumPy arrays; `what` begins messages."""
    if isinstance(given, str | os.PathLike):
        file = ArrayFile(what, given)
        given = da.from_array(file, chunks=file.chunks or "auto", inline_array=True)
        _files[given.name] = file
    if not isinstance(given, da.Array):
        raise TypeError(f"{what} is {_kind_of(given)}; give a Dask array, such as dask.array.from_array(array, "
                        "chunks=(512, -1)), or the path of an NPY file or a Zarr array")
    if any(math.isnan(extent) for chunks in given.chunks for extent in chunks):
        raise ValueError(f"{what} has chunks of unknown size; call compute_chunk_sizes() on it first")
    if not isinstance(given._meta, np.ndarray) or isinstance(given._meta, np.ma.MaskedArray):
        raise TypeError(f"{what} has chunks of {type(given._meta).__module__}.{type(given._meta).__qualname__}; "
                        "chunks can be NumPy arrays without masks")
    return given


def _kind_of(given: Any) -> str:
    kind = type(given)
    return f"a {kind.__module__}.{kind.__qualname__}".replace("builtins.", "")


def checked_axis(what: str, axis: Any, axes: int) -> int:
    """The axis counted from 0."""
    if not isinstance(axis, int | np.integer) or isinstance(axis, bool):
        raise TypeError(f"{what} is {axis!r}; give a whole number")
    if not -axes <= axis < axes:
        raise ValueError(f"{what} is {axis}; the array has {axes} axes")
    return int(axis) % axes


def free_of(what: str, options: dict[str, Any], *names: str) -> None:
    """Refuses options that have no place in a graph."""
    for name in names:
        if name in options:
            raise TypeError(f"{what} has no option '{name}': a Dask array is the result, and compute() or store() "
                            "says where it goes" if name in ("out", "output") else f"{what} has no option '{name}'")
