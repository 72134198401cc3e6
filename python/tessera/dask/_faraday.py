# SPDX-License-Identifier: Apache-2.0
"""Faraday synthesis, RM-CLEAN and maps: every pixel is separate, so tasks have the chunks of pixels with all their
channels or depths."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import dask.array as da
import numpy as np
from dask.delayed import Delayed

import tessera

from ._inputs import dask_array, free_of
from ._pixels import Cube, pixel_input
from ._plans import Recipe, choose, plan_of
from ._synth_axes import RUN_OPTIONS, axes_to_come, known_axes


@dataclass(frozen=True)
class FaradaySpectra:
    """The results of faraday_synth. `axes` is a FaradayAxes if one was given, otherwise delayed, because channels
    without data have no weight: compute() it."""

    fdf: da.Array
    bands: da.Array
    axes: tessera.FaradayAxes | Delayed
    method: str


@dataclass(frozen=True)
class FaradayCleaned:
    """The results of faraday_clean, as Dask arrays."""

    clean: da.Array
    components: da.Array
    iterations: da.Array


def faraday_synth(q: Any, u: Any, frequency: Any, *, weights: Any = None, noise: Any = None, model: Any = None,
                  **options: Any) -> FaradaySpectra:
    """Rotation measure synthesis, as tessera.faraday_synth does it, with its options.

    q, u: Dask arrays, or paths of NPY files or Zarr arrays. noise, model and weights as there; those with one
    value per pixel or per voxel may be such arrays, too.
    frequency: hertz, one per channel, with phi, or phi_max and dphi, so that the number of depths is known; or a
    FaradayAxes. Weights per voxel need a FaradayAxes. With frequencies the cubes are read once more, for channels
    without data.

    >>> spectra = td.faraday_synth(q, u, frequency, phi_max=600, dphi=3)
    >>> spectra.fdf.to_zarr("fdf.zarr")
    """
    free_of("faraday_synth", options, "out")
    cube = Cube("faraday_synth", dask_array("faraday_synth: q", q), options.get("axis", 0))
    other = cube.like("faraday_synth: u", dask_array("faraday_synth: u", u))
    inputs = {name: pixel_input(cube, f"faraday_synth: {name}", value, one_per_pixel=name == "noise")
              for name, value in (("weights", weights), ("noise", noise), ("model", model))}
    axes = known_axes(cube, frequency, inputs, options)
    run = {name: options[name] for name in RUN_OPTIONS if name in options}
    recipe, plan = choose("faraday_synth", "FaradaySynth", cube.array.shape, cube.array.dtype, axes, axis=cube.axis,
                          **run)
    known = isinstance(frequency, tessera.FaradayAxes)
    blocks = cube.blocks("faraday_synth", recipe, known, other.name, *(value.identity for value in inputs.values()))
    key = blocks.constant("plan", recipe)
    found = axes if known else axes_to_come(cube, other, frequency, inputs, options)
    axes_key = blocks.delayed(found) if isinstance(found, Delayed) else blocks.constant("axes", found)
    for index, ranges in cube.places():
        blocks.add(index, _synth, key, axes_key, blocks.part(cube.array, ranges),
                   blocks.part(other, ranges), *(value.part(blocks, ranges) for value in inputs.values()))
    dtype = np.result_type(cube.array.dtype.newbyteorder("="), np.complex64)
    fdf = cube.result(blocks, "fdf", 0, len(axes.phi), dtype)
    bands = cube.maps(blocks, "bands", 1, 7, cube.array.dtype.newbyteorder("="))
    return FaradaySpectra(fdf, bands, found, plan.describe())


def faraday_clean(fdf: Any, rmsf: Any, cutoff: Any, *, own_rmsfs: Any = (), rmsf_of_pixel: Any = None,
                  **options: Any) -> FaradayCleaned:
    """RM-CLEAN, as tessera.faraday_clean does it, with its options.

    fdf: a Dask array, or the path of an NPY file or a Zarr array. cutoff and rmsf_of_pixel may be such arrays, too.

    >>> axes = spectra.axes.compute()
    >>> cleaned = td.faraday_clean(spectra.fdf, tessera.faraday_rmsf(axes, fit=True), 3e-4)
    """
    _refuse_delayed("faraday_clean: rmsf", rmsf, *own_rmsfs)
    cube = Cube("faraday_clean", dask_array("faraday_clean: fdf", fdf), options.get("axis", 0))
    cutoffs = pixel_input(cube, "faraday_clean: cutoff", cutoff, only_pixels=True)
    own = pixel_input(cube, "faraday_clean: rmsf_of_pixel", rmsf_of_pixel, only_pixels=True)
    options = {**options, "axis": cube.axis}
    number = None if cutoffs.array is not None else cutoff
    recipe, plan = choose("faraday_clean", "FaradayClean", cube.array.shape, cube.array.dtype, rmsf, number, **options)
    blocks = cube.blocks("faraday_clean", recipe, cutoffs.identity, own.identity, list(own_rmsfs))
    key, rmsfs = blocks.constant("plan", recipe), blocks.constant("rmsfs", list(own_rmsfs))
    for index, ranges in cube.places():
        blocks.add(index, _clean, key, rmsfs, blocks.part(cube.array, ranges),
                   None if cutoffs.array is None else cutoffs.part(blocks, ranges), own.part(blocks, ranges))
    depths, dtype = cube.array.shape[cube.axis], cube.array.dtype.newbyteorder("=")
    return FaradayCleaned(cube.result(blocks, "clean", 0, depths, dtype),
                          cube.result(blocks, "components", 1, depths, dtype),
                          cube.maps(blocks, "iterations", 2, None, np.int32))


def faraday_maps(fdf: Any, axes: Any, *, maps: Any = None, bands: Any = None, **options: Any) -> dict[str, da.Array]:
    """Maps of the strongest source in every spectrum, as tessera.faraday_maps makes them, with its options.

    fdf: a Dask array, or the path of an NPY file or a Zarr array; bands: those of faraday_synth.

    >>> maps = td.faraday_maps(spectra.fdf, spectra.axes.compute(), bands=spectra.bands, maps=["rm", "snr"])
    """
    _refuse_delayed("faraday_maps: axes", axes)
    cube = Cube("faraday_maps", dask_array("faraday_maps: fdf", fdf), options.get("axis", 0))
    options = {**options, "axis": cube.axis}
    recipe, plan = choose("faraday_maps", "FaradayMaps", cube.array.shape, cube.array.dtype, axes,
                          maps=None if maps is None else list(maps), **options)
    own = None if bands is None else cube.bands("faraday_maps: bands", dask_array("faraday_maps: bands", bands))
    blocks = cube.blocks("faraday_maps", recipe, None if own is None else own.name)
    key = blocks.constant("plan", recipe)
    for index, ranges in cube.places():
        part = None if own is None else blocks.part(own, [None, *cube.of_pixels(ranges)])
        blocks.add(index, _maps, key, blocks.part(cube.array, ranges), part)
    dtype = cube.array.real.dtype.newbyteorder("=")
    return {name: cube.maps(blocks, name, name, None, dtype) for name in plan.names}


def _refuse_delayed(what: str, *values: Any) -> None:
    if any(isinstance(value, Delayed) for value in values):
        raise TypeError(f"{what} is delayed, and the method depends on it; compute() it first")


def _synth(recipe: Recipe, axes: Any, q: np.ndarray, u: np.ndarray, weights: Any, noise: Any,
           model: Any) -> list[Any]:
    plan_of(recipe)
    spectra = tessera.faraday_synth(q, u, axes, weights=weights, noise=noise, model=model, **recipe.keywords)
    return [spectra.fdf, spectra.bands]


def _clean(recipe: Recipe, own_rmsfs: list[Any], fdf: np.ndarray, cutoff: Any, of_pixel: Any) -> list[Any]:
    plan_of(recipe)
    _, _, rmsf, number = recipe.arguments
    made = tessera.faraday_clean(fdf, rmsf, number if cutoff is None else cutoff, own_rmsfs=own_rmsfs,
                                 rmsf_of_pixel=of_pixel, **recipe.keywords)
    return [made.clean, made.components, made.iterations]


def _maps(recipe: Recipe, fdf: np.ndarray, bands: np.ndarray | None) -> dict[str, np.ndarray]:
    plan_of(recipe)
    return tessera.faraday_maps(fdf, recipe.arguments[2], bands=bands, **recipe.keywords)
