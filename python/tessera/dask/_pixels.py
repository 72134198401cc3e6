# SPDX-License-Identifier: Apache-2.0
"""Cubes whose pixels are separate: blocks are the chunks of pixels, with the whole axis of channels or depths."""
from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import dask.array as da
import numpy as np
from dask.base import tokenize

from ._blocks import Blocks, Range, ranges_of
from ._inputs import checked_axis, dask_array

Ranges = list[Range | None]


@dataclass(frozen=True)
class PixelInput:
    """A number or a list that all tasks have, or an array with a value per pixel or per voxel."""

    value: Any = None
    array: da.Array | None = None
    cube: bool = False
    axis: int = 0

    @property
    def identity(self) -> Any:
        return tokenize(self.value) if self.array is None else self.array.name

    def part(self, blocks: Blocks, ranges: Ranges) -> Any:
        if self.array is None:
            return None if self.value is None else blocks.constant(f"value-{tokenize(self.value)}", self.value)
        return blocks.part(self.array, ranges if self.cube else ranges[:self.axis] + ranges[self.axis + 1:])


class Cube:
    """A cube and its axis of channels or depths."""

    def __init__(self, operation: str, array: da.Array, axis: Any) -> None:
        if not 1 <= array.ndim <= 3:
            raise ValueError(f"{operation}: the array has shape {array.shape}; it must have 1 to 3 axes")
        self.given, self.given_axis = array, checked_axis(f"{operation}: axis", axis, array.ndim)
        # A line of pixels becomes a row of an image: a map of it cannot be taken for a list of channels then.
        self.flat = array.ndim == 2
        self.array = self.widened(array)
        self.axis = self.given_axis + (1 if self.flat and self.given_axis == 1 else 0)
        self.pixels = self.of_pixels(self.array.shape)
        self.chunks = self.of_pixels(self.array.chunks)

    def widened(self, array: da.Array) -> da.Array:
        """Such a cube with its row of pixels as an image of one row."""
        return da.expand_dims(array, 1 - self.given_axis) if self.flat else array

    def like(self, what: str, other: da.Array) -> da.Array:
        if other.shape != self.given.shape or other.dtype != self.given.dtype:
            raise ValueError(f"{what} is {other.shape} of {other.dtype}; it must be {self.given.shape} of "
                             f"{self.given.dtype}")
        return self.widened(other)

    def bands(self, what: str, bands: da.Array) -> da.Array:
        pixels = self.given.shape[:self.given_axis] + self.given.shape[self.given_axis + 1:]
        wanted, dtype = (7, *pixels), self.given.real.dtype
        if bands.shape != wanted or bands.dtype != dtype:
            raise ValueError(f"{what} is {bands.shape} of {bands.dtype}; it must be {wanted} of {dtype}")
        return da.expand_dims(bands, 1) if self.flat else bands

    def blocks(self, *identity: Any) -> Blocks:
        return Blocks(identity[0], self.array.name, *identity[1:])

    def places(self) -> Iterator[tuple[tuple[int, ...], Ranges]]:
        """Places of chunks of pixels, and their ranges in the cube."""
        for found in itertools.product(*(list(enumerate(ranges_of(chunks))) for chunks in self.chunks)):
            ranges: Ranges = [pixels for _, pixels in found]
            ranges.insert(self.axis, None)
            yield tuple(i for i, _ in found), ranges

    def of_pixels(self, values: Any) -> Any:
        """One value per axis without that of the channels."""
        return values[:self.axis] + values[self.axis + 1:]

    def result(self, blocks: Blocks, label: str, item: Any, extent: int, dtype: Any) -> da.Array:
        """A cube of which every task makes an item."""
        def with_axis(values: tuple[Any, ...], own: Any) -> tuple[Any, ...]:
            return (*values[:self.axis], own, *values[self.axis:])
        made = blocks.array(with_axis(self.pixels, extent), with_axis(self.chunks, (extent,)), dtype, label,
                            lambda block: (self.of_pixels(block), item))
        return da.squeeze(made, 1 - self.given_axis) if self.flat else made

    def maps(self, blocks: Blocks, label: str, item: Any, planes: int | None, dtype: Any) -> da.Array:
        """Planes of pixels, or one map if there is no number of planes."""
        first = () if planes is None else (planes,)
        made = blocks.array((*first, *self.pixels), (*((n,) for n in first), *self.chunks), dtype, label,
                            lambda block: (block[len(first):], item))
        return da.squeeze(made, len(first)) if self.flat else made


def pixel_input(cube: Cube, what: str, given: Any, one_per_pixel: bool = False,
                only_pixels: bool = False) -> PixelInput:
    """`given` as an input of tasks; ValueError says which shapes it can have."""
    if given is None or isinstance(given, str) and given == "variance":
        return PixelInput(given)
    if not isinstance(given, da.Array | str) and not hasattr(given, "__fspath__"):
        value = np.asarray(given)
        if value.ndim == 0 or (not only_pixels and value.shape == (cube.array.shape[cube.axis],)):
            return PixelInput(given)
        given = da.from_array(value, chunks=value.shape)
    array = dask_array(what, given)
    shape = cube.given.shape
    pixels = shape[:cube.given_axis] + shape[cube.given_axis + 1:]
    if array.shape == shape and not only_pixels:
        return PixelInput(array=cube.widened(array), cube=True)
    if array.shape == pixels and (one_per_pixel or only_pixels):
        return PixelInput(array=da.expand_dims(array, 0) if cube.flat else array, axis=cube.axis)
    shapes = [str(pixels)] if one_per_pixel or only_pixels else []
    shapes += [] if only_pixels else [str(shape), f"a list of {shape[cube.given_axis]} numbers"]
    raise ValueError(f"{what} has shape {array.shape}; it can be {', '.join(shapes)}")
