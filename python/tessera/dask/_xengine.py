# SPDX-License-Identifier: Apache-2.0
"""The X-engine: ranges of channels are separate. Integer sums of stretches of time are made in tasks of their own and
added; float sums run through time in one task per range of channels."""
from __future__ import annotations

import math
from typing import Any

import dask.array as da
import numpy as np

import tessera

from ._blocks import Blocks, Range, cut_rows, lengths, ranges_of
from ._inputs import dask_array, free_of
from ._plans import Recipe, choose, plan_of

_MAKE = "XEngine.for_voltages"
# Sums that one task adds.
_TOGETHER = 8


def xengine(voltages: Any, layout: str = "tci", *, polarisations: int | None = None, valid: Any = None,
            valid_samples: int | None = None, as_complex: bool = False, **options: Any) -> da.Array:
    """The X-engine, as tessera.xengine runs it, with its options.

    voltages: a Dask array, or the path of an NPY file or a Zarr array. Chunks of channels are blocks of the result
    (several together with average). Chunks of time are tasks of integer samples; of float samples, and with
    output_type "i32", a task has all times of its channels.
    valid: a NumPy array, as there.

    >>> visibilities = td.xengine(voltages, as_complex=True)
    """
    free_of("xengine", options, "out")
    x = dask_array("xengine: voltages", voltages)
    options = {**options, "polarisations": polarisations}
    work = _Work(x, layout, options)
    mask = _Mask(work, valid, valid_samples)
    blocks = Blocks("xengine", work.recipe(work.channels), x.name, mask.identity, as_complex)
    key = blocks.constant("mask", mask)
    integers = np.dtype(work.plan.output_dtype) == np.int64
    recipes = {count: blocks.constant(f"plan-{count}", work.recipe(count)) for count in lengths(work.cuts)}
    times = work.times if integers else [(0, x.shape[work.time])]
    shape, dtype = work.result(as_complex)
    for c, channels in enumerate(work.cuts):
        recipe = recipes[channels[1] - channels[0]]
        sums = [blocks.add(("sum", c, t), _sums, recipe, key, work.parts(blocks, channels, some), not integers and
                           as_complex)
                for t, some in enumerate(times)]
        level = 0
        while len(sums) > 1:
            sums = [blocks.add((f"add-{level}", c, i), _add, sums[i:i + _TOGETHER])
                    for i in range(0, len(sums), _TOGETHER)]
            level += 1
        index = [0] * len(shape)
        index[work.channel_axis_of_result(as_complex)] = c
        blocks.add(index, _finished, sums[0], integers and as_complex, options.get("order") == "register-tile")
    chunks: list[Any] = [(n,) for n in shape]
    chunks[work.channel_axis_of_result(as_complex)] = tuple(n // work.average for n in lengths(work.cuts))
    return blocks.array(shape, chunks, dtype)


class _Work:
    """Which axis is which, and the plans for ranges of channels, by the method for all of them."""

    def __init__(self, x: da.Array, layout: str, options: dict[str, Any]) -> None:
        self.x, self.layout, self.options = x, layout, options
        axes = tessera.XEngine.axes_of(_none_of(x, {}), layout, **options)
        self.time, self.channel = axes.index("t"), axes.find("c")
        self.group = x.shape[axes.index("n")] if "n" in axes else 1
        self.channels = x.shape[self.channel] if self.channel >= 0 else 1
        self.average = options.get("average", 1)
        whole, self.plan = choose("xengine", _MAKE, self._like(self.channels), layout, **options)
        self.chosen = whole.keywords
        self.exact = np.dtype(self.plan.output_dtype).kind == "i"
        self.cuts = cut_rows(x.chunks[self.channel], self.channels, self.average) if self.channel >= 0 else [(0, 1)]
        self.times = ranges_of(x.chunks[self.time])

    def _like(self, channels: int) -> np.ndarray:
        """An array like the voltages of some channels, without any samples."""
        extents = {self.time: 0}
        if self.channel >= 0:
            extents[self.channel] = channels
        return _none_of(self.x, extents)

    def recipe(self, channels: int) -> Recipe:
        made, _ = choose("xengine", _MAKE, self._like(channels), self.layout, exact=self.exact, **self.chosen)
        return made

    def check_mask(self, valid: np.ndarray) -> None:
        """Adds one sample of the fewest channels, so that wrong axes of a mask are said now."""
        extents = {self.time: 1} | ({self.channel: self.average} if self.channel >= 0 else {})
        one = np.zeros([extents.get(axis, n) for axis, n in enumerate(self.x.shape)], self.x.dtype)
        engine = tessera.XEngine.for_voltages(one, self.layout, **self.chosen)
        engine.add(one, self.layout, valid, valid_samples=self.group)

    def parts(self, blocks: Blocks, channels: Range, times: Range) -> list[Any]:
        """The chunks of time in a range, each with its first and its last sample."""
        parts = []
        for first, end in self.times:
            if first < times[0] or end > times[1]:
                continue
            ranges: list[Range | None] = [None] * self.x.ndim
            ranges[self.time] = (first, end)
            if self.channel >= 0:
                ranges[self.channel] = channels
            parts.append([blocks.part(self.x, ranges), first * self.group, end * self.group])
        return parts

    def channel_axis_of_result(self, as_complex: bool) -> int:
        return 1 if self.options.get("order") == "register-tile" and not as_complex else 0

    def result(self, as_complex: bool) -> tuple[tuple[int, ...], np.dtype]:
        """Shape and dtype, from a dump of the fewest channels."""
        engine = tessera.XEngine.for_voltages(self._like(self.average), self.layout, **self.chosen)
        small = engine.dump(as_complex=as_complex)
        shape = list(small.shape)
        shape[self.channel_axis_of_result(as_complex)] = self.channels // self.average
        return tuple(shape), small.dtype


def _none_of(x: da.Array, extents: dict[int, int]) -> np.ndarray:
    """An array of that dtype and number of axes that takes no memory."""
    shape = [extents.get(axis, n) for axis, n in enumerate(x.shape)]
    return np.broadcast_to(np.empty((), x.dtype), shape) if 0 not in shape else np.empty(shape, x.dtype)


class _Mask:
    """Which samples are valid, for tasks that have a stretch of time each."""

    def __init__(self, work: _Work, valid: Any, length: int | None) -> None:
        self.valid, self.length, self.layout = None, 0, work.layout
        self.identity: Any = None
        if valid is None:
            return
        if isinstance(valid, da.Array):
            raise TypeError("xengine: valid is a Dask array; give a NumPy array: compute() it first")
        samples = work.x.shape[work.time] * work.group
        self.valid = np.array(valid, dtype=bool)
        stretches = len(self.valid) if self.valid.ndim else 0
        if stretches > 0:
            work.check_mask(self.valid[:1])
        if length is None and (stretches == 0 or samples % stretches):
            raise ValueError(f"xengine: valid has {stretches} stretches for {samples} samples, which are not equally "
                             "long; say how long they are with valid_samples=")
        self.length = int(length if length is not None else max(1, samples // stretches))
        if self.length < 1 or stretches != -(-samples // self.length):
            raise ValueError(f"xengine: valid has {stretches} stretches of {self.length} samples and there are "
                             f"{samples} samples; give one value for each stretch")
        self.identity = (self.valid.tobytes(), self.valid.shape, self.length)

    def of(self, first: int, end: int) -> dict[str, Any]:
        """The mask of samples `first` to `end`, in stretches that begin with the first of them."""
        if self.valid is None or first == end:
            return {}
        step = math.gcd(self.length, first) if first else self.length
        places = np.arange(first, end, step) // self.length
        return {"valid": self.valid[places], "valid_samples": step}


def _sums(recipe: Recipe, mask: _Mask, parts: list[list[Any]], as_complex: bool) -> np.ndarray:
    plan_of(recipe)
    # Sums belong to this task alone, and the plan to all of the process.
    engine = recipe.make()
    for voltages, first, end in parts:
        engine.add(voltages, mask.layout, **mask.of(first, end))
    return engine.dump(as_complex=as_complex)


def _add(sums: list[np.ndarray]) -> np.ndarray:
    """Integers, exact in any order."""
    total = sums[0].copy()
    for more in sums[1:]:
        total += more
    return total


def _finished(sums: np.ndarray, as_complex: bool, tiled: bool) -> np.ndarray:
    if not as_complex:
        return sums
    if tiled:
        return sums[0] + 1j * sums[1]
    return sums.astype(np.float64).view(np.complex128)[..., 0]
