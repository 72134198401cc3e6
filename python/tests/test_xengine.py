# SPDX-License-Identifier: Apache-2.0
"""tessera.xengine and tessera.XEngine against einsum in NumPy."""
import ast
import doctest
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from expected_visibilities import as_dtype, full_matrix, in_layout, random_voltages, triangle
from test_doors import stub_function

import tessera

LAYOUTS = ["tci", "cti", "cit", "act", "tcc", "dp4a"]


def exact(result):
    """Integer parts as complex128, which holds them."""
    assert result.dtype == np.int64 and result.shape[-1] == 2
    return result[..., 0] + 1j * result[..., 1]


@pytest.mark.parametrize("antennas, polarisations, channels, samples",
                         [(1, 1, 1, 1), (1, 2, 3, 5), (5, 2, 3, 97), (7, 1, 2, 64), (3, 4, 2, 33), (33, 2, 1, 50)])
def test_sums(rng, antennas, polarisations, channels, samples):
    voltages = random_voltages(rng, samples, channels, antennas, polarisations)
    expected = triangle(full_matrix(voltages), polarisations)
    result = tessera.xengine(as_dtype(voltages, "ci8"))
    assert np.array_equal(exact(result), expected)
    engine = tessera.XEngine(antennas, polarisations, channels)
    engine.add(as_dtype(voltages, "ci8"))
    assert engine.samples == samples
    assert np.array_equal(engine.dump(), result) and engine.samples == 0
    assert engine.output_shape == result.shape
    assert not engine.dump().any() and engine.counts.max() == 0 and engine.weights.max() == 0


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kind", ["ci8", "ci4", "ci16", "cf32", "cf16"])
def test_layouts(rng, layout, kind):
    if (layout == "dp4a" and kind != "ci8") or (layout == "tcc" and kind == "cf32"):
        pytest.skip("not a layout of this type")
    voltages = random_voltages(rng, 96, 3, 5, 2, kind)
    expected = triangle(full_matrix(voltages), 2)
    given = in_layout(as_dtype(voltages, kind), layout)
    result = tessera.xengine(given, layout, samples=kind)
    if kind.startswith("cf"):
        assert result.dtype == np.complex128
        assert abs(result - expected).max() <= 1e-6 * abs(expected).max()
    else:
        assert np.array_equal(exact(result), expected)
    merged = given.reshape([10 if e == 5 else e for i, e in enumerate(given.shape)
                            if i == 0 or given.shape[i - 1] != 5]) if layout != "act" else None
    if merged is not None:  # one axis for all inputs
        assert np.array_equal(tessera.xengine(merged, layout, samples=kind, polarisations=2), result)


VIEWS = {
    "every second sample": lambda a: a[::2],
    "time backwards": lambda a: a[::-1],
    "channels backwards": lambda a: a[:, ::-1],
    "some antennas": lambda a: a[:, :, 1:6:2],
    "polarisations changed over": lambda a: a[:, :, :, ::-1],
    "Fortran": np.asfortranarray,
    "read-only": lambda a: np.frombuffer(a.tobytes(), a.dtype).reshape(a.shape),
}


@pytest.mark.parametrize("name", VIEWS)
@pytest.mark.parametrize("kind", ["ci8", "ci16", "cf32"])
def test_any_strides(rng, name, kind):
    whole = as_dtype(random_voltages(rng, 40, 4, 7, 2, kind), kind)
    view = VIEWS[name](whole)
    assert np.array_equal(tessera.xengine(view), tessera.xengine(view.copy("C")))


def test_axes_in_any_order(rng):
    voltages = random_voltages(rng, 40, 3, 4, 2)
    array = as_dtype(voltages, "ci8")
    expected = triangle(full_matrix(voltages), 2)
    for layout in ["patc", "ctap", "tcpa", "pcta"]:
        order = ["tcap".index(letter) for letter in layout] + [4]
        assert np.array_equal(exact(tessera.xengine(array.transpose(order), layout)), expected), layout
    one = np.ascontiguousarray(array[:, 0])
    assert np.array_equal(tessera.xengine(one, "tap"), tessera.xengine(array[:, :1]))
    assert np.array_equal(tessera.xengine(one.reshape(40, 8, 2), "ti", polarisations=2), tessera.xengine(array[:, :1]))
    alone = array[:, :, :, 0]
    assert np.array_equal(tessera.xengine(alone, polarisations=1), tessera.xengine(array[:, :, :, :1]))


def test_samples_by_their_dtype(rng):
    voltages = random_voltages(rng, 50, 2, 3, 2)
    parts = as_dtype(voltages, "ci8")
    expected = tessera.xengine(parts)
    records = np.zeros(voltages.shape, [("im", "i1"), ("re", "i1")])
    records["re"], records["im"] = parts[..., 0], parts[..., 1]
    swapped = records.view(np.dtype({"names": ["re", "im"], "formats": ["i1", "i1"], "offsets": [1, 0]}))
    assert np.array_equal(tessera.xengine(swapped), expected)
    assert np.array_equal(tessera.xengine(parts.view("uint8") ^ 128), expected)  # offset binary
    assert np.array_equal(tessera.xengine(parts.astype("int16")), expected)
    odd = np.zeros(voltages.shape, [("flag", "i1"), ("value", [("re", "i2"), ("im", "i2")])])["value"]
    odd["re"], odd["im"] = parts[..., 0], parts[..., 1]
    assert np.array_equal(tessera.xengine(odd), expected)  # a field of a packed record: odd addresses
    floats = parts.astype("float32")
    assert np.array_equal(tessera.xengine(floats), exact(expected))
    assert np.array_equal(tessera.xengine(floats.view("complex64")[..., 0]), exact(expected))
    low = random_voltages(rng, 50, 2, 3, 2, "ci4")
    byte = as_dtype(low, "ci4")
    assert np.array_equal(tessera.xengine(byte, samples="ci4"), tessera.xengine(as_dtype(low, "ci8")))
    turned = (byte << 4 | byte >> 4).astype("uint8")
    assert np.array_equal(tessera.xengine(turned, samples="ci4", real_low=True),
                          tessera.xengine(byte.view("int8"), samples="ci4"))


def test_orders_and_types(rng):
    voltages = random_voltages(rng, 60, 4, 6, 2)
    array, matrix = as_dtype(voltages, "ci8"), full_matrix(voltages)
    assert np.array_equal(exact(tessera.xengine(array, order="full")), matrix)
    assert np.array_equal(tessera.xengine(array, order="full", as_complex=True), matrix)
    assert np.array_equal(tessera.xengine(array, output_type="f64"), triangle(matrix, 2))
    single = tessera.xengine(array, output_type="f32")
    assert single.dtype == np.complex64 and np.array_equal(single, triangle(matrix, 2).astype("complex64"))
    narrow = tessera.xengine(array, output_type="i32")
    assert narrow.dtype == np.int32 and np.array_equal(narrow, tessera.xengine(array))
    averaged = triangle(matrix.reshape(2, 2, 12, 12).sum(1), 2)
    assert np.array_equal(tessera.xengine(array, average=2, as_complex=True), averaged)
    tiles = tessera.xengine(array, order="register-tile")
    assert tiles.shape == (2, 4, 4 * 6 * 4) and tiles.dtype == np.int64
    for dtype, options in [("complex128", {}), ("complex64", {"output_type": "f32"})]:
        tiled = tessera.xengine(array, order="register-tile", as_complex=True, **options)
        assert tiled.dtype == dtype and np.array_equal(tiled, (tiles[0] + 1j * tiles[1]).astype(dtype))
    plain, tiled = triangle(matrix, 2), (tiles[0] + 1j * tiles[1]).reshape(4, 24, 2, 2)
    for a, b in tessera.baselines(6):  # 6 tiles of 2 by 2 antennas
        place = (2 * (b % 2) + a % 2) * 6 + (a // 2) * (a // 2 + 1) // 2 + b // 2
        assert np.array_equal(tiled[:, place], plain[:, a * (a + 1) // 2 + b])


def test_saturation_is_counted(rng):
    array = np.full((70000, 1, 1, 1, 2), -128, "int8")
    engine = tessera.XEngine(1, 1, output_type="i32")
    engine.add(array)
    assert engine.dump()[0, 0, 0, 0].tolist() == [2**31 - 1, 0] and engine.saturated == 1
    assert tessera.xengine(array)[0, 0, 0, 0].tolist() == [70000 * 2 * 128 * 128, 0]


@pytest.mark.parametrize("cuts", [[], [1], [13, 14, 50], list(range(1, 100, 7))])
@pytest.mark.parametrize("threads", [1, 2, 3, 7])
def test_blocks_and_threads_give_the_same_bits(rng, cuts, threads):
    array = as_dtype(random_voltages(rng, 100, 3, 6, 2), "ci8")
    engine = tessera.XEngine(6, 2, 3, threads=threads)
    for block in np.split(array, cuts):
        engine.add(block)
    assert np.array_equal(engine.dump(), tessera.xengine(array, method="reference", backend="cpu"))


def test_floats_of_any_threads(rng):
    array = as_dtype(random_voltages(rng, 600, 3, 9, 2, "cf32"), "cf32")
    results = [tessera.xengine(array, threads=threads, backend="cpu") for threads in (1, 2, 3, 7)]
    assert all(np.array_equal(each, results[0]) for each in results)


MASKS = {"a sample": 1, "7 samples": 7, "half": 50, "all": 100}


@pytest.mark.parametrize("name", MASKS)
@pytest.mark.parametrize("order", ["triangular", "full"])
def test_masks(rng, name, order):
    length = MASKS[name]
    voltages = random_voltages(rng, 100, 2, 4, 2)
    mask = rng.random((-(-100 // length), 4, 2)) < 0.7
    mask[0, 0, 0] = False
    each = np.repeat(mask, length, 0)[:100]
    expected = full_matrix(voltages, each)
    flat = each.reshape(100, 8).astype(int)
    counts = flat.T @ flat
    if order == "triangular":
        expected, counts = triangle(expected, 2), triangle(counts[None], 2)[0]
    engine = tessera.XEngine(4, 2, 2, order=order)
    engine.add(as_dtype(voltages, "ci8"), valid=mask, valid_samples=length)
    assert np.array_equal(engine.dump(as_complex=True), expected)
    assert engine.counts.dtype == np.int64 and np.array_equal(engine.counts, counts)
    assert np.array_equal(engine.weights, counts / 100)
    if 100 % length == 0:
        assert np.array_equal(tessera.xengine(as_dtype(voltages, "ci8"), valid=mask.astype("uint8"), order=order,
                                              as_complex=True), expected)


def test_masks_of_antennas_and_several_blocks(rng):
    array = as_dtype(random_voltages(rng, 40, 2, 3, 2), "ci8")
    valid = np.array([[True, False, True]])
    engine = tessera.XEngine(3, 2, 2, average=2)
    engine.add(array, valid=valid)
    engine.add(array)
    engine.add(array[:7], valid=valid.repeat(2, 1))
    engine.dump()
    assert engine.counts[:, 0, 0].tolist() == [174, 80, 80, 174, 80, 174]
    assert engine.weights[:, 1, 0].round(3).tolist() == [1, 0.46, 0.46, 1, 0.46, 1]
    engine.add(array)
    engine.clear()
    assert engine.samples == 0
    engine.add(array)
    assert np.array_equal(engine.dump(), tessera.xengine(array, average=2)) and engine.counts.min() == 80


def test_out_is_filled(rng):
    array = as_dtype(random_voltages(rng, 30, 2, 3, 2), "ci8")
    out = np.full((2, 6, 2, 2, 2), 7, "int64")
    assert tessera.xengine(array, out=out) is out and np.array_equal(out, tessera.xengine(array))
    engine = tessera.XEngine(3, 2, 2)
    engine.add(array)
    assert engine.dump(out=out) is out
    for bad, message in [(np.zeros((2, 6, 2, 2), "int64"),
                          r"out is \(2, 6, 2, 2\) of int64; it must be \(2, 6, 2, 2, 2\)"),
                         (out.astype("int32"), "of int32; it must be .* of int64"),
                         (np.asfortranarray(out), "has gaps"),
                         (np.frombuffer(out.tobytes(), "i8").reshape(out.shape), "read-only")]:
        with pytest.raises(ValueError, match=message):
            engine.dump(out=bad)
    with pytest.raises(TypeError, match="out must be an array"):
        engine.dump(out=[1])


def test_context_gives_memory_back(rng):
    array = as_dtype(random_voltages(rng, 30, 2, 3, 2), "ci8")
    with tessera.XEngine(3, 2, 2) as engine:
        engine.add(array)
        first = engine.dump()
        engine.add(array)
    assert engine.samples == 0
    engine.add(array)
    assert np.array_equal(engine.dump(), first)
    with pytest.raises(KeyError):
        with engine:
            raise KeyError


def test_torch_on_the_host_stays_torch(rng):
    torch = pytest.importorskip("torch")
    array = as_dtype(random_voltages(rng, 30, 2, 3, 2), "ci8")
    result = tessera.xengine(torch.as_tensor(array), backend="cpu")
    assert isinstance(result, torch.Tensor) and result.dtype == torch.int64
    assert np.array_equal(result.numpy(), tessera.xengine(array))
    assert tessera.xengine(torch.as_tensor(array), backend="cpu", as_complex=True).dtype == torch.complex128


def test_dlpack_alone(rng):
    class Speaker:
        def __init__(self, array):
            self.array = array

        def __dlpack__(self, **options):
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    for kind in ("ci8", "ci16", "cf32"):
        array = as_dtype(random_voltages(rng, 30, 2, 3, 2, kind), kind)[::-2]
        result = tessera.xengine(Speaker(array))
        assert isinstance(result, np.ndarray) and np.array_equal(result, tessera.xengine(array))


def test_baselines():
    pairs = tessera.baselines(40)
    assert pairs.shape == (820, 2) and pairs.dtype == np.int32
    assert np.array_equal(pairs, np.stack(np.tril_indices(40), -1))
    with pytest.raises(ValueError, match="0 antennas; give 1 or more"):
        tessera.baselines(0)


def test_threads_share_an_engine(rng):
    blocks = [as_dtype(random_voltages(rng, 50, 2, 6, 2), "ci8") for _ in range(32)]
    engine = tessera.XEngine(6, 2, 2, threads=1)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(engine.add, blocks))
    assert engine.samples == 1600
    assert np.array_equal(engine.dump(), tessera.xengine(np.concatenate(blocks)))


def test_other_threads_run_meanwhile(rng):
    array = as_dtype(random_voltages(rng, 400, 2, 48, 2), "ci8")
    engine = tessera.XEngine(48, 2, 2, method="reference", backend="cpu", threads=1)
    before, count, stop, started = sys.getswitchinterval(), 0, False, threading.Event()

    def count_up():
        nonlocal count
        while not stop:
            started.set()
            count += 1
            time.sleep(0)

    sys.setswitchinterval(1000)  # the interpreter then lets go only where it is let go
    try:
        other = threading.Thread(target=count_up)
        other.start()
        started.wait()
        first = count
        engine.add(array)
        during = count - first
        stop = True
        other.join()
    finally:
        sys.setswitchinterval(before)
    assert during > 10


@pytest.mark.parametrize("name", ["xengine", "XEngine", "XEngine.add", "XEngine.dump", "baselines"])
def test_examples_of_docstrings(rng, name):
    thing = tessera
    for part in name.split("."):
        thing = getattr(thing, part)
    examples = doctest.DocTestParser().get_examples(thing.__doc__)
    assert examples
    names = {"tessera": tessera, "np": np, "rng": rng, "recording": [np.ones((1000, 16, 5, 2, 2), "int8")] * 3}
    for example in examples:
        if example.want:
            assert repr(eval(example.source, names)) == example.want.strip()
        else:
            exec(example.source, names)


def test_stub_and_describe():
    arguments = stub_function("xengine").args
    defaults = {a.arg: ast.literal_eval(d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)}
    known = {"polarisations", "valid", "valid_samples", "as_complex", "out", "samples", "offset_binary", "real_low",
             "average", "order", "output_type", "backend", "method", "device", "threads", "memory_limit"}
    assert known == defaults.keys()
    array = np.ones((8, 1, 2, 2, 2), "int8")
    expected = tessera.xengine(array)
    for name, value in defaults.items():
        assert np.array_equal(tessera.xengine(array, **{name: value}), expected)
        assert name in tessera.xengine.__doc__
    assert tessera.XEngine(64, channels=512, method="reference").describe().startswith(
        "xengine 64x2 inputs, 512 channels, ci8: cpu reference")
