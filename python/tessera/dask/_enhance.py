# SPDX-License-Identifier: Apache-2.0
"""enhance: sweeps that count over all rows, one after the other, then the rows of the result."""
from __future__ import annotations

from typing import Any

import dask.array as da
import numpy as np

from ._blocks import Blocks, Range, cut_rows, lengths
from ._filters import axis_of, axis_of_rows, kept_weights
from ._inputs import dask_array, free_of
from ._plans import Recipe, choose, plan_of

# Counts that one task adds.
_TOGETHER = 8


def enhance(image: Any, *, weights: Any = None, **options: Any) -> da.Array:
    """Makes an image readable, step by step, as tessera.enhance does, with its options.

    image: a Dask array, or the path of an NPY file or a Zarr array. Steps that measure the image read it once per
    sweep before rows are made; of each sweep only the counts go from worker to worker.

    >>> readable = td.enhance(scan, steps="grey,contrast,smooth")
    """
    free_of("enhance", options, "out")
    x = dask_array("enhance: image", image)
    exact = x.dtype.kind == "u"
    channel, batch = (axis_of("enhance", name, options, x.ndim) for name in ("channel_axis", "batch_axis"))
    recipe, plan = choose("enhance", "Enhance", x.shape, x.dtype, exact=exact,
                          weights=kept_weights("enhance: weights", weights), **options)
    if channel is None and batch is None and x.ndim == 3:
        channel = 2
    axis = axis_of_rows(x.ndim, channel, batch)
    assert axis is not None  # an image without rows has no plan
    blocks = Blocks("enhance", recipe, x.name)
    key = blocks.constant("plan", recipe)
    cuts = cut_rows(x.chunks[axis], x.shape[axis])
    found: list[Any] = []
    for sweep in range(plan.sweeps):
        counts = []
        for k, rows in enumerate(cuts):
            first_row, needed = plan.needed_rows(*rows, sweep)
            piece = blocks.rows(x, axis, needed)
            counts.append(blocks.add(("look", sweep, k), _look, key, piece, first_row, rows, list(found)))
        found.append(_added(blocks, key, sweep, counts, found))
    shape = plan.output_shape
    out_axis = axis - (len(shape) < x.ndim and channel is not None and channel < axis)
    for k, rows in enumerate(cuts):
        first_row, needed = plan.needed_rows(*rows)
        index = [0] * len(shape)
        index[out_axis] = k
        blocks.add(index, _run_rows, key, blocks.rows(x, axis, needed), first_row, rows, list(found))
    chunks: list[Any] = [(n,) for n in shape]
    chunks[out_axis] = lengths(cuts)
    return blocks.array(shape, chunks, plan.output_dtype)


def _added(blocks: Blocks, key: str, sweep: int, counts: list[Any], found: list[Any]) -> Any:
    """The key of the counts of all rows, added as a tree."""
    level = 0
    while len(counts) > 1:
        counts = [blocks.add(("add", sweep, level, i), _add, key, counts[i:i + _TOGETHER], list(found))
                  for i in range(0, len(counts), _TOGETHER)]
        level += 1
    return counts[0]


def _look(recipe: Recipe, piece: np.ndarray, first_row: int, rows: Range, found: list[np.ndarray]) -> np.ndarray:
    return plan_of(recipe).look(piece, first_row, rows, found)


def _add(recipe: Recipe, counts: list[np.ndarray], found: list[np.ndarray]) -> np.ndarray:
    return plan_of(recipe).add_counts(counts, found)


def _run_rows(recipe: Recipe, piece: np.ndarray, first_row: int, rows: Range, found: list[np.ndarray]) -> np.ndarray:
    return plan_of(recipe).run_rows(piece, first_row, rows, found)
