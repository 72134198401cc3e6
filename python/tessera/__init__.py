# SPDX-License-Identifier: Apache-2.0
"""Tessera: image processing on the CPU and on CUDA devices.

>>> import tessera
>>> scene = tessera.sample_scene(640, 480, seed=1)
>>> blurred = tessera.convolve(scene, "gauss:2.5", border="reflect", channel_axis=-1)

Arrays are (row, column[, channel]). What goes wrong is a ValueError (options and shapes that do not
fit), TypeError (dtypes, unknown keywords), OSError (files), MemoryError (memory or device) or
RuntimeError (a missing library, a bug).
"""
from ._tessera import (
    Convolve,
    Correlate,
    Dilate,
    Enhance,
    Erode,
    __version__,
    anisotropic_gaussian,
    box,
    clahe,
    contrast,
    convolve,
    correlate,
    dilate,
    elements,
    enhance,
    equalise,
    erode,
    filters,
    gabor,
    gaussian,
    grey,
    histogram,
    info,
    laplacian,
    named_element,
    named_filter,
    read,
    sample_scene,
    scene_planes,
    smooth,
    sobel,
    triangle,
    write,
)

__all__ = [
    "Convolve",
    "Correlate",
    "Dilate",
    "Enhance",
    "Erode",
    "__version__",
    "anisotropic_gaussian",
    "box",
    "clahe",
    "contrast",
    "convolve",
    "correlate",
    "dilate",
    "elements",
    "enhance",
    "equalise",
    "erode",
    "filters",
    "gabor",
    "gaussian",
    "grey",
    "histogram",
    "info",
    "laplacian",
    "named_element",
    "named_filter",
    "read",
    "sample_scene",
    "scene_planes",
    "smooth",
    "sobel",
    "triangle",
    "write",
]
