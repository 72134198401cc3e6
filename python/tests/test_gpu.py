# SPDX-License-Identifier: Apache-2.0
"""Arrays on a device, of CuPy and torch. Skipped, and counted, where there is no device."""
import numpy as np
import pytest
from expected import random_image

import tessera

if not tessera.info()["devices"]:
    pytest.skip(f"no device: {tessera.info()['no_device_reason']}", allow_module_level=True)

WEIGHTS = np.array([[1.0, 2.0, -1.0], [0.5, 3.0, 0.25], [-2.0, 1.0, 0.125]])
DTYPES = ["uint8", "uint16", "float32", "float64"]


@pytest.fixture
def cupy():
    return pytest.importorskip("cupy")


@pytest.fixture
def torch():
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("torch sees no device")
    return torch


def on_host(image, **options):
    """The same device path, through NumPy."""
    return tessera.convolve(image, WEIGHTS, backend="cuda", **options)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("border", ["valid", "reflect-101", "wrap", "inside"])
def test_cupy_gives_the_bits_of_numpy(rng, cupy, dtype, border):
    image = random_image(rng, (67, 81, 3), dtype)
    result = tessera.convolve(cupy.asarray(image), WEIGHTS, border=border, channel_axis=-1)
    assert isinstance(result, cupy.ndarray)
    assert np.array_equal(cupy.asnumpy(result), on_host(image, border=border, channel_axis=-1))


@pytest.mark.parametrize("dtype", ["uint8", "float32", "float64"])
def test_torch_gives_the_bits_of_numpy(rng, torch, dtype):
    image = random_image(rng, (3, 67, 81), dtype)
    result = tessera.convolve(torch.as_tensor(image, device="cuda"), WEIGHTS, channel_axis=0)
    assert isinstance(result, torch.Tensor) and result.is_cuda
    assert np.array_equal(result.cpu().numpy(), on_host(image, channel_axis=0))


def test_strided_views_and_results(rng, cupy):
    image = random_image(rng, (60, 80), "float32")
    whole = cupy.full((30, 40), 77, "f4")
    out = whole[::-1, ::2]
    view = cupy.asarray(image)[::2, ::-4]
    assert tessera.convolve(view, WEIGHTS, out=out) is out
    assert np.array_equal(cupy.asnumpy(out), on_host(np.ascontiguousarray(image[::2, ::-4])))
    assert cupy.count_nonzero(whole == 77) == 600


def test_filters_on_the_device(rng, cupy, torch):
    image = random_image(rng, (20, 30), "float32")
    expected = on_host(image)
    for weights in (cupy.asarray(WEIGHTS), torch.as_tensor(WEIGHTS, device="cuda")):
        assert np.array_equal(on_host(image), expected)
        assert np.array_equal(tessera.convolve(image, weights, backend="cuda"), expected)


def test_only_cuda_array_interface(rng, cupy):
    class Speaker:
        def __init__(self, array):
            self.array = array
            self.__cuda_array_interface__ = array.__cuda_array_interface__

    image = random_image(rng, (20, 30), "float32")
    given, out = Speaker(cupy.asarray(image)), cupy.zeros((20, 30), "f4")
    tessera.convolve(given, WEIGHTS, out=out)
    assert np.array_equal(cupy.asnumpy(out), on_host(image))
    with pytest.raises(TypeError, match="give out="):
        tessera.convolve(given, WEIGHTS)


def test_work_is_enqueued_on_the_current_stream(rng, cupy):
    """The stream is kept busy, then the image is written, filtered and overwritten in its order."""
    spin = cupy.RawKernel(
        'extern "C" __global__ void spin(long long n) { long long s = clock64(); while (clock64() - s < n) ; }', "spin")
    image = random_image(rng, (256, 256), "float32")
    expected = on_host(image)
    source, given = cupy.asarray(image), cupy.zeros((256, 256), "f4")
    out = cupy.empty_like(given)
    plan = tessera.Convolve(image.shape, image.dtype, WEIGHTS, backend="cuda")
    plan(given, out)
    stream = cupy.cuda.Stream(non_blocking=True)
    cupy.cuda.Device().synchronize()
    with stream:
        spin((1,), (1,), (300_000_000,))
        given[...] = source
        plan(given, out)
        still_running = not stream.done
        given[...] = 0
    stream.synchronize()
    assert still_running, "the call waited"
    assert np.array_equal(cupy.asnumpy(out), expected)


def test_device_memory_is_flat_over_a_thousand_calls(rng, cupy):
    image = cupy.asarray(random_image(rng, (512, 512, 3), "uint8"))
    plan = tessera.Convolve(image.shape, image.dtype, "gauss:2", channel_axis=-1, backend="cuda")
    host = cupy.asnumpy(image)

    def free_after(calls):
        for _ in range(calls):
            plan(image)
            tessera.convolve(image, "gauss:2", channel_axis=-1)
        plan(host)
        cupy.cuda.Device().synchronize()
        return cupy.cuda.runtime.memGetInfo()[0]

    before = free_after(20)
    assert abs(free_after(1000) - before) <= 1 << 20


@pytest.mark.parametrize("dtype", ["uint8", "uint16"])
@pytest.mark.parametrize("steps", ["grey,contrast,smooth", "equalise", "clahe", "smooth,contrast"])
def test_enhance_gives_the_bytes_of_the_cpu(rng, cupy, dtype, steps):
    image = random_image(rng, (67, 81, 3), dtype)
    expected = tessera.enhance(image, steps=steps, backend="cpu")
    result = tessera.enhance(cupy.asarray(image), steps=steps)
    assert isinstance(result, cupy.ndarray)
    assert np.array_equal(cupy.asnumpy(result), expected)
    counts = tessera.histogram(cupy.asarray(image))
    assert isinstance(counts, np.ndarray) and np.array_equal(counts, tessera.histogram(image, backend="cpu"))
    view = cupy.moveaxis(cupy.asarray(image), -1, 0)
    right = tessera.enhance(np.moveaxis(image, -1, 0), steps=steps, channel_axis=0, backend="cpu")
    assert np.array_equal(cupy.asnumpy(tessera.enhance(view, steps=steps, channel_axis=0)), right)
    with pytest.raises(ValueError, match="channel_axis=-1"):
        tessera.enhance(cupy.ascontiguousarray(view), steps=steps, channel_axis=0)


def test_correlate_plans_take_arrays_of_both_sides(rng, cupy):
    planes = rng.standard_normal((4, 64, 64)).astype("float32")
    plan = tessera.Correlate(planes.shape, planes.dtype, max_shift=32, backend="cuda")
    assert np.array_equal(cupy.asnumpy(plan(cupy.asarray(planes))), plan(planes))


def test_devices_must_agree(rng, cupy):
    image = random_image(rng, (20, 30), "float32")
    with pytest.raises(ValueError, match="where the input lies"):
        tessera.convolve(cupy.asarray(image), WEIGHTS, out=np.empty_like(image))
