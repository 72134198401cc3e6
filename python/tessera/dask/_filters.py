# SPDX-License-Identifier: Apache-2.0
"""Filters of images: rows of results need a range of rows of the image."""
from __future__ import annotations

import itertools
from typing import Any

import dask.array as da
import numpy as np

from ._blocks import Blocks, Range, cut_rows, lengths, ranges_of
from ._inputs import checked_axis, dask_array, free_of
from ._plans import Recipe, choose, plan_of


def convolve(image: Any, filter: Any, **options: Any) -> da.Array:
    """Filters an image, as tessera.convolve does, with its options.

    image: a Dask array, or the path of an NPY file or a Zarr array.
    filter: a 2-D array of weights or a name such as "gauss:2.5"; a 3-D array for a volume.

    >>> smooth = td.convolve(image, "gauss:2.5", border="reflect")
    """
    return _filtered("convolve", "Convolve", image, (kept_weights("convolve: filter", filter),), options, exact=False)


def erode(image: Any, element: Any, **options: Any) -> da.Array:
    """Erodes an image, as tessera.erode does, with its options.

    >>> thinner = td.erode(image, "disk:3")
    """
    return _filtered("erode", "Erode", image, (kept_weights("erode: element", element),), options, exact=True)


def dilate(image: Any, element: Any, **options: Any) -> da.Array:
    """Dilates an image, as tessera.dilate does, with its options.

    >>> thicker = td.dilate(image, "disk:3")
    """
    return _filtered("dilate", "Dilate", image, (kept_weights("dilate: element", element),), options, exact=True)


def percentile_filter(image: Any, percentile: float, size: Any = None, footprint: Any = None,
                      **options: Any) -> da.Array:
    """The percentile of the pixels around every pixel, as tessera.percentile_filter makes it, with its options.

    >>> floor = td.percentile_filter(image, 20, size=41, mode="nearest")
    """
    options = {**options, "size": size, "footprint": kept_weights("percentile_filter: footprint", footprint)}
    return _filtered("percentile_filter", "PercentileFilter", image, (percentile,), options, exact=True)


def kept_weights(what: str, given: Any) -> Any:
    """Weights as they are now: later changes of an array do not reach the graph."""
    if isinstance(given, da.Array):
        raise TypeError(f"{what} is a Dask array; give a NumPy array: compute() it first")
    return np.array(given) if hasattr(given, "__array__") else given


def axis_of(operation: str, name: str, options: dict[str, Any], axes: int) -> int | None:
    """An option that names an axis, counted from 0."""
    given = options.get(name)
    return None if given is None else checked_axis(f"{operation}: {name}", given, axes)


def axis_of_rows(axes: int, channel: int | None, batch: int | None) -> int | None:
    """The axis of rows; None for a line, which is one row."""
    rest = [axis for axis in range(axes) if axis not in (channel, batch)]
    return rest[-2] if len(rest) > 1 else None


def _filtered(operation: str, kind: str, image: Any, arguments: tuple[Any, ...], options: dict[str, Any],
              exact: bool) -> da.Array:
    free_of(operation, options, "out", "output")
    x = dask_array(f"{operation}: image", image)
    channel, batch = (axis_of(operation, name, options, x.ndim) for name in ("channel_axis", "batch_axis"))
    recipe, plan = choose(operation, kind, x.shape, x.dtype, *arguments, exact=exact, **options)
    rows = axis_of_rows(x.ndim, channel, batch)
    blocks = Blocks(operation, recipe, x.name)
    images = _recipes_of_images(recipe, plan, x, batch)
    keys = {count: blocks.constant(f"plan-{count}", one) for count, one in images.items()}
    cuts = cut_rows(x.chunks[rows], plan.output_shape[rows], plan.row_step) if rows is not None else [(0, 1)]
    counts: list[Range | None] = [None]
    if batch is not None and None not in images:
        counts = list(ranges_of(x.chunks[batch]))
    for (i, some), (k, wanted) in itertools.product(enumerate(counts), enumerate(cuts)):
        first_row, needed = plan.needed_rows(*wanted)
        ranges: list[Range | None] = [None] * x.ndim
        index = [0] * x.ndim
        if batch is not None and some is not None:
            ranges[batch], index[batch] = some, i
        if rows is not None:
            index[rows] = k
        part = blocks.part(x, ranges) if rows is None else blocks.rows(x, rows, needed, ranges)
        blocks.add(index, _run_rows, keys[some and some[1] - some[0]], part, first_row, wanted)
    chunks: list[Any] = [(n,) for n in plan.output_shape]
    if rows is not None:
        chunks[rows] = lengths(cuts)
    if batch is not None and counts[0] is not None:
        chunks[batch] = x.chunks[batch]
    return blocks.array(plan.output_shape, chunks, plan.output_dtype)


def _recipes_of_images(recipe: Recipe, plan: Any, x: da.Array, batch: int | None) -> dict[int | None, Recipe]:
    """Recipes by the number of images that a task has; None: all. Images of a batch are separate, so a task may have
    some of them, by the method that was chosen for all."""
    if batch is None or len(x.chunks[batch]) == 1:
        return {None: recipe}
    made = {}
    for count in set(x.chunks[batch]):
        shape = list(x.shape)
        shape[batch] = count
        made[count], some = choose(recipe.operation, recipe.kind, tuple(shape), *recipe.arguments[1:],
                                   exact=recipe.exact, **recipe.keywords)
        if some.row_step != plan.row_step:
            return {None: recipe}
    return made


def _run_rows(recipe: Recipe, piece: np.ndarray, first_row: int, rows: Range) -> np.ndarray:
    return plan_of(recipe).run_rows(piece, first_row, rows)
