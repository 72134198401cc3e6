# SPDX-License-Identifier: Apache-2.0
"""tessera.channelise against a plain filter bank in NumPy."""
import doctest
import threading

import numpy as np
import pytest

import tessera


def plain(values, h, channels, hop, real):
    """(spectra, channels, inputs...) of one coarse channel, in double."""
    size = 2 * channels if real else channels
    ks = np.arange(channels) if real else np.arange(channels) - channels // 2
    length = len(h)
    made = []
    for first in range(0, len(values) - length + 1, hop):
        time = first + np.arange(length)
        turns = np.exp(-2j * np.pi * (ks[:, None] * time % size) / size)
        made.append(np.einsum("kn,n...->k...", turns * h, values[first:first + length]))
    return np.array(made)


def filter_of(size, taps=4):
    n = np.arange(size * taps)
    h = np.sinc((n - (len(n) - 1) / 2) / size) * np.hamming(len(n))
    return h / h.sum()


def complex_of(array):
    return array[..., 0].astype(float) + 1j * array[..., 1]


@pytest.mark.parametrize("oversample, hop", [("1", 16), ("4/3", 12), ("2", 8)])
def test_spectra_of_complex_samples(rng, oversample, hop):
    band = rng.integers(-128, 128, (300, 2, 3, 2, 2), "int8")
    spectra = tessera.channelise(band, channels=16, taps=4, oversample=oversample)
    assert spectra.dtype == np.complex64
    for coarse in range(2):
        wanted = plain(complex_of(band)[:, coarse], filter_of(16), 16, hop, False)
        assert spectra.shape == (len(wanted), 32, 3, 2)
        assert abs(spectra[:, 16 * coarse:16 * coarse + 16] - wanted).max() < 1e-3


@pytest.mark.parametrize("dtype", ["int8", "int16", "float32"])
def test_spectra_of_real_samples(rng, dtype):
    samples = rng.integers(-100, 100, (400, 3, 2)).astype(dtype)
    spectra = tessera.channelise(samples, "tap", channels=16, taps=4, real=True)
    wanted = plain(samples.astype(float), filter_of(32), 16, 32, True)
    assert spectra.shape == wanted.shape
    assert abs(spectra - wanted).max() < 1e-3
    assert np.array_equal(tessera.channelise(np.ascontiguousarray(samples.transpose(1, 2, 0)), "apt", channels=16,
                                             taps=4, real=True), spectra)


def test_integers_gains_and_masks(rng):
    band = rng.integers(-20, 20, (300, 1, 3, 2, 2), "int8")
    exact = tessera.channelise(band, channels=16, taps=4)
    for gains in (2.5, rng.random(16) + 1, rng.random((16, 3, 2)) + 1):
        wide = np.float32(gains)[..., None, None] if np.ndim(gains) == 1 else np.float32(gains)
        small = tessera.channelise(band, channels=16, taps=4, output_type="ci8", gains=gains)
        assert small.dtype == np.int8 and small.shape == (*exact.shape, 2)
        assert abs(complex_of(small) - wide * exact).max() < 0.71
    valid = np.ones((300, 3, 2), bool)
    valid[100:103, 1, 0] = False
    spectra, mask = tessera.channelise(band, channels=16, taps=4, valid=valid, valid_samples=1)
    first = 16 * np.arange(len(exact))
    lost = (first < 103) & (first + 64 > 100)
    assert mask.shape == (len(exact), 3, 2)
    assert np.array_equal(mask[:, 1, 0], ~lost) and mask[:, 0].all() and mask[:, 2].all()
    assert not spectra[lost, :, 1, 0].any()
    there = np.broadcast_to(mask[:, None], spectra.shape)
    assert np.array_equal(spectra[there], exact[there])
    sums = tessera.xengine(spectra, valid=mask, valid_samples=1)
    engine = tessera.XEngine.for_voltages(exact)
    engine.add(exact, valid=mask, valid_samples=1)
    assert np.array_equal(sums, engine.dump())


def test_limits_are_told(rng):
    band = rng.integers(-100, 100, (300, 1, 1, 2, 2), "int8")
    with pytest.warns(RuntimeWarning, match=r"parts of spectra are at the limits of int8"):
        loud = tessera.channelise(band, channels=16, taps=4, output_type="ci8", gains=100)
    assert loud.max() == 127 and loud.min() == -127


def test_kept_plans_do_not_mix_gains_and_filters(rng):
    band = rng.integers(-100, 100, (200, 1, 2, 2, 2), "int8")
    options = {"channels": 16, "taps": 4, "output_type": "ci8"}
    h = filter_of(16)
    calls = [{"gains": 1.0}, {"gains": 2.0}, {"gains": 1.0, "coefficients": h[::-1] * 0.5}]
    first = [tessera.channelise(band, **options, **call) for call in calls]
    again = [tessera.channelise(band, **options, **call) for call in calls]
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    assert not np.array_equal(first[0], first[1]) and not np.array_equal(first[0], first[2])


def test_out_and_coefficients(rng):
    band = rng.standard_normal((300, 1, 2, 2)).astype("complex64")
    h = rng.standard_normal(64)
    spectra = tessera.channelise(band, channels=16, taps=4, coefficients=h)
    assert abs(spectra - plain(band[:, 0], h, 16, 16, False)).max() < 1e-3
    out = np.full_like(spectra, np.nan)
    assert tessera.channelise(band, channels=16, taps=4, coefficients=h, out=out) is out
    assert np.array_equal(out, spectra)


@pytest.mark.parametrize("error, text, call", [
    (ValueError, "a spectrum is made from 128", lambda x: tessera.channelise(x[:50], channels=16)),
    (ValueError, "gains has shape", lambda x: tessera.channelise(x, channels=16, output_type="ci8", gains=[1, 2])),
    (ValueError, "channels is 1", lambda x: tessera.channelise(x, channels=1)),
    (ValueError, "out is", lambda x: tessera.channelise(x, channels=16, out=np.zeros(3, "complex64"))),
    (ValueError, "oversample", lambda x: tessera.channelise(x, channels=16, oversample="1/2")),
    (ValueError, "window", lambda x: tessera.channelise(x, channels=16, window="none")),
    (ValueError, "window is hann and there are coefficients", lambda x: tessera.channelise(
        x, channels=16, window="hann", coefficients=np.ones(128))),
    (ValueError, "^channelise: layout is", lambda x: tessera.channelise(x, "tx", channels=16)),
    (ValueError, "^channelise: voltages has shape", lambda x: tessera.channelise(x[0, 0, 0], channels=16)),
    (ValueError, "^channelise: valid has shape", lambda x: tessera.channelise(x, channels=16, valid=np.ones(3, bool))),
    (TypeError, "^channelise: voltages has dtype float64", lambda x: tessera.channelise(x.astype(float), channels=16)),
    (TypeError, "no option 'tap'", lambda x: tessera.channelise(x, tap=4)),
    (ValueError, "wants", lambda x: tessera.channelise(x, channels=16, real=True)),
])
def test_bad_calls(rng, error, text, call):
    band = rng.integers(-20, 20, (300, 1, 1, 2, 2), "int8")
    with pytest.raises(error, match=text):
        call(band)


def test_other_threads_run_meanwhile(rng):
    """The lock is released while spectra are made."""
    band = rng.integers(-20, 20, (40_000, 1, 4, 2, 2), "int8")
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    try:
        tessera.channelise(band, channels=16, taps=4, method="reference", threads=1)
    finally:
        stop.set()
        thread.join()
    assert counted[0] > 1000


def test_examples_of_the_documentation(rng):
    parsed = doctest.DocTestParser().get_doctest(tessera.channelise.__doc__, {"tessera": tessera, "rng": rng},
                                                 "channelise", None, 0)
    assert parsed.examples
    assert doctest.DocTestRunner().run(parsed).failed == 0
