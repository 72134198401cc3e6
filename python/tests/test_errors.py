# SPDX-License-Identifier: Apache-2.0
"""Every error has its exception, and its message has the right words."""
import re

import numpy as np
import pytest

import tessera

IMAGE = np.zeros((8, 9), np.float32)
ONE = np.ones((1, 1))


def frozen():
    array = np.zeros_like(IMAGE)
    array.flags.writeable = False
    return array


TABLE = [
    (lambda: tessera.convolve(IMAGE.astype(np.int64), ONE), TypeError, "dtype int64; bool, int8, int16"),
    (lambda: tessera.convolve(IMAGE.astype(np.float16), ONE, output_type="u8"), ValueError, "u8 of input f32"),
    (lambda: tessera.convolve(IMAGE.astype(np.complex64), ONE), TypeError, "dtype complex64"),
    (lambda: tessera.convolve(IMAGE, ONE, out=np.zeros(IMAGE.shape, "c8")), TypeError, "dtype complex64"),
    (lambda: tessera.convolve("picture.png", ONE), TypeError, "image has dtype"),
    (lambda: tessera.convolve(IMAGE[0, 0], ONE), ValueError, "shape (), which leaves 0 axes"),
    (lambda: tessera.convolve(np.zeros((4, 8, 9), np.float32), ONE), ValueError, "channel_axis=-1"),
    (lambda: tessera.convolve(IMAGE, ONE, channel_axis=2), ValueError, "channel_axis 2 must be between -2 and 1"),
    (lambda: tessera.convolve(np.zeros((4, 8, 9), "f4"), ONE, channel_axis=0, batch_axis=-3), ValueError,
     "both axis 0"),
    (lambda: tessera.convolve(IMAGE, np.ones((0, 5))), ValueError, "the filter is 5 by 0"),
    (lambda: tessera.convolve(IMAGE, np.ones(5)), ValueError, "filter has shape (5,)"),
    (lambda: tessera.convolve(IMAGE, ONE * 1j), TypeError, "real numbers"),
    (lambda: tessera.convolve(IMAGE, "gaus:2"), ValueError, "gauss"),
    (lambda: tessera.convolve(IMAGE, "missing.npy"), FileNotFoundError, "missing.npy"),
    (lambda: tessera.convolve(IMAGE, ONE, border="mirrored"), ValueError, "reflect-101"),
    (lambda: tessera.convolve(IMAGE, ONE, border=3), TypeError, "border is 3; it must be text"),
    (lambda: tessera.convolve(IMAGE, ONE, bordr="wrap"), TypeError, "did you mean 'border'?"),
    (lambda: tessera.convolve(IMAGE, ONE, zzzzzz=1), TypeError, "has no option 'zzzzzz'"),
    (lambda: tessera.convolve(IMAGE, ONE, method="magic"), ValueError, "magic"),
    (lambda: tessera.convolve(IMAGE, ONE, anchor=(1, 0)), ValueError, "anchor is column 0, row 1"),
    (lambda: tessera.erode(IMAGE, np.ones((3, 5)), anchor=(4, 1)), ValueError,
     "the anchor is column 1, row 4, which the element does not have; its columns are 0 to 4, its rows 0 to 2"),
    (lambda: tessera.convolve(IMAGE, ONE, anchor=1), TypeError, "(row, column)"),
    (lambda: tessera.convolve(IMAGE, ONE, scale="big"), TypeError, "scale is 'big'; it must be a number"),
    (lambda: tessera.convolve(IMAGE, ONE, scale=np.inf), ValueError, "finite"),
    (lambda: tessera.convolve(IMAGE, ONE, flip=1), TypeError, "flip is 1; it must be True or False"),
    (lambda: tessera.convolve(IMAGE, ONE, threads=1.5), TypeError, "a whole number"),
    (lambda: tessera.convolve(IMAGE, ONE, threads=-1), ValueError, "0 or more"),
    (lambda: tessera.convolve(IMAGE, ONE, memory_limit=-1), ValueError, "0 or more"),
    (lambda: tessera.convolve(IMAGE, ONE, output_type="u16"), ValueError,
     "output type u16 of input f32 is not offered; it can be f32 or f64"),
    (lambda: tessera.convolve(IMAGE.astype("u1"), ONE, output_type="u16"), ValueError, "it can be u8, i16, f32 or f64"),
    (lambda: tessera.convolve(IMAGE, ONE, output_type="int8"), TypeError, "dtype int8"),
    (lambda: tessera.convolve(IMAGE, ONE, out=IMAGE), ValueError, "convolve"),
    (lambda: tessera.convolve(IMAGE, ONE, out=IMAGE[1:]), ValueError, "out is (7, 9) of float32; it must be (8, 9)"),
    (lambda: tessera.convolve(IMAGE, ONE, out=np.zeros((8, 9))), ValueError, "out is (8, 9) of float64"),
    (lambda: tessera.convolve(IMAGE, ONE, out=frozen()), ValueError, "read-only"),
    (lambda: tessera.convolve(IMAGE, ONE, out=[[0.0]]), TypeError, "out must be an array"),
    (lambda: tessera.convolve(IMAGE), TypeError, "incompatible function arguments"),
    (lambda: tessera.Convolve("large", "f32", ONE), TypeError, "shape must be"),
    (lambda: tessera.Convolve((8, -9), "f32", ONE), ValueError, "0 or more"),
    (lambda: tessera.Convolve((8, 9), "int64", ONE), TypeError, "dtype int64"),
    (lambda: tessera.Convolve((8, 9), "f32", ONE)(IMAGE[1:]), ValueError,
     "image is (7, 9) of float32; it must be (8, 9)"),
    (lambda: tessera.gaussian(-1), ValueError, "sigma is -1"),
    (lambda: tessera.gabor(1, np.inf, 1), ValueError, "an angle of inf degrees is not a direction"),
    (lambda: tessera.anisotropic_gaussian(2, 1, np.nan), ValueError, "an angle of nan degrees"),
    (lambda: tessera.read("missing.npy"), FileNotFoundError, "missing.npy"),
    (lambda: tessera.write("image.xyz", IMAGE), ValueError, "xyz"),
]


@pytest.mark.parametrize("call, exception, words", TABLE)
def test_errors(call, exception, words):
    with pytest.raises(exception, match=re.escape(words)):
        call()
    assert not IMAGE.any()


@pytest.mark.parametrize("call, dtype, end", [
    (lambda image: tessera.beam_smooth(image, (9, 9, 0), (5, 5, 0), 1), "i2", 'image.astype("f4") is right'),
    (lambda image: tessera.convolve(image, ONE), "i8", 'image.astype("f8") is right for whole numbers up to 2^53'),
    (lambda image: tessera.convolve(image, ONE), "c8", "float32 and float64 work"),
    (lambda image: tessera.convolve(IMAGE, ONE, output_type=image.dtype), "i1", "byte order work"),
    (tessera.enhance, "i2", "uint8, uint16, float32 and float64 work"),
    (tessera.clahe, "i8", "uint8, uint16, float32 and float64 work"),
    (tessera.histogram, "i2", "uint8 and uint16 work"),
])
def test_a_dtype_is_advised_only_if_it_works(call, dtype, end):
    with pytest.raises(TypeError) as refusal:
        call(np.zeros((8, 9), dtype))
    assert str(refusal.value).endswith(end)


def test_an_output_that_exists(tmp_path):
    tessera.write(tmp_path / "a.npy", IMAGE)
    for kind in FileExistsError, ValueError, tessera.OutputExistsError:
        with pytest.raises(kind, match="a.npy exists; give the option force"):
            tessera.write(tmp_path / "a.npy", IMAGE)
    tessera.write(tmp_path / "a.npy", IMAGE, force=True)


def test_two_byte_file(tmp_path):
    (tmp_path / "short.npy").write_bytes(b"\x93N")
    with pytest.raises(OSError, match="short.npy"):
        tessera.read(tmp_path / "short.npy")
