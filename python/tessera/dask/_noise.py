# SPDX-License-Identifier: Apache-2.0
"""Background and noise: rows of maps need the rows that their boxes reach; planes of a cube are separate."""
from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import dask.array as da
import numpy as np

import tessera

from ._blocks import Blocks, Range, cut_rows, lengths, ranges_of
from ._inputs import dask_array, free_of
from ._plans import Recipe, choose, plan_of


@dataclass(frozen=True)
class NoiseMaps:
    """The results of noise, as Dask arrays; snr = (image - background) / rms."""

    background: da.Array
    rms: da.Array
    snr: da.Array
    method: str


def noise(image: Any, box: int | tuple[int, int] = 64, *, fill: bool = False, mask: Any = None,
          **options: Any) -> NoiseMaps:
    """Background and noise at every pixel, as tessera.noise makes them, with its options.

    image: a Dask array (rows, columns) or (planes, rows, columns), or the path of an NPY file or a Zarr array.
    mask: the same of bool, True where a pixel is blank.
    With mode "grid", and with fill, a plane is one task.

    >>> maps = td.noise(image, 64)
    >>> maps.rms.to_zarr("rms.zarr")
    """
    free_of("noise", options, "out", "quantiles")
    x = dask_array("noise: image", image)
    if x.ndim < 2:
        raise ValueError(f"noise: image has shape {x.shape}; it must be (rows, columns), or have planes before them")
    blanks = None if mask is None else _mask_of(x, mask)
    dtype = np.dtype(np.float32) if blanks is not None and x.dtype.name in ("bool", "uint8", "uint16") else x.dtype
    exact = options.get("mode", "exact") == "exact"
    recipe, plan = choose("noise", "Noise", x.shape[-2:], dtype, box, exact=exact, **options)
    maps = _maps(recipe, plan, x, blanks, fill, whole=fill or options.get("mode") == "grid")
    return NoiseMaps(maps[0], maps[1], _snr(recipe, plan, x, maps, blanks), plan.describe())


def _mask_of(x: da.Array, mask: Any) -> da.Array:
    blanks = dask_array("noise: mask", mask)
    if blanks.shape != x.shape or blanks.dtype != np.dtype(bool):
        raise ValueError(f"noise: mask is {blanks.shape} of {blanks.dtype}; it must be {x.shape} of bool")
    return blanks


def _maps(recipe: Recipe, plan: Any, x: da.Array, blanks: da.Array | None, fill: bool, whole: bool) -> da.Array:
    blocks = Blocks("noise", recipe, x.name, blanks.name if blanks is not None else None, fill)
    key = blocks.constant("plan", recipe)
    height = x.shape[-2]
    cuts = [(0, height)] if whole else cut_rows(x.chunks[-2], height, plan.row_step)
    for index, planes in _planes(x):
        ranges: list[Range | None] = [*planes, None, None]
        for k, wanted in enumerate(cuts):
            first_row, needed = (0, list(range(height))) if whole else plan.needed_rows(*wanted)
            piece = blocks.rows(x, x.ndim - 2, needed, ranges)
            blank = None if blanks is None else blocks.rows(blanks, x.ndim - 2, needed, ranges)
            place = (0, *index, k, 0)
            if whole:
                blocks.add(place, _whole_maps, key, piece, blank, fill)
            else:
                blocks.add(place, _rows_of_maps, key, piece, blank, first_row, wanted)
    chunks = ((2,), *x.chunks[:-2], lengths(cuts), (x.shape[-1],))
    return blocks.array((2, *x.shape), chunks, plan.output_dtype)


def _snr(recipe: Recipe, plan: Any, x: da.Array, maps: da.Array, blanks: da.Array | None) -> da.Array:
    blocks = Blocks("snr", maps.name)
    key = blocks.constant("plan", recipe)
    for index, planes in _planes(x):
        for k, rows in enumerate(ranges_of(maps.chunks[-2])):
            ranges = [*planes, rows, None]
            blank = None if blanks is None else blocks.part(blanks, ranges)
            blocks.add((*index, k, 0), _rows_of_snr, key, blocks.part(x, ranges), blocks.part(maps, [None, *ranges]),
                       blank)
    return blocks.array(x.shape, maps.chunks[1:], plan.output_dtype)


def _planes(x: da.Array) -> Any:
    """Places of chunks along the axes before rows and columns, and their ranges."""
    axes = [list(enumerate(ranges_of(chunks))) for chunks in x.chunks[:-2]]
    for found in itertools.product(*axes):
        yield tuple(i for i, _ in found), [planes for _, planes in found]


def _float_of(piece: np.ndarray, blank: np.ndarray | None) -> np.ndarray:
    """Integers have no NaN for a mask; float32 has all values of these types."""
    return piece if blank is None or piece.dtype.name not in ("bool", "uint8", "uint16") else piece.astype(np.float32)


def _rows_of_maps(recipe: Recipe, piece: np.ndarray, blank: np.ndarray | None, first_row: int,
                  rows: Range) -> np.ndarray:
    plan, piece = plan_of(recipe), _float_of(piece, blank)
    maps = np.empty((2, *piece.shape[:-2], rows[1] - rows[0], piece.shape[-1]), plan.output_dtype)
    for plane in np.ndindex(piece.shape[:-2]):
        own = None if blank is None else blank[plane]
        maps[(slice(None), *plane)] = plan.run_rows(piece[plane], first_row, rows, own)
    return maps


def _whole_maps(recipe: Recipe, image: np.ndarray, blank: np.ndarray | None, fill: bool) -> np.ndarray:
    plan_of(recipe)
    maps = tessera.noise(image, recipe.arguments[2], fill=fill, mask=blank, **recipe.keywords)
    return np.stack([maps.background, maps.rms])


def _rows_of_snr(recipe: Recipe, piece: np.ndarray, maps: np.ndarray, blank: np.ndarray | None) -> np.ndarray:
    plan, piece = plan_of(recipe), _float_of(piece, blank)
    snr = np.empty(piece.shape, maps.dtype)
    for plane in np.ndindex(piece.shape[:-2]):
        own = None if blank is None else blank[plane]
        snr[plane] = plan.snr_rows(piece[plane], maps[(slice(None), *plane)], own)
    return snr
