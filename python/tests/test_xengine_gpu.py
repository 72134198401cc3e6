# SPDX-License-Identifier: Apache-2.0
"""The X-engine on arrays of CuPy and torch. Skipped, and counted, where there is no device."""
import numpy as np
import pytest
from expected_visibilities import as_dtype, full_matrix, in_layout, random_voltages, triangle

import tessera

if not tessera.info()["devices"]:
    pytest.skip(f"no device: {tessera.info()['no_device_reason']}", allow_module_level=True)


@pytest.fixture
def cupy():
    return pytest.importorskip("cupy")


def on_cpu(array, layout="tci", **options):
    return tessera.xengine(array, layout, backend="cpu", method="reference", **options)


@pytest.mark.parametrize("layout", ["tci", "cti", "cit", "act", "tcc", "dp4a"])
@pytest.mark.parametrize("kind", ["ci8", "ci4", "ci16", "cf32", "cf16"])
@pytest.mark.parametrize("antennas, polarisations", [(5, 2), (40, 1), (70, 2)])
def test_cupy_layouts_stay_on_their_device(rng, cupy, layout, kind, antennas, polarisations):
    if (layout == "dp4a" and kind != "ci8") or (layout == "tcc" and kind == "cf32"):
        pytest.skip("not a layout of this type")
    voltages = random_voltages(rng, 96, 3, antennas, polarisations, kind)
    expected = triangle(full_matrix(voltages), polarisations)
    given = in_layout(as_dtype(voltages, kind), layout)
    result = tessera.xengine(cupy.asarray(given), layout, samples=kind, as_complex=True)
    assert isinstance(result, cupy.ndarray)
    bound = 1e-6 * abs(expected).max() if kind.startswith("cf") else 0
    assert abs(cupy.asnumpy(result) - expected).max() <= bound
    from_host = tessera.xengine(given, layout, samples=kind, as_complex=True, backend="cuda")
    assert isinstance(from_host, np.ndarray) and abs(from_host - expected).max() <= bound


def test_any_strides(rng, cupy):
    whole = as_dtype(random_voltages(rng, 64, 4, 9, 2), "ci8")
    for view in [lambda a: a[::2], lambda a: a[::-1], lambda a: a[:, ::-1], lambda a: a[:, :, 1:8:3],
                 lambda a: a[:, :, :, ::-1]]:
        result = tessera.xengine(view(cupy.asarray(whole)))
        assert np.array_equal(cupy.asnumpy(result), on_cpu(view(whole)))


def test_orders_masks_and_averages(rng, cupy):
    array = as_dtype(random_voltages(rng, 100, 4, 6, 2), "ci8")
    mask = rng.random((10, 6, 2)) < 0.7
    for options in [{}, {"order": "full"}, {"order": "register-tile"}, {"average": 2}, {"output_type": "i32"},
                    {"output_type": "f32"}]:
        engine = tessera.XEngine(6, 2, 4, **options)
        engine.add(cupy.asarray(array), valid=cupy.asarray(mask))
        result = engine.dump()
        assert "cuda" in engine.describe() and isinstance(result, cupy.ndarray)
        plain = tessera.XEngine(6, 2, 4, backend="cpu", method="reference", **options)
        plain.add(array, valid=mask)
        assert np.array_equal(cupy.asnumpy(result), plain.dump())
        assert np.array_equal(engine.counts, plain.counts)


def test_sums_beyond_int32(cupy):
    array = np.full((70000, 1, 2, 2, 2), -128, "int8")
    result = cupy.asnumpy(tessera.xengine(cupy.asarray(array)))
    assert result[..., 0].min() == 70000 * 2**15 and not result[..., 1].any()
    engine = tessera.XEngine(2, output_type="i32")
    engine.add(cupy.asarray(array))
    assert int(engine.dump()[..., 0].min()) == 2**31 - 1 and engine.saturated == 12


def test_blocks_from_host_and_device(rng, cupy):
    array = as_dtype(random_voltages(rng, 200, 3, 20, 2), "ci8")
    engine = tessera.XEngine(20, 2, 3)
    engine.add(cupy.asarray(array[:33]))
    engine.add(array[33:150])
    engine.add(cupy.asarray(array[150:]))
    out = cupy.full(engine.output_shape, 7, "int64")
    assert engine.dump(out=out) is out and np.array_equal(cupy.asnumpy(out), on_cpu(array))


def test_the_librarys_stream_is_kept_in_order(rng, cupy):
    """Blocks are overwritten by the stream that made them as soon as `add` has returned."""
    blocks = [as_dtype(random_voltages(rng, 512, 8, 64, 2), "ci8") for _ in range(8)]
    engine = tessera.XEngine(64, 2, 8)
    with cupy.cuda.Stream(non_blocking=True):
        block = cupy.empty(blocks[0].shape, "int8")
        for given in blocks:
            block.set(given)
            engine.add(block)
            block.fill(99)
        result = engine.dump()
        result_on_host = cupy.asnumpy(result)
    assert np.array_equal(result_on_host, on_cpu(np.concatenate(blocks)))


def test_cpu_was_asked_for(cupy):
    with pytest.raises(ValueError, match="the plan runs on the host"):
        tessera.xengine(cupy.zeros((8, 1, 2, 2, 2), "int8"), backend="cpu")


def test_torch(rng):
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("torch sees no device")
    for kind in ("ci8", "ci16", "cf32"):
        array = as_dtype(random_voltages(rng, 90, 3, 5, 2, kind), kind)
        result = tessera.xengine(torch.as_tensor(array, device="cuda"), as_complex=True)
        assert result.is_cuda and result.dtype == torch.complex128
        expected = on_cpu(array, as_complex=True)
        assert abs(result.cpu().numpy() - expected).max() <= (1e-6 * abs(expected).max() if kind == "cf32" else 0)


def test_only_the_cuda_array_interface(rng, cupy):
    class Speaker:
        def __init__(self, array):
            self.array, self.__cuda_array_interface__ = array, array.__cuda_array_interface__

    array = as_dtype(random_voltages(rng, 90, 3, 5, 2), "ci8")
    result = tessera.xengine(Speaker(cupy.asarray(array)), backend="cuda")
    assert isinstance(result, np.ndarray) and np.array_equal(result, on_cpu(array))
