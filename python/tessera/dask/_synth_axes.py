# SPDX-License-Identifier: Apache-2.0
"""Axes of synthesis. Channels without data have no weight, so the axes of a list of frequencies are known only when
the cubes have been read."""
from __future__ import annotations

from typing import Any

import dask.array as da
import numpy as np
from dask.delayed import Delayed

import tessera

from ._pixels import Cube, PixelInput

RUN_OPTIONS = ("backend", "method", "device", "threads", "memory_limit")
# Lists of flags that one task joins.
_TOGETHER = 16


def known_axes(cube: Cube, frequency: Any, inputs: dict[str, PixelInput], options: dict[str, Any]
               ) -> tessera.FaradayAxes:
    """The axes, or those that all channels would have: depths and method are the same."""
    if isinstance(frequency, tessera.FaradayAxes):
        _axes([False] * cube.array.shape[cube.axis], cube.array.dtype, frequency, {}, options)  # bad options are said
        return frequency
    if isinstance(frequency, Delayed | da.Array):
        raise TypeError("faraday_synth: frequency is delayed; the result's shape depends on it, so compute() it first")
    fixed = options.get("phi", "auto") is not None and not _is_auto(options.get("phi", "auto"))
    fixed = fixed or all(options.get(name) is not None for name in ("phi_max", "dphi"))
    if not fixed:
        raise ValueError("faraday_synth: the number of depths depends on which channels have data, which is not known "
                         "before the cubes are read; give phi, or phi_max and dphi, or a FaradayAxes as frequency")
    weights, noise, model = inputs["weights"], inputs["noise"], inputs["model"]
    variance = isinstance(weights.value, str) and (noise.cube or (model.cube and noise.identity is not None))
    if weights.cube or variance:
        raise ValueError("faraday_synth: weights per voxel need the mean of every channel over all pixels; give a "
                         "FaradayAxes as frequency: tessera.faraday_axes(frequency, weights=means, …)")
    return _axes([False] * cube.array.shape[cube.axis], cube.array.dtype, frequency, _values(inputs), options)


def _is_auto(phi: Any) -> bool:
    return isinstance(phi, str) and phi == "auto"


def _values(inputs: dict[str, PixelInput]) -> dict[str, Any]:
    """Those that are not per pixel, which alone matter to the axes."""
    return {name: value.value for name, value in inputs.items() if value.array is None}


def _axes(dead: list[bool], dtype: np.dtype, frequency: Any, values: dict[str, Any], options: dict[str, Any]
          ) -> tessera.FaradayAxes:
    """The axes that synthesis of one pixel finds, which lacks these channels."""
    if isinstance(values.get("weights"), str) and values.get("noise") is None:
        values = {**values, "weights": None}  # noise per pixel weighs all channels alike
    pixel = np.where(dead, np.nan, 0).astype(dtype.newbyteorder("="))
    grid = {name: value for name, value in options.items() if name not in ("axis", *RUN_OPTIONS)}
    return tessera.faraday_synth(pixel, pixel, frequency, **values, **grid).axes


def axes_to_come(cube: Cube, other: da.Array, frequency: Any, inputs: dict[str, PixelInput],
                 options: dict[str, Any]) -> Delayed:
    model = inputs["model"]
    values = _values(inputs)
    blocks = cube.blocks("faraday_axes", other.name, model.identity, np.asarray(frequency), repr(sorted(options)),
                         list(options.values()), list(values.items()))
    flags = [blocks.add(("dead", *index), _dead, cube.axis, blocks.part(cube.array, ranges),
                        blocks.part(other, ranges), model.part(blocks, ranges))
             for index, ranges in cube.places()]
    level = 0
    while len(flags) > 1:
        flags = [blocks.add((f"all-{level}", i), _dead_in_all, flags[i:i + _TOGETHER])
                 for i in range(0, len(flags), _TOGETHER)]
        level += 1
    given = blocks.constant("given", (cube.array.dtype, frequency, values, options))
    return blocks.value(_axes_of, flags[0], given)


def _dead(axis: int, q: np.ndarray, u: np.ndarray, model: Any) -> list[bool]:
    return tessera.faraday_dead_channels(q, u, model=model, axis=axis)


def _dead_in_all(flags: list[list[bool]]) -> list[bool]:
    return [all(channel) for channel in zip(*flags, strict=True)]


def _axes_of(dead: list[bool], given: tuple[Any, ...]) -> tessera.FaradayAxes:
    return _axes(dead, *given)
