# SPDX-License-Identifier: Apache-2.0
"""Errors of noise are one sentence each; its help names every option."""
import re

import numpy as np
import pytest

import tessera

IMAGE = np.zeros((8, 9), np.float32)
MASK = np.zeros((8, 9), bool)
ERRORS = [
    (lambda: tessera.noise(IMAGE.astype(np.int64)), TypeError, "noise: image has dtype int64; bool, int8, int16"),
    (lambda: tessera.noise(IMAGE.astype(np.uint64)), TypeError, 'work; image.astype("f8") is right'),
    (lambda: tessera.noise(IMAGE.astype(np.complex64)), TypeError, "dtype complex64"),
    (lambda: tessera.noise(IMAGE[0]), ValueError,
     "noise: image has shape (9,); it must be (rows, columns), or (planes, rows, columns)"),
    (lambda: tessera.noise(IMAGE, 5, refine=0.3), ValueError,
     "refine 0.3 is given, but the mode is exact; give mode grid"),
    (lambda: tessera.noise(IMAGE, 5, mode="grid", refine=-1), ValueError, "noise: refine is -1; it can be 0 or more"),
    (lambda: tessera.noise(IMAGE[None], out=IMAGE), ValueError, "out is (8, 9) of float32; it must be (2, 1, 8, 9)"),
    (lambda: tessera.noise(IMAGE, 2), ValueError, "noise: box is 2; each side can be 3 to 1024 pixels"),
    (lambda: tessera.noise(IMAGE, (9, 2000)), ValueError, "3 to 1024"),
    (lambda: tessera.noise(IMAGE, "64"), TypeError, "noise: box is '64'; it must be a whole number or (rows, columns)"),
    (lambda: tessera.noise(IMAGE, 6.5), TypeError, "noise: box is 6.5"),
    (lambda: tessera.noise(IMAGE, (3, 4, 5)), TypeError, "noise: box is (3, 4, 5)"),
    (lambda: tessera.noise(IMAGE, 5, border="wrap"), ValueError, "border wrap"),
    (lambda: tessera.noise(IMAGE, 5, border="mirrored"), ValueError, "reflect-101"),
    (lambda: tessera.noise(IMAGE, 5, mode="exakt"), ValueError, "exact"),
    (lambda: tessera.noise(IMAGE, 5, estimator="mad", mode="binned"), ValueError, "mode binned"),
    (lambda: tessera.noise(IMAGE, 5, grid=4), ValueError, "mode grid"),
    (lambda: tessera.noise(IMAGE, 5, bins=1), ValueError, "noise: bins is 1; it can be 8 to 65535"),
    (lambda: tessera.noise(IMAGE, 5, bins=300), ValueError, "300 bins are asked for, but the mode is exact"),
    (lambda: tessera.noise(IMAGE, 5, bins=300, mode="grid"), ValueError, "give mode binned"),
    (lambda: tessera.noise(IMAGE, 5, normal=True, estimator="mad"), ValueError, "but the estimator is mad"),
    (lambda: tessera.Noise((8, 9), "f32", 5, bins=300), ValueError, "give mode binned"),
    (lambda: tessera.noise(IMAGE, 5, bordr="wrap"), TypeError, "noise() has no option 'bordr'; did you mean 'border'?"),
    (lambda: tessera.noise(IMAGE, 5, quantiles=[0.5]), TypeError, "noise_quantiles()"),
    (lambda: tessera.noise(IMAGE, 5, method="magic"), ValueError, "magic"),
    (lambda: tessera.noise(IMAGE, 5, two_pass=1), TypeError, "two_pass is 1; it must be True or False"),
    (lambda: tessera.noise(IMAGE, 5, threads=-1), ValueError, "noise: threads is -1; it can be 0 or more"),
    (lambda: tessera.noise(IMAGE, 5, mask=MASK[1:]), ValueError, "noise: mask has shape (7, 9); the image has (8, 9)"),
    (lambda: tessera.noise(IMAGE, 5, mask=IMAGE), TypeError, "noise: mask has dtype float32; it must be bool"),
    (lambda: tessera.noise(IMAGE, 5, out=IMAGE), ValueError, "out is (8, 9) of float32; it must be (2, 8, 9)"),
    (lambda: tessera.noise_quantiles(IMAGE, []), ValueError, "noise_quantiles: quantiles is empty"),
    (lambda: tessera.noise_quantiles(IMAGE, 1.5), ValueError, "quantiles is 1.5; each can be 0 to 1"),
    (lambda: tessera.noise_quantiles(IMAGE, 0.5, normal=True), ValueError, "normal is about the noise, and quantiles"),
    (lambda: tessera.noise_quantiles(IMAGE, "0.5"), TypeError, "quantiles is '0.5'; it must be a number"),
    (lambda: tessera.noise_quantiles(IMAGE, [0.1] * 9), ValueError, "up to 8"),
    (lambda: tessera.noise_quantiles(IMAGE, 0.5, estimator="mad"), ValueError, "estimator mad"),
    (lambda: tessera.Noise((8, 9), "int64"), TypeError, "dtype int64"),
    (lambda: tessera.Noise((8,), "f32"), ValueError, "it must be (rows, columns)"),
    (lambda: tessera.Noise((8, 9), "f32", 5)(IMAGE[1:]), ValueError, "image is (7, 9) of float32; it must be (8, 9)"),
    (lambda: tessera.Noise((8, 9), "u8", 5)(MASK.astype("u1"), MASK), ValueError, "uint8 has no blanks for a mask"),
]


@pytest.mark.parametrize("call, exception, words", ERRORS)
def test_errors_are_one_sentence(call, exception, words):
    with pytest.raises(exception, match=re.escape(words)) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_help_has_every_option():
    for name in ("grid", "refine", "mode", "estimator", "bins", "border", "two_pass", "zero_is_blank", "nomask",
                 "normal", "backend", "method", "device", "threads", "memory_limit", "fill", "mask"):
        assert re.search(rf"\b{name}\b", tessera.noise.__doc__), name
        assert re.search(rf"\b{name}\b", tessera.noise_quantiles.__doc__), name
    assert "quantiles" in tessera.Noise.__init__.__doc__
