# SPDX-License-Identifier: Apache-2.0
"""faraday on arrays of CuPy and torch. Skipped, and counted, where there is no device."""
import numpy as np
import pytest
from test_faraday import FREQUENCY, GRID, noise_cube, plain_synth

import tessera

if not tessera.info()["devices"]:
    pytest.skip(f"no device: {tessera.info()['no_device_reason']}", allow_module_level=True)


@pytest.fixture
def cupy():
    return pytest.importorskip("cupy")


@pytest.mark.parametrize("dtype, bound", [("float32", 1e-5), ("float64", 1e-12)])
@pytest.mark.parametrize("shape", [(60,), (60, 13), (60, 33, 17)])
def test_cupy_stays_on_its_device(rng, cupy, dtype, bound, shape):
    q, u = noise_cube(rng, shape, dtype)
    q[7] = np.nan  # a channel without data
    if len(shape) == 3:
        u[3, 4, 5] = np.inf
    spectra = tessera.faraday_synth(cupy.asarray(q), cupy.asarray(u), FREQUENCY, **GRID)
    assert isinstance(spectra.fdf, cupy.ndarray) and spectra.axes.weights[7] == 0
    assert "cuda" in spectra.method
    expected = plain_synth(q, u, FREQUENCY, spectra.phi, spectra.axes.weights)
    scale = np.nanmean(np.hypot(np.where(np.isfinite(q), q, np.nan), u), axis=0).max()
    assert abs(cupy.asnumpy(spectra.fdf) - expected).max() <= bound * scale


def test_cupy_strides_and_out(rng, cupy):
    q, u = (cupy.asarray(part) for part in noise_cube(rng, (60, 12, 14), "float32"))
    expected = tessera.faraday_synth(q[:, ::2, ::-2].copy(), u[:, ::2, ::-2].copy(), FREQUENCY, **GRID).fdf
    whole = cupy.full((61, 6, 14), 7 + 7j, "complex64")
    out = whole[:, :, ::2]
    assert tessera.faraday_synth(q[:, ::2, ::-2], u[:, ::2, ::-2], FREQUENCY, out=out, **GRID).fdf is out
    assert cupy.array_equal(out, expected) and bool((whole[:, :, 1::2] == 7 + 7j).all())


@pytest.mark.parametrize("dtype, bound", [("float32", 1e-4), ("float64", 1e-12)])
def test_clean_and_maps_on_the_device(rng, cupy, dtype, bound):
    q, u = noise_cube(rng, (60, 9, 11), dtype)
    spectra = tessera.faraday_synth(q, u, FREQUENCY, backend="cpu", **GRID)
    rmsf = tessera.faraday_rmsf(spectra.axes, fit=True)
    fdf = cupy.asarray(spectra.fdf)
    expected = tessera.faraday_clean(spectra.fdf, rmsf, 0.2, backend="cpu")
    cleaned = tessera.faraday_clean(fdf, rmsf, 0.2)
    assert isinstance(cleaned.clean, cupy.ndarray) and cleaned.iterations.dtype == "int32"
    assert abs(cupy.asnumpy(cleaned.clean) - expected.clean).max() <= bound * abs(expected.clean).max()
    by_map = tessera.faraday_clean(fdf, rmsf, cupy.full((9, 11), 0.2, dtype))
    assert cupy.array_equal(by_map.clean, cleaned.clean)
    found = tessera.faraday_maps(fdf, spectra.axes, noise=0.1)
    for name, wanted in tessera.faraday_maps(spectra.fdf, spectra.axes, noise=0.1, backend="cpu").items():
        assert isinstance(found[name], cupy.ndarray)
        assert np.allclose(cupy.asnumpy(found[name]), wanted, rtol=1e-4, atol=1e-3, equal_nan=True), name


def test_torch(rng):
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("torch sees no device")
    q, u = noise_cube(rng, (60, 9, 11), "float32")
    model = np.linspace(2, 1, 60)
    spectra = tessera.faraday_synth(torch.as_tensor(q, device="cuda"), torch.as_tensor(u, device="cuda"), FREQUENCY,
                                    model=model, **GRID)
    assert spectra.fdf.is_cuda and spectra.fdf.dtype == torch.complex64
    expected = tessera.faraday_synth(q, u, FREQUENCY, model=model, backend="cpu", **GRID).fdf
    assert abs(spectra.fdf.cpu().numpy() - expected).max() <= 2e-5 * abs(expected).max()
    rmsf = tessera.faraday_rmsf(spectra.axes)
    assert tessera.faraday_clean(spectra.fdf, rmsf, 0.2).iterations.dtype == torch.int32


@pytest.mark.parametrize("option", [{"threads": 2}, {"memory_limit": 1e9}])
def test_what_is_for_host_memory_is_refused(rng, cupy, option):
    q, u = noise_cube(rng, (60, 5, 4), "float32")
    with pytest.raises(ValueError, match="are for arrays in host memory"):
        tessera.faraday_synth(cupy.asarray(q), cupy.asarray(u), FREQUENCY, **GRID, **option)
