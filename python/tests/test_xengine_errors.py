# SPDX-License-Identifier: Apache-2.0
"""Calls that tessera.xengine and tessera.XEngine refuse, in one sentence each."""
import numpy as np
import pytest
from expected_visibilities import as_dtype, random_voltages

import tessera


def bytes_of(*shape):
    return np.zeros(shape, "int8")


BAD = [
    (lambda: tessera.xengine(bytes_of(9, 3, 4, 2)), ValueError, "one axis for all inputs; say how many"),
    (lambda: tessera.xengine(bytes_of(9, 3, 4, 2, 2), polarisations=1), ValueError,
     "2 polarisations and polarisations= says 1"),
    (lambda: tessera.xengine(bytes_of(9, 3, 5, 2), polarisations=2), ValueError, "5 inputs and 2 are an antenna's"),
    (lambda: tessera.xengine(bytes_of(9, 3, 5)), ValueError,
     r"shape \(9, 3, 5\); layout tci wants \(time, channels, antennas, polarisations, 2\)"),
    (lambda: tessera.xengine(bytes_of(9, 3, 4, 2, 3)), ValueError, r"wants \(time, 3 channels, 4 antennas, 2 polar"),
    (lambda: tessera.XEngine(4, 2, 3).add(bytes_of(9, 3, 5, 2, 2)), ValueError,
     r"shape \(9, 3, 5, 2, 2\); layout tci wants \(time, 3 channels, 4 antennas, 2 polarisations, 2\)"),
    (lambda: tessera.XEngine(4, 2, 3).add(bytes_of(9, 3, 4, 2, 2), "cit"), ValueError,
     r"wants \(3 channels, 4 antennas, 2 polarisations, time, 2\)"),
    (lambda: tessera.XEngine(4, 2, 3).add(bytes_of(9, 3, 4, 2, 2), "tcx"), ValueError,
     "layout is 'tcx'; it can be tci"),
    (lambda: tessera.XEngine(4, 2, 3).add(bytes_of(9, 3, 4, 2, 2), "tt"), ValueError, "the order of the axes"),
    (lambda: tessera.XEngine(4, 2, 3, "cf32").add(bytes_of(9, 3, 4, 2, 2)), TypeError,
     "dtype int8; samples of cf32 are complex64, or float32 with a last axis of 2"),
    (lambda: tessera.XEngine(4, 2, 3).add(bytes_of(9, 3, 4, 2, 2).view("uint8")), TypeError, "samples of ci8 are int8"),
    (lambda: tessera.XEngine(4, 2, 3, offset_binary=True).add(bytes_of(9, 3, 4, 2, 2)), TypeError,
     "in offset binary are uint8"),
    (lambda: tessera.XEngine(4, 2, 3, "ci4").add(np.zeros((9, 3, 4, 2), "int16")), TypeError,
     "uint8, one byte per sample"),
    (lambda: tessera.xengine(np.zeros((9, 3, 4, 2), "complex128")), TypeError, "dtype complex128; int8"),
    (lambda: tessera.xengine(np.zeros((9, 3, 4, 2, 2), ">i4")), TypeError, "dtype int32.*this machine's byte order"),
    (lambda: tessera.xengine(np.zeros((9, 3, 4, 2), [("a", "i1"), ("b", "i2")])), TypeError, "has dtype"),
    (lambda: tessera.xengine(np.zeros((9, 3, 4, 2), [("a", "i1")])), TypeError, "has dtype"),
    (lambda: tessera.xengine(np.broadcast_to(bytes_of(1, 3, 4, 2, 2), (9, 3, 4, 2, 2))), ValueError,
     r"one value for all 9 of axis 0 \(a broadcast\); give a copy"),
    (lambda: tessera.xengine(bytes_of(3, 2, 4, 2, 8, 2), "tcc"), ValueError, r"wants \(.*time / 16.*, 16, 2\)"),
    (lambda: tessera.xengine(np.zeros((3, 2, 4, 2, 4), "complex64"), "tcc"), ValueError, "layout tcc has parts of"),
    (lambda: tessera.xengine(np.zeros((2, 3, 4, 2, 2, 4), "int16"), "dp4a"), ValueError, "dp4a is for ci8"),
    (lambda: tessera.xengine(bytes_of(9, 3, 4, 2, 2), valid=np.ones((9, 3))), ValueError,
     r"valid has shape \(9, 3\); it must be \(stretches of time, 4 antennas, 2 polarisations\)"),
    (lambda: tessera.xengine(bytes_of(9, 3, 4, 2, 2), valid=np.ones((2, 4))), ValueError, "2 stretches for 9 samples"),
    (lambda: tessera.xengine(bytes_of(9, 3, 4, 2, 2), valid=np.ones((0, 4)), valid_samples=3), ValueError,
     "0 stretches"),
    (lambda: tessera.xengine(bytes_of(9, 3, 4, 2, 2), valid=np.ones((2, 4)), valid_samples=4), ValueError, "need 24"),
    (lambda: tessera.xengine(bytes_of(9, 3, 4, 2, 2), valid=np.ones((9, 4)), valid_samples=0), ValueError,
     "1 or longer"),
    (lambda: tessera.XEngine(0), ValueError, "0 antennas"),
    (lambda: tessera.XEngine(3, 5), ValueError, "5 polarisations"),
    (lambda: tessera.XEngine(3, samples="ci9"), ValueError, "ci9.*did you mean|ci9"),
    (lambda: tessera.XEngine(3, channels=3, average=2), ValueError, "average is 2"),
    (lambda: tessera.XEngine(3, order="register-tile"), ValueError, "even number"),
    (lambda: tessera.XEngine(3, samples="cf32", output_type="i32"), ValueError, "floats need f64 or f32"),
    (lambda: tessera.XEngine(3, threads=-1), ValueError, "0 or more"),
    (lambda: tessera.XEngine(3, ordr="full"), TypeError, "no option 'ordr'; did you mean 'order'"),
    (lambda: tessera.xengine(bytes_of(9, 3, 4, 2, 2), method="magic"), ValueError, "magic"),
]


@pytest.mark.parametrize("number", range(len(BAD)))
def test_bad_calls(number):
    call, kind, message = BAD[number]
    with pytest.raises(kind, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_a_refused_block_changes_nothing(rng):
    array = as_dtype(random_voltages(rng, 30, 2, 3, 2), "ci8")
    engine = tessera.XEngine(3, 2, 2)
    engine.add(array)
    with pytest.raises(ValueError):
        engine.add(array[:, :1])
    with pytest.raises(ValueError):
        engine.add(array, valid=np.ones((7, 3)))
    assert engine.samples == 30 and np.array_equal(engine.dump(), tessera.xengine(array))
