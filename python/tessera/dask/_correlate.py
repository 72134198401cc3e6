# SPDX-License-Identifier: Apache-2.0
"""Correlation of an image, which is one task, and of ensembles: one task per image, added in blocks of eight."""
from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import dask.array as da
import dask.bag
import numpy as np
from dask.delayed import Delayed

import tessera

from ._blocks import Blocks
from ._inputs import dask_array, free_of
from ._plans import Recipe, choose, plan_of

# The block of tessera.Ensemble.
_BLOCK = 8


@dataclass(frozen=True)
class CorrelatedEnsemble:
    """Mean map over the images of an ensemble and its standard error, float64, as Dask arrays."""

    mean: da.Array
    standard_error: da.Array
    method: str


def correlate(planes: Any, other: Any = None, *, shape: Sequence[int] | None = None, dtype: Any = None,
              **options: Any) -> Any:
    """Correlates planes over all shifts, as tessera.correlate does, with its options.

    planes: a Dask array or a path gives the maps of that image, in one task. A list of Dask arrays, paths or delayed
    images, or a bag of images, is an ensemble: the result is a CorrelatedEnsemble, mean and standard error over the
    images in the order of the list, the bits of `tessera correlate`.
    other: what the planes are correlated with; for an ensemble a list of as many.
    shape, dtype: of every image, for delayed images and bags, which do not say it.

    >>> photos = [dask.delayed(load)(name) for name in names]
    >>> ensemble = td.correlate(photos, shape=(4, 500, 500), dtype="float32", max_shift=250)
    >>> ensemble.mean.compute()
    """
    free_of("correlate", options, "out")
    if isinstance(planes, dask.bag.Bag):
        return _of_bag(planes, other, shape, dtype, options)
    if isinstance(planes, list | tuple):
        return _of_list(planes, other, shape, dtype, options)
    if shape is not None or dtype is not None:
        raise TypeError("correlate: shape and dtype are for delayed images and bags; a Dask array has its own")
    return _of_image(planes, other, options)


def _of_image(planes: Any, other: Any, options: dict[str, Any]) -> da.Array:
    x = dask_array("correlate: planes", planes)
    y = None if other is None else _like("correlate: other", dask_array("correlate: other", other), x)
    recipe, plan = choose("correlate", "Correlate", x.shape, x.dtype, **options)
    blocks = Blocks("correlate", recipe, x.name, None if y is None else y.name)
    key = blocks.constant("plan", recipe)
    size = plan.output_shape
    blocks.add([0] * len(size), _map, key, blocks.part(x, [None] * x.ndim),
               None if y is None else blocks.part(y, [None] * x.ndim))
    return blocks.array(size, [(n,) for n in size], np.float32)


def _of_list(images: Sequence[Any], others: Any, shape: Any, dtype: Any, options: dict[str, Any]
             ) -> CorrelatedEnsemble:
    if not images:
        raise ValueError("correlate: the list has no images; give one or more")
    if others is not None and (not isinstance(others, list | tuple) or len(others) != len(images)):
        raise ValueError(f"correlate: other must be a list of {len(images)} images, one for each of the ensemble")
    given = [_image(f"correlate: image {i}", image) for i, image in enumerate(images)]
    second = [_image(f"correlate: other {i}", image) for i, image in enumerate(others or [])]
    arrays = [image for image in given if isinstance(image, da.Array)]
    if arrays and shape is None:
        shape, dtype = arrays[0].shape, dtype or arrays[0].dtype
    recipe, plan = _chosen(shape, dtype, options)
    for i, image in enumerate([*given, *second]):
        if isinstance(image, da.Array) and (image.shape != tuple(shape) or image.dtype != np.dtype(dtype)):
            raise ValueError(f"correlate: image {i % len(given)} is {image.shape} of {image.dtype}; all must be "
                             f"{tuple(shape)} of {np.dtype(dtype)}")
    blocks = Blocks("ensemble", recipe, *(_name_of(image) for image in [*given, *second]))
    key = blocks.constant("plan", recipe)
    sums = []
    for first in range(0, len(given), _BLOCK):
        maps = [blocks.add(("map", i), _map, key, _whole(blocks, given[i]),
                           _whole(blocks, second[i]) if second else None)
                for i in range(first, min(first + _BLOCK, len(given)))]
        sums.append(blocks.add(("block", first // _BLOCK), _block, first, maps))
    return _results(blocks, plan, blocks.add(("all",), _joined, sums))


def _of_bag(bag: Any, other: Any, shape: Any, dtype: Any, options: dict[str, Any]) -> CorrelatedEnsemble:
    if other is not None:
        raise TypeError("correlate: other is for lists of images; a bag is correlated with itself")
    recipe, plan = _chosen(shape, dtype, options)
    parts = bag.to_delayed()
    blocks = Blocks("ensemble", recipe, bag.name)
    key = blocks.constant("plan", recipe)
    state: Any = None
    for i, part in enumerate(parts):
        maps = blocks.add(("maps", i), _maps, key, blocks.delayed(part))
        state = blocks.add(("sum", i), _added, state, maps)
    return _results(blocks, plan, state)


def _chosen(shape: Any, dtype: Any, options: dict[str, Any]) -> tuple[Recipe, Any]:
    if shape is None or dtype is None:
        raise TypeError("correlate: delayed images and bags do not say what they are; give shape= and dtype= of every "
                        "image")
    return choose("correlate", "Correlate", tuple(shape), np.dtype(dtype), **options)


def _image(what: str, given: Any) -> Any:
    return given if isinstance(given, Delayed) else dask_array(what, given)


def _name_of(image: Any) -> str:
    return image.key if isinstance(image, Delayed) else image.name


def _like(what: str, y: da.Array, x: da.Array) -> da.Array:
    if y.shape != x.shape or y.dtype != x.dtype:
        raise ValueError(f"{what} is {y.shape} of {y.dtype}; it must be {x.shape} of {x.dtype}")
    return y


def _whole(blocks: Blocks, image: Any) -> Any:
    return blocks.delayed(image) if isinstance(image, Delayed) else blocks.part(image, [None] * image.ndim)


def _results(blocks: Blocks, plan: Any, total: Any) -> CorrelatedEnsemble:
    size = plan.output_shape
    chunks = [(n,) for n in size]
    mean = blocks.array(size, chunks, np.float64, "mean", value=(_mean, total, size))
    error = blocks.array(size, chunks, np.float64, "error", value=(_error, total, size))
    return CorrelatedEnsemble(mean, error, plan.describe())


def _map(recipe: Recipe, planes: np.ndarray, other: np.ndarray | None) -> np.ndarray:
    return plan_of(recipe)(planes, other)


def _maps(recipe: Recipe, images: Any) -> list[np.ndarray]:
    return [_map(recipe, image, None) for image in images]


def _block(first: int, maps: list[np.ndarray]) -> tessera.Ensemble:
    ensemble = tessera.Ensemble()
    for i, values in enumerate(maps):
        ensemble.add(first + i, values)
    return ensemble


def _joined(blocks: list[tessera.Ensemble]) -> tessera.Ensemble:
    ensemble = tessera.Ensemble()
    for block in blocks:
        ensemble.join(block)
    return ensemble


def _added(before: tessera.Ensemble | None, maps: list[np.ndarray]) -> tessera.Ensemble:
    """A copy of the sums with more images: a task may run again, and what it was given stays as it was."""
    ensemble = tessera.Ensemble() if before is None else copy.copy(before)
    for values in maps:
        ensemble.add(ensemble.images, values)
    return ensemble


def _mean(ensemble: tessera.Ensemble, shape: Sequence[int]) -> np.ndarray:
    return ensemble.means.reshape(shape)


def _error(ensemble: tessera.Ensemble, shape: Sequence[int]) -> np.ndarray:
    return ensemble.standard_errors.reshape(shape)
