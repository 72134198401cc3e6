# SPDX-License-Identifier: Apache-2.0
"""tessera.dask says what is wrong when a graph is built, in one sentence, before anything is computed."""
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("dask")
import dask
import dask.array as da
import dask.bag as db
from dask_arrays import CountingSource

import tessera
import tessera.dask as td

FREQUENCY = np.linspace(0.8e9, 1.1e9, 6)
AXES = tessera.faraday_axes(FREQUENCY, phi_max=100)
RMSF = tessera.faraday_rmsf(AXES)
ONE_SENTENCE = 500  # lists of names are long


@pytest.fixture
def source():
    made = CountingSource(np.ones((6, 40, 30), "float32"))
    yield made
    assert made.read == []


def image_of(source):
    return source.chunked((6, 11, 30))[0]


def unknown(array):
    return array[array[:, 0] > 0]


IMAGES = {
    "convolve": lambda x: td.convolve(x, "gauss:1"),
    "erode": lambda x: td.erode(x, "disk:1"),
    "dilate": lambda x: td.dilate(x, "disk:1"),
    "percentile_filter": lambda x: td.percentile_filter(x, 50, 3),
    "noise": lambda x: td.noise(x, 9),
    "enhance": td.enhance,
    "correlate": lambda x: td.correlate(x, max_shift=3),
    "xengine": td.xengine,
    "faraday_synth": lambda x: td.faraday_synth(x, x, AXES),
    "faraday_clean": lambda x: td.faraday_clean(x, RMSF, 0.1),
    "faraday_maps": lambda x: td.faraday_maps(x, AXES),
}


def fails(kind, words, call):
    with pytest.raises(kind, match=words) as found:
        call()
    assert len(str(found.value)) < ONE_SENTENCE and "\n" not in str(found.value)


@pytest.mark.parametrize("name", IMAGES)
def test_arrays(name, source, tmp_path):
    call = IMAGES[name]
    fails(ValueError, f"{name}: .* has chunks of unknown size; call compute_chunk_sizes",
          lambda: call(unknown(image_of(source))))
    fails(TypeError, f"{name}: .* is a numpy.ndarray; give a Dask array", lambda: call(np.ones((9, 9))))
    fails(TypeError, f"{name}: .* is a list; give a Dask array" if name != "correlate" else "image 0 is a int",
          lambda: call([1, 2]))
    fails(TypeError, "has chunks of numpy.ma.*MaskedArray", lambda: call(da.ma.masked_equal(image_of(source), 1)))
    fails(OSError, "nowhere.npy", lambda: call(tmp_path / "nowhere.npy"))
    fails((OSError, ImportError), "nowhere.zarr", lambda: call(tmp_path / "nowhere.zarr"))
    fails(TypeError, "dtype", lambda: call(image_of(source).astype("complex256")))
    odd = source.chunked((2, 9, 9))
    fails(ValueError, name, lambda: call(odd[0, 0] if name == "noise" else odd[None, None, None]))


CALLS = {
    "out": (TypeError, "convolve has no option 'out': a Dask array is the result",
            lambda x: td.convolve(x, "gauss:1", out=np.empty((40, 30)))),
    "unknown": (TypeError, "convolve.* has no option 'bordr'; did you mean 'border'",
                lambda x: td.convolve(x, "gauss:1", bordr="wrap")),
    "filter": (ValueError, "filter: 'gaus:1' is not known", lambda x: td.convolve(x, "gaus:1")),
    "lazy filter": (TypeError, "convolve: filter is a Dask array; give a NumPy array",
                    lambda x: td.convolve(x, da.ones((3, 3)))),
    "border": (ValueError, "border", lambda x: td.erode(x, "disk:1", border="wavy")),
    "method": (ValueError, "sundial", lambda x: td.convolve(x, "gauss:1", method="sundial")),
    "axis": (ValueError, "convolve: channel_axis is 5; the array has 2 axes",
             lambda x: td.convolve(x, "gauss:1", channel_axis=5)),
    "size": (TypeError, "give either size or footprint", lambda x: td.percentile_filter(x, 50)),
    "percentile": (ValueError, "percentile", lambda x: td.percentile_filter(x, 150, 3)),
    "quantiles": (TypeError, "noise has no option 'quantiles'", lambda x: td.noise(x, 9, quantiles=0.5)),
    "box": (TypeError, "box is 'wide'; it must be", lambda x: td.noise(x, "wide")),
    "mask": (ValueError, "mask is .* of float32; it must be .* of bool", lambda x: td.noise(x, 9, mask=x)),
    "steps": (ValueError, "steps", lambda x: td.enhance(x, steps="sharpen")),
    "shift": (ValueError, "max.shift", lambda x: td.correlate(x, max_shift=99)),
    "other": (ValueError, "other is .*; it must be", lambda x: td.correlate(x, x[:9], max_shift=3)),
    "no images": (ValueError, "the list has no images", lambda x: td.correlate([])),
    "two sizes": (ValueError, "image 1 is .*; all must be", lambda x: td.correlate([x, x[:20]], max_shift=3)),
    "no shape": (TypeError, "give shape= and dtype=", lambda x: td.correlate([dask.delayed(np.ones)(3)])),
    "bag": (TypeError, "give shape= and dtype=", lambda x: td.correlate(db.from_sequence([1, 2]))),
    "layout": (ValueError, "layout is 'abc'", lambda x: td.xengine(x, "abc")),
    "voltages": (ValueError, "layout tci wants", td.xengine),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls(name, source):
    kind, words, call = CALLS[name]
    fails(kind, words, lambda: call(image_of(source)))


def test_masks_of_voltages():
    x = da.zeros((100, 4, 3, 2, 2), dtype="int8", chunks=(30, 2, 3, 2, 2))
    fails(ValueError, "7 stretches for 100 samples, which are not equally long",
          lambda: td.xengine(x, valid=np.ones((7, 3, 2), bool)))
    fails(ValueError, "valid has 3 stretches of 30 samples and there are 100",
          lambda: td.xengine(x, valid=np.ones((3, 3, 2), bool), valid_samples=30))
    fails(ValueError, "valid has shape", lambda: td.xengine(x, valid=np.ones((10, 7), bool)))
    fails(TypeError, "valid is a Dask array", lambda: td.xengine(x, valid=da.ones((10, 3), dtype=bool)))


def test_cubes(source):
    cube = source.chunked((2, 9, 9))
    fdf = cube.astype("complex64")
    fails(ValueError, "u is .* of float32; it must be", lambda: td.faraday_synth(cube, cube[:, :5], AXES))
    fails(ValueError, "the number of depths depends on which channels have data",
          lambda: td.faraday_synth(cube, cube, FREQUENCY))
    fails(ValueError, "weights per voxel need the mean of every channel",
          lambda: td.faraday_synth(cube, cube, FREQUENCY, weights=cube, phi_max=9, dphi=1))
    fails(ValueError, "noise has shape .*; it can be", lambda: td.faraday_synth(cube, cube, AXES, noise=cube[:, :3]))
    fails(TypeError, "frequency is delayed", lambda: td.faraday_synth(cube, cube, dask.delayed(FREQUENCY)))
    fails(ValueError, "axis is 3; the array has 3 axes", lambda: td.faraday_synth(cube, cube, AXES, axis=3))
    fails(TypeError, "dtype float32; it can be complex64", lambda: td.faraday_clean(cube, RMSF, 0.1))
    fails(TypeError, "rmsf is delayed.*compute", lambda: td.faraday_clean(fdf, dask.delayed(RMSF), 0.1))
    fails(ValueError, "cutoff has shape", lambda: td.faraday_clean(fdf, RMSF, np.ones((3, 3))))
    fails(ValueError, "faraday maps|faraday_maps", lambda: td.faraday_maps(fdf, AXES, maps=["width"]))
    fails(ValueError, "bands is .*; it must be",
          lambda: td.faraday_maps(da.zeros((len(AXES.phi), 9, 9), dtype="c8"), AXES, bands=cube))


def test_a_fault_of_an_image_is_said_by_its_task():
    made = td.correlate([dask.delayed(np.ones)((9, 9))], shape=(8, 8), dtype="float64", max_shift=3)
    fails(ValueError, r"planes is \(9, 9\) of float64; it must be \(8, 8\)",
          lambda: made.mean.compute(scheduler="synchronous"))


def test_without_dask_there_is_one_sentence():
    program = ("import sys; sys.modules['dask'] = None; import tessera\n"
               "try:\n    import tessera.dask\nexcept ImportError as error:\n    print(error)")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "tessera.dask needs Dask, which is not installed: pip install tessera[dask]\n", done.stderr


def test_arrays_that_are_expressions_are_refused():
    program = ("import dask; dask.config.set({'array.query-planning': True}); import dask.array\n"
               "print(dask.array.Array.__module__)\nimport tessera.dask")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    if done.stdout in ("", "dask.array.core\n"):
        pytest.skip("this Dask has no arrays that are expressions")
    assert done.returncode != 0
    assert done.stderr.strip().splitlines()[-1].endswith("leave array.query-planning False in its configuration")


def test_tessera_itself_does_not_import_dask():
    program = "import sys, tessera; print('dask' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "False\n"
