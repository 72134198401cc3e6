# SPDX-License-Identifier: Apache-2.0
"""Tessera on Dask: the functions of tessera for arrays that do not fit one machine.

>>> import dask.array as da
>>> import tessera.dask as td
>>> image = da.from_array(field, chunks=(512, -1))          # or the path of an NPY file or a Zarr array
>>> smooth = td.convolve(image, "gauss:2.5")                # nothing is computed yet
>>> smooth.compute()

Names, parameters and defaults are those of tessera, except for `out`; results are Dask arrays, and
their bytes are those of tessera.X on the whole array, whatever the chunks and the workers. Rows of
results follow the chunks of the input; columns are whole inside a task, except for cubes of
Faraday, whose pixels are separate. Bad input is an error when the graph is built. The method is
chosen then, for the whole problem, and every worker runs that one or says that it cannot.
"""
try:
    from dask.array import Array
except ImportError as error:
    raise ImportError("tessera.dask needs Dask, which is not installed: pip install tessera[dask]") from error
if Array.__module__ != "dask.array.core":
    raise ImportError("tessera.dask makes graphs, and Dask is set to plan queries of arrays; leave "
                      "array.query-planning False in its configuration")

from ._correlate import CorrelatedEnsemble, correlate
from ._enhance import enhance
from ._faraday import FaradayCleaned, FaradaySpectra, faraday_clean, faraday_maps, faraday_synth
from ._filters import convolve, dilate, erode, percentile_filter
from ._noise import NoiseMaps, noise
from ._xengine import xengine

__all__ = [
    "CorrelatedEnsemble",
    "FaradayCleaned",
    "FaradaySpectra",
    "NoiseMaps",
    "convolve",
    "correlate",
    "dilate",
    "enhance",
    "erode",
    "faraday_clean",
    "faraday_maps",
    "faraday_synth",
    "noise",
    "percentile_filter",
    "xengine",
]
