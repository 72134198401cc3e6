# SPDX-License-Identifier: Apache-2.0
"""Graphs: one task per block of a result, which gets its own part of every input and no more."""
from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import dask.array as da
import numpy as np
from dask.base import tokenize
from dask.delayed import Delayed
from dask.highlevelgraph import HighLevelGraph

from ._inputs import ArrayFile, file_of

Range = tuple[int, int]


class Blocks:
    """Tasks of one operation, collected until they become arrays. `identity` is all that determines results besides
    the parts of inputs."""

    def __init__(self, operation: str, *identity: Any) -> None:
        self.name = f"tessera-{operation}-{tokenize(*identity)}"
        self.tasks: dict[Any, Any] = {}
        self.inputs: dict[str, Any] = {}

    def constant(self, label: str, value: Any) -> str:
        """A value that all tasks share, sent to a worker once."""
        key = f"{self.name}-{label}"
        self.tasks[key] = (_same, _Held(value))
        return key

    def delayed(self, value: Delayed) -> Any:
        """The key of a Delayed."""
        self.inputs[value.key] = value
        return value.key

    def part(self, array: da.Array, ranges: Sequence[Range | None]) -> tuple[Any, ...]:
        """A task for a part of an array, all of it along axes with None: sliced where the chunks are, so that only
        the part travels."""
        index = tuple(slice(None) if r is None else slice(*r) for r in ranges)
        if file := file_of(array):
            return (read_part, self.constant(f"file-{array.name}", file), _Held(index))
        whole = all(r is None or r == (0, n) for r, n in zip(ranges, array.shape, strict=True))
        part = array if whole else array[index]
        self.inputs[part.name] = part
        return (join_chunks, part.__dask_keys__(), part.ndim)

    def rows(self, array: da.Array, axis: int, rows: Sequence[int],
             ranges: Sequence[Range | None] | None = None) -> tuple[Any, ...]:
        """A task for these rows along an axis, in their order; each is read once."""
        others = list(ranges or [None] * array.ndim)
        found = np.unique(np.asarray(rows, dtype=np.int64))
        if found.size == 0:
            others[axis] = (0, 0)
            return self.part(array, others)
        cuts = np.flatnonzero(np.diff(found) > 1) + 1
        parts = []
        for run in np.split(found, cuts):
            others[axis] = (int(run[0]), int(run[-1]) + 1)
            parts.append(self.part(array, list(others)))
        places = np.searchsorted(found, rows)
        in_order = len(rows) == found.size and bool((places == np.arange(found.size)).all())
        return (join_rows, parts, axis, None if in_order else places)

    def add(self, index: Any, function: Callable[..., Any], *arguments: Any) -> tuple[Any, ...]:
        key = (self.name, *index)
        self.tasks[key] = (function, *arguments)
        return key

    def value(self, function: Callable[..., Any], *arguments: Any) -> Delayed:
        """One value made of tasks."""
        key = f"{self.name}-value"
        self.tasks[key] = (function, *arguments)
        graph = HighLevelGraph.from_collections(self.name, self.tasks, dependencies=list(self.inputs.values()))
        return Delayed(key, graph, layer=self.name)

    def array(self, shape: Sequence[int], chunks: Sequence[Sequence[int]], dtype: Any, label: str = "",
              picked: Callable[[tuple[int, ...]], tuple[Any, ...]] | None = None, value: Any = None) -> da.Array:
        """The array of the tasks, whose indices are those of blocks. With a label, one of several arrays: its blocks
        are items of results, which picked(block) = (index of the task, item) names, or the task `value` alone."""
        name = self.name
        graph = HighLevelGraph.from_collections(name, self.tasks, dependencies=list(self.inputs.values()))
        if label:
            name = f"{self.name}-{label}"
            picks: dict[Any, Any] = {}
            for block in itertools.product(*(range(len(c)) for c in chunks)):
                index, item = picked(block) if picked else ((), None)
                picks[(name, *block)] = (operator.getitem, (self.name, *index), item) if picked else value
            graph = HighLevelGraph({**graph.layers, name: picks}, {**graph.dependencies, name: {self.name}})
        array = da.Array(graph, name, tuple(tuple(c) for c in chunks), dtype=np.dtype(dtype))
        if array.shape != tuple(shape):
            raise RuntimeError(f"{name} has shape {array.shape} instead of {tuple(shape)}; this is a defect of Tessera")
        return array


class _Held:
    """A value in which Dask looks for no keys."""

    def __init__(self, value: Any) -> None:
        self.value = value


def _same(held: _Held) -> Any:
    return held.value


def read_part(file: ArrayFile, index: _Held) -> np.ndarray:
    return _plain(file[index.value])


def join_chunks(chunks: Any, axes: int) -> np.ndarray:
    """Nested lists of arrays as one C-contiguous array in this machine's byte order."""
    return _plain(_joined(chunks, 0, axes))


def _plain(array: np.ndarray) -> np.ndarray:
    return np.require(array, dtype=array.dtype.newbyteorder("="), requirements=["C", "A"])


def _joined(chunks: Any, axis: int, axes: int) -> np.ndarray:
    if axis == axes:
        return np.asarray(chunks)
    parts = [_joined(chunk, axis + 1, axes) for chunk in chunks]
    return parts[0] if len(parts) == 1 else np.concatenate(parts, axis)


def join_rows(parts: list[np.ndarray], axis: int, places: np.ndarray | None) -> np.ndarray:
    array = parts[0] if len(parts) == 1 else np.concatenate(parts, axis)
    return array if places is None else np.ascontiguousarray(array.take(places, axis))


def ranges_of(chunks: Iterable[int]) -> list[Range]:
    ends = list(itertools.accumulate(chunks))
    return list(zip([0, *ends[:-1]], ends, strict=True))


def cut_rows(chunks: Iterable[int], rows: int, step: int = 1) -> list[Range]:
    """Rows 0 to `rows` cut where chunks end, at the nearest multiple of the step."""
    cuts = {min(rows, (end + step // 2) // step * step) for _, end in ranges_of(chunks) if end < rows} | {0, rows}
    ordered = sorted(cuts)
    return list(zip(ordered[:-1], ordered[1:], strict=True)) or [(0, 0)]


def lengths(ranges: Iterable[Range]) -> tuple[int, ...]:
    return tuple(end - first for first, end in ranges)
