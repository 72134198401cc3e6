# SPDX-License-Identifier: Apache-2.0
"""noise and percentile_filter on arrays of CuPy and torch. Skipped, and counted, where there is no device."""
import numpy as np
import pytest
from test_noise import sky, with_blanks

import tessera

if not tessera.info()["devices"]:
    pytest.skip(f"no device: {tessera.info()['no_device_reason']}", allow_module_level=True)


@pytest.fixture
def cupy():
    return pytest.importorskip("cupy")


def stacked(maps, host):
    return np.stack([host(maps.background), host(maps.rms)])


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "float32", "float64"])
@pytest.mark.parametrize("mode", ["exact", "binned", "grid"])
@pytest.mark.parametrize("box", [16, (7, 40), 64], ids=str)
def test_cupy_stays_on_its_device_and_has_the_hosts_bytes(rng, cupy, dtype, mode, box):
    image = sky(rng, (150, 130), dtype)
    if image.dtype.kind == "f":
        image = with_blanks(rng, image)
    maps = tessera.noise(cupy.asarray(image), box, mode=mode)
    assert isinstance(maps.rms, cupy.ndarray) and isinstance(maps.snr, cupy.ndarray) and "cuda" in maps.method
    expected = tessera.noise(image, box, mode=mode, backend="cpu")
    assert stacked(maps, cupy.asnumpy).tobytes() == stacked(expected, np.asarray).tobytes()
    snr = cupy.asnumpy(maps.snr)
    assert snr.dtype == expected.snr.dtype and np.allclose(snr, expected.snr, rtol=1e-4, atol=1e-4, equal_nan=True)


@pytest.mark.parametrize("estimator", ["mad", "clip", "mode"])
def test_estimators(rng, cupy, estimator):
    image = with_blanks(rng, sky(rng, (50, 60)))
    maps = stacked(tessera.noise(cupy.asarray(image), 12, estimator=estimator), cupy.asnumpy)
    expected = stacked(tessera.noise(image, 12, estimator=estimator, backend="cpu"), np.asarray)
    assert np.allclose(maps, expected, rtol=0 if estimator == "mad" else 1e-6, atol=0, equal_nan=True)


def test_cupy_mask_fill_strides_and_out(rng, cupy):
    whole = sky(rng, (80, 90))
    image, there = whole[::2, ::-1], cupy.asarray(whole)[::2, ::-1]
    mask = np.zeros(image.shape, bool)
    mask[10:30, 20:50] = True
    expected = tessera.noise(image, 9, mask=mask, fill=True, backend="cpu")
    for given in (mask, cupy.asarray(mask)):
        out = cupy.full((2, 40, 180), 7, "float32")[:, :, ::2]
        maps = tessera.noise(there, 9, mask=given, fill=True, out=out)
        assert stacked(maps, cupy.asnumpy).tobytes() == stacked(expected, np.asarray).tobytes()
        assert cupy.array_equal(out[1], maps.rms)
    assert cupy.array_equal(there, cupy.asarray(image))


def test_blank_pixels_have_no_signal_over_noise(rng, cupy):
    image = sky(rng, (50, 60))
    image[5, 6], image[9, 9] = np.inf, 0
    for options in ({"fill": True}, {"fill": True, "zero_is_blank": True}):
        maps = tessera.noise(cupy.asarray(image), 12, **options)
        blank = ~np.isfinite(image) | (("zero_is_blank" in options) & (image == 0))
        assert np.array_equal(np.isnan(cupy.asnumpy(maps.snr)), blank)


def test_host_arrays_by_the_device(rng):
    image = with_blanks(rng, sky(rng, (150, 130)))
    maps = tessera.noise_quantiles(image, [0.1, 0.5], (12, 30), backend="cuda")
    assert isinstance(maps, np.ndarray)
    assert maps.tobytes() == tessera.noise_quantiles(image, [0.1, 0.5], (12, 30), backend="cpu").tobytes()


@pytest.mark.parametrize("mode", ["reflect", "mirror", "nearest", "constant", "wrap"])
@pytest.mark.parametrize("size", [1, 6, (21, 40)], ids=str)
def test_percentile_filter(rng, cupy, mode, size):
    image = sky(rng, (70, 90))
    filtered = tessera.percentile_filter(cupy.asarray(image), 35, size, mode=mode, cval=99)
    assert isinstance(filtered, cupy.ndarray)
    expected = tessera.percentile_filter(image, 35, size, mode=mode, cval=99, backend="cpu")
    assert np.array_equal(cupy.asnumpy(filtered), expected)
    by_device = tessera.percentile_filter(image, 35, size, mode=mode, cval=99, backend="cuda")
    assert np.array_equal(by_device, expected)


def test_torch(rng):
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("torch sees no device")
    image = with_blanks(rng, sky(rng, (60, 50)))
    mask = torch.zeros(60, 50, dtype=torch.bool, device="cuda")
    mask[40:, :7] = True
    maps = tessera.noise(torch.as_tensor(image, device="cuda"), 10, mask=mask, fill=True)
    assert maps.rms.is_cuda and maps.snr.is_cuda
    expected = tessera.noise(image, 10, mask=mask.cpu().numpy(), fill=True, backend="cpu")
    assert stacked(maps, lambda a: a.cpu().numpy()).tobytes() == stacked(expected, np.asarray).tobytes()


@pytest.mark.parametrize("option", [{"threads": 2}, {"memory_limit": 1e9}])
def test_what_is_for_host_memory_is_refused(rng, cupy, option):
    with pytest.raises(ValueError, match="noise: threads and memory_limit are for arrays in host memory"):
        tessera.noise(cupy.asarray(sky(rng)), 5, **option)


def test_a_mask_on_the_device_needs_an_image_there(rng, cupy):
    image = sky(rng)
    with pytest.raises(ValueError, match="noise: mask lies on device 0"):
        tessera.noise(image, 5, mask=cupy.zeros(image.shape, bool))
