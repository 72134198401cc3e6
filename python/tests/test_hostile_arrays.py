# SPDX-License-Identifier: Apache-2.0
"""Arrays that lie about themselves, and odd but honest ones: a result or an exception, never a signal."""
import array
import mmap

import numpy as np
import pytest
from hostile import check_alone

import tessera

IMAGE = np.arange(64 * 48, dtype=np.float32).reshape(64, 48)
BLURRED = tessera.convolve(IMAGE, "gauss:1")

LIARS = """
backing = np.arange(64 * 48, dtype=np.float32)
address = backing.ctypes.data
honest = {"shape": (64, 48), "typestr": "<f4", "data": (address, False), "version": 3}

class Raises:
    @property
    def __array_interface__(self): raise ZeroDivisionError("no")
class RaisesInDlpack:
    def __dlpack_device__(self): return (1, 0)
    def __dlpack__(self, **options): raise ZeroDivisionError("no")
class Liar:
    def __init__(self, name, value): setattr(self, name, value)
class Subclass(np.ndarray):
    pass
class Dlpack:
    def __init__(self, device, capsule): self.device, self.capsule = device, capsule
    def __dlpack_device__(self): return self.device
    def __dlpack__(self, **options): return self.capsule

CHANGES = [dict(shape=(-64, 48)), dict(shape=(64, -1)), dict(shape=(1 << 62, 1 << 62)), dict(shape=(1 << 70, 48)),
           dict(shape=(1 << 31, 1 << 31)), dict(shape=(1 << 40, 48)), dict(shape="64"), dict(shape=64),
           dict(shape=None), dict(shape=(64.0, 48)), dict(shape=("64", 48)), dict(shape=[64, 48]), dict(shape=()),
           dict(shape=(1,) * 70),
           dict(strides=(1 << 62, 4)), dict(strides=(-(1 << 62), 4)), dict(strides=(4,)), dict(strides="ab"),
           dict(strides=(1 << 45, 4)), dict(strides=(192, 4, 4)), dict(strides=(1.5, 4)), dict(strides=5),
           dict(typestr="<f3"), dict(typestr="|O"), dict(typestr=5), dict(typestr="|V0"), dict(typestr="|S0"),
           dict(typestr="nonsense"), dict(typestr=None), dict(typestr=b"<f4"), dict(typestr="\\udcff"),
           dict(data=(0, False)), dict(data=(8, False)), dict(data=(-1, False)), dict(data=(1 << 63, False)),
           dict(data=(1 << 200, False)), dict(data=("x", False)), dict(data=None), dict(data=(address,)),
           dict(data=(None, None)), dict(data=(1.5, False)), dict(data=7), dict(data=(address & ~0xFFFFFFFFFF, False)),
           dict(version="no"), dict(descr=5)]
interfaces = [{**honest, **change} for change in CHANGES] + [{}, None, 5, "text", [], {"shape": (64, 48)}]

def attempts():
    for name in "__array_interface__", "__cuda_array_interface__":
        for interface in interfaces:
            yield f"{name} {str(interface)[:150]!r}", Liar(name, interface)
            lie = type("Lie", (Subclass,), {name: property(lambda self, value=interface: value)})
            yield f"subclass with {name} {str(interface)[:150]!r}", backing.reshape(64, 48).view(lie)
    for struct in None, 5, "text", (ctypes.py_object(5),):
        yield f"__array_struct__ {struct}", Liar("__array_struct__", struct)
    for dtype in "f8", "u1", None, 5:
        lie = type("Lie", (Subclass,), {"dtype": property(lambda self, value=dtype: value),
                                        "shape": property(lambda self: (1 << 40, 1 << 20)),
                                        "strides": property(lambda self: (1 << 40, 1))})
        yield f"subclass of dtype {dtype}", backing.reshape(64, 48).view(lie)
    yield "raises", Raises()
    yield "raises in DLPack", RaisesInDlpack()
    good = backing.reshape(64, 48)
    for device in (1, 0), (2, 0), (99, 0), (-1, 0), (1 << 40, 0), None, "cpu", (1,), ("cpu", 0), 7:
        for capsule in None, 5, "text", good, good.__dlpack__(), ctypes.py_object(good):
            yield f"DLPack on {device} {type(capsule)}", Dlpack(device, capsule)
    for class_module in "torch", "cupy", "numpy", "torch.x", 5, "\\udcff":
        yield f"pretends to be {class_module!r}", type("Tensor", (), {"__module__": class_module})()
"""

TAKERS = {
    "convolve": "tessera.convolve(given, 'gauss:1')",
    "out": "tessera.convolve(backing.reshape(64, 48), 'gauss:1', out=given)",
    "filter": "tessera.convolve(backing.reshape(64, 48), given)",
    "correlate": "tessera.correlate(given, max_shift=3)",
    "noise": "tessera.noise(given, box=8)",
    "mask": "tessera.noise(backing.reshape(64, 48), box=8, mask=given)",
    "faraday": "tessera.faraday_synth(given, given, np.linspace(1e9, 2e9, 64), phi_max=100, dphi=10)",
    "frequency": "tessera.faraday_axes(given)",
    "xengine": "tessera.xengine(given)",
    "histogram": "tessera.histogram(given)",
    "cells": "tessera.detect_cells(given)",
    "write": "tessera.write('/dev/null/x.npy', given)",
}


@pytest.mark.parametrize("taker", TAKERS)
def test_lies_are_exceptions(taker):
    said = check_alone(LIARS + f"""
for name, given in attempts():
    print(name, flush=True)
    try:
        {TAKERS[taker]}
    except Exception as error:
        assert not isinstance(error, (SystemError, UnicodeDecodeError)), (name, error)
        assert "bad_cast" not in str(error), (name, error)
print("all tried")
""")
    assert said.endswith("all tried\n")


def test_a_subclass_cannot_say_where_its_memory_is():
    class Lie(np.ndarray):
        shape = property(lambda self: (1 << 40, 1 << 20))
        __array_interface__ = property(lambda self: {"shape": (1 << 40, 48), "typestr": "<f4", "data": (8, False)})

    assert np.array_equal(tessera.convolve(IMAGE.view(Lie), "gauss:1"), BLURRED)


class OwnCopy:
    """Every capsule has memory of its own, as from libraries that convert on the way out."""

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, **options):
        return IMAGE.copy().__dlpack__()


def test_the_memory_of_a_dlpack_capsule_lives_as_long_as_the_call():
    for _ in range(20):
        assert np.array_equal(tessera.convolve(OwnCopy(), "gauss:1"), BLURRED)
    maps, expected = tessera.noise(OwnCopy(), box=8), tessera.noise(IMAGE, box=8)
    np.full_like(IMAGE, np.nan)  # takes the memory that was let go
    assert np.array_equal(maps.snr, expected.snr, equal_nan=True)


def test_the_memory_of_a_dlpack_capsule_is_given_back():
    freed = []

    class Noted(np.ndarray):
        def __del__(self):
            freed.append(True)

    class Copies:
        def __dlpack_device__(self):
            return (1, 0)

        def __dlpack__(self, **options):
            return IMAGE.copy().view(Noted).__dlpack__()

    tessera.convolve(Copies(), "gauss:1")
    assert freed


MASKED_TAKERS = {
    "convolve": lambda a: tessera.convolve(a, "gauss:1"),
    "filter": lambda a: tessera.convolve(IMAGE, a[:3, :3]),
    "erode": lambda a: tessera.erode(a, "disk:2"),
    "element": lambda a: tessera.erode(IMAGE, a[:3, :3]),
    "correlate": lambda a: tessera.correlate(a, max_shift=3),
    "other": lambda a: tessera.correlate(IMAGE, a, max_shift=3),
    "enhance": lambda a: tessera.contrast(np.ma.asarray(a).astype("uint8")),
    "histogram": lambda a: tessera.histogram(np.ma.asarray(a).astype("uint8")),
    "percentile": lambda a: tessera.percentile_filter(a, 50, size=5),
    "cells": tessera.detect_cells,
    "track": lambda a: tessera.track_cells(a[None]),
    "synth": lambda a: tessera.faraday_synth(a, IMAGE, np.linspace(1e9, 2e9, 64), phi_max=100, dphi=10),
    "axes": lambda a: tessera.faraday_axes(np.ma.abs(a[0]) * 1e6 + 1e9),
    "write": lambda a: tessera.write("/nowhere/x.npy", a),
    "int16": lambda a: tessera.dilate(np.ma.asarray(a).astype("int16"), "disk:2"),
    "other order": lambda a: tessera.convolve(np.ma.asarray(a).astype(">f4"), "gauss:1"),
    "line": lambda a: tessera.convolve(a[0], [1, 2, 1]),
    "plan": lambda a: tessera.Convolve(a.shape, "int32", "gauss:1")(np.ma.asarray(a).astype("int32")),
    "out": lambda a: tessera.convolve(IMAGE, "gauss:1", out=a.copy()),
    "median": lambda a: tessera.median_filter(np.ma.asarray(a).astype("int16"), 3),
    "gaussian_filter": lambda a: tessera.gaussian_filter(a, 1),
    "magnitude": tessera.scharr,
    "clahe": lambda a: tessera.clahe(np.ma.asarray(a).astype(">u2")),
    "beam": lambda a: tessera.beam_smooth(a, (5, 5, 0), (9, 9, 0), 1.0),
}


@pytest.mark.parametrize("taker", MASKED_TAKERS)
def test_masked_values_are_refused(taker):
    masked = np.ma.masked_array(IMAGE, np.zeros(IMAGE.shape, bool))
    masked.mask[0, 1] = True
    with pytest.raises(TypeError, match="masked.*filled"):
        MASKED_TAKERS[taker](masked)


def test_masks_that_hide_nothing_pass():
    for mask in np.ma.nomask, np.zeros(IMAGE.shape, bool):
        assert np.array_equal(tessera.convolve(np.ma.masked_array(IMAGE, mask), "gauss:1"), BLURRED)


def test_noise_honours_masks():
    masked = np.ma.masked_array(IMAGE, IMAGE > 2000)
    expected = tessera.noise(np.where(IMAGE > 2000, np.float32("nan"), IMAGE), box=8)
    assert np.array_equal(tessera.noise(masked, box=8).background, expected.background, equal_nan=True)


def test_masks_of_array_interfaces_are_refused():
    class Masked:
        __array_interface__ = {**IMAGE.__array_interface__, "mask": np.ones(IMAGE.shape, bool)}

    with pytest.raises(TypeError, match="masked"):
        tessera.convolve(Masked(), "gauss:1")


def test_honest_subclasses_work(tmp_path):
    np.save(tmp_path / "a.npy", IMAGE)
    subclasses = [np.asmatrix(IMAGE), np.load(tmp_path / "a.npy", mmap_mode="r"), IMAGE.view(np.recarray)]
    for image in subclasses:
        result = tessera.convolve(image, "gauss:1")
        assert np.array_equal(result, BLURRED)
        assert type(result) is np.ndarray
    out = np.asmatrix(np.zeros_like(IMAGE))
    assert tessera.convolve(IMAGE, "gauss:1", out=out) is out
    assert np.array_equal(out, BLURRED)


def test_buffers_cannot_shrink_meanwhile():
    memory = bytearray(IMAGE.tobytes())
    view = np.frombuffer(memory, np.float32).reshape(IMAGE.shape)
    plan = tessera.Convolve(IMAGE.shape, IMAGE.dtype, "gauss:1")
    assert np.array_equal(plan(view), BLURRED)
    with pytest.raises(BufferError):
        memory.clear()
    file = mmap.mmap(-1, IMAGE.nbytes)
    file.write(IMAGE.tobytes())
    assert np.array_equal(tessera.convolve(np.frombuffer(file, np.float32).reshape(IMAGE.shape), "gauss:1"), BLURRED)


@pytest.mark.parametrize("given", [
    np.float32(3), np.zeros((), np.float32),
    np.zeros(5, np.float32), np.zeros((2, 2), object), np.zeros((2, 2), "U3"), np.zeros((2, 2), "M8[s]"),
    np.zeros((2, 2), "V0"), np.zeros((2, 2), "S0"), np.zeros((2, 2), "c8"), np.zeros((4, 4), ">i8"),
    np.zeros((4, 4), [("a", "u1"), ("b", "f4")]), array.array("f", range(5)), b"bytes", bytearray(5), memoryview(b"x"),
    None, 5, "text", {}, [], [[1, 2], [3]], [[1, "a"]], object(), iter([1]), float("nan"),
], ids=lambda given: f"{type(given).__name__}{getattr(given, 'dtype', '')}{getattr(given, 'shape', '')}")
def test_odd_arrays_are_refused(given):
    with pytest.raises((TypeError, ValueError)):
        tessera.convolve(given, "gauss:1")


@pytest.mark.parametrize("shape", [(0, 5), (5, 0), (0, 0)])
def test_empty_images(shape):
    said = check_alone(f"""
empty = np.zeros({shape}, np.float32)
assert tessera.convolve(empty, "gauss:1").shape == {shape}
for call in (lambda: tessera.correlate(empty, max_shift=1), lambda: tessera.noise(empty, box=8).snr,
             lambda: tessera.detect_cells(empty), lambda: tessera.track_cells(empty[None]),
             lambda: tessera.erode(empty, "disk:2"), lambda: tessera.percentile_filter(empty, 50, size=3),
             lambda: tessera.clahe(empty.astype("u1")), lambda: tessera.histogram(empty.astype("u1")),
             lambda: tessera.write(sys.argv[1], empty), lambda: tessera.xengine(empty.astype("i1")),
             lambda: tessera.faraday_synth(empty, empty, [1e9] * {shape[0]}, phi_max=100, dphi=10)):
    try: call()
    except (ValueError, TypeError): pass
print("all tried")
""", "/nowhere/x.npy")
    assert said == "all tried\n"


def test_byte_swapped_and_unaligned_arrays():
    assert np.array_equal(tessera.convolve(IMAGE.astype(">f4"), "gauss:1"), BLURRED)
    assert np.array_equal(tessera.Convolve(IMAGE.shape, ">f4", "gauss:1")(IMAGE.astype(">f4")), BLURRED)
    records = np.zeros(IMAGE.shape, [("flag", "u1"), ("value", "f4")])
    records["value"] = IMAGE
    assert np.array_equal(tessera.convolve(records["value"], "gauss:1"), BLURRED)
    with pytest.raises(ValueError, match="not aligned"):
        tessera.convolve(IMAGE, "gauss:1", out=records["value"])
