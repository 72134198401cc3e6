# SPDX-License-Identifier: Apache-2.0
"""Recordings of voltages: the same samples as the baseband package reads from its own sample files."""
import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import tessera

baseband = pytest.importorskip("baseband")
u = pytest.importorskip("astropy.units")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from baseband import dada, data, guppi, vdif


def complex_of(recording) -> np.ndarray:
    """(time, channel, antenna, polarisation), as recorded."""
    v = recording["voltages"]
    if v.dtype != np.complex64:
        v = v.astype(np.float64)
        v = v[..., 0] + 1j * v[..., 1]
    shift = recording["offset"] * (1 if recording["real"] else 1 + 1j)
    return (v + shift) * recording["scale"]


def read(path, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return tessera.read_voltages(path, **options)


def seconds_between(recording, time) -> float:
    """From the recording's start to an astropy time, exact to nanoseconds."""
    start = type(time)(recording["start_day"], recording["start_second"] / 86400, format="mjd", scale="utc")
    return abs((start - time).to_value(u.s))


def expected(module, path, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with module.open(path, "rs", squeeze=False, **options) as file:
            return file.read(), file.sample_rate.to_value(u.Hz), file.start_time


@pytest.mark.parametrize("module, name", [(dada, "SAMPLE_DADA"), (dada, "SAMPLE_MEERKAT_DADA"),
                                          (guppi, "SAMPLE_PUPPI")])
def test_dada_and_guppi(module, name):
    path = getattr(data, name)
    samples, rate, start = expected(module, path)  # (time, polarisation, channel)
    recording = read(path)
    np.testing.assert_array_equal(complex_of(recording)[:, :, 0, :], samples.transpose(0, 2, 1))
    assert recording["sample_rate"] == pytest.approx(rate, rel=1e-15)
    assert seconds_between(recording, start) < 2e-8
    assert recording["real"] == (samples.dtype.kind == "f")


@pytest.mark.parametrize(
    "name, options", [("SAMPLE_VDIF", {}), ("SAMPLE_MWA_VDIF", {"sample_rate": 1.28e6}),
                      ("SAMPLE_AROCHIME_VDIF", {"sample_rate": 800e6 / 2048}),
                      ("SAMPLE_BPS1_VDIF", {"sample_rate": 8e6})]
)
def test_vdif(name, options):
    path = getattr(data, name)
    samples, rate, start = expected(vdif, path, **{k: v * u.Hz for k, v in options.items()})  # (time, thread, channel)
    for half_steps in (False, True):
        recording = read(path, half_steps=half_steps, **options)
        ours = complex_of(recording)[:, :, :, 0].transpose(0, 2, 1)
        assert ours.shape == samples.shape
        if recording["type"] == "cf32":
            np.testing.assert_array_equal(ours, samples)
        else:  # whole or half steps divided by a unit, here in double and there in float
            np.testing.assert_allclose(ours, samples, rtol=2e-7, atol=0)
        assert recording["sample_rate"] == pytest.approx(rate)
        assert seconds_between(recording, start) < 2e-8
        assert recording["valid"] is None or not np.any(samples[~recording["valid"][..., 0]])


def test_polarisations_of_vdif_threads():
    one, two = read(data.SAMPLE_VDIF), read(data.SAMPLE_VDIF, polarisations=2)
    assert one["voltages"].shape == (40000, 1, 8, 1) and two["voltages"].shape == (40000, 1, 4, 2)
    np.testing.assert_array_equal(one["voltages"].ravel(), two["voltages"].ravel())


def test_invalid_and_missing_frames(tmp_path):
    """Frames 8 to 15 are the second time: one is flagged, one is gone."""
    frames = bytearray(Path(data.SAMPLE_VDIF).read_bytes())
    size = 5032
    frames[9 * size + 3] |= 0x80
    changed = tmp_path / "a.vdif"
    changed.write_bytes(frames[: 11 * size] + frames[12 * size :])
    recording, whole = read(changed), read(data.SAMPLE_VDIF)
    gone = [int.from_bytes(frames[k * size + 12 : k * size + 16], "little") >> 16 & 0x3FF for k in (9, 11)]
    valid = np.ones((40000, 8, 1), bool)
    valid[20000:, gone] = False
    np.testing.assert_array_equal(recording["valid"], valid)
    np.testing.assert_array_equal(recording["voltages"], whole["voltages"] * valid[:, None])


@pytest.mark.parametrize("name", ["SAMPLE_VEGAS", "SAMPLE_BLC"])
def test_headers_without_blocks(name):
    with pytest.raises(OSError, match="has .* of its .* bytes"):
        tessera.read_voltages(getattr(data, name))


def test_meerkat_beam():
    """A newer baseband than some have reads it: [heap][polarisation][channel][256]."""
    path = getattr(data, "SAMPLE_MKBF_DADA", os.environ.get("TESSERA_MKBF_SAMPLE", ""))
    if not path:
        pytest.skip("this baseband has no sample of MeerKAT's beam former")
    stored = np.fromfile(path, "i1", offset=4096).reshape(-1, 2, 1024, 256, 2)
    recording = read(path)
    ours = recording["voltages"]
    assert ours.shape == (256, 1024, 1, 2, 2)
    np.testing.assert_array_equal(ours[:, :, 0], stored.transpose(0, 3, 2, 1, 4).reshape(-1, 1024, 2, 2))
    assert recording["frequency"][0] == pytest.approx(815.734375e6 - 272e6 + 544e6 / 2048)


def test_two_guppi_files_are_one_recording(tmp_path):
    whole = Path(data.SAMPLE_PUPPI).read_bytes()
    block = len(whole) // 4
    (tmp_path / "0.raw").write_bytes(whole[: 2 * block])
    (tmp_path / "1.raw").write_bytes(whole[2 * block :])
    both = read([tmp_path / "0.raw", tmp_path / "1.raw"])
    np.testing.assert_array_equal(both["voltages"], read(data.SAMPLE_PUPPI)["voltages"])


def test_a_lost_guppi_block_is_a_gap(tmp_path):
    whole = Path(data.SAMPLE_PUPPI).read_bytes()
    block = len(whole) // 4
    (tmp_path / "a.raw").write_bytes(whole[:block] + whole[2 * block :])
    gap, all_of_it = read(tmp_path / "a.raw"), read(data.SAMPLE_PUPPI)["voltages"]
    valid = gap["valid"][:, 0, 0]
    # The first block has its overlap to the end, which the second would have had again. In this
    # sample, which was made shorter, what overlaps is not the same.
    assert np.flatnonzero(~valid).tolist() == list(range(1024, 1920))
    np.testing.assert_array_equal(gap["voltages"][:1024], all_of_it[:1024])
    np.testing.assert_array_equal(gap["voltages"][1984:], all_of_it[1984:])


@pytest.mark.parametrize("name", ["SAMPLE_PUPPI", "SAMPLE_DADA", "SAMPLE_VDIF"])
def test_standard_input(name, tmp_path):
    """The same from a pipe, which only goes forward."""
    path = getattr(data, name)
    program = "import sys, warnings, tessera, numpy; warnings.simplefilter('ignore'); " \
              "numpy.save(sys.argv[1], tessera.read_voltages('-')['voltages'])"
    with open(path, "rb") as file:
        cat = subprocess.Popen(["cat"], stdin=file, stdout=subprocess.PIPE)
        subprocess.run([sys.executable, "-c", program, tmp_path / "a.npy"], stdin=cat.stdout, check=True)
        cat.wait()
    np.testing.assert_array_equal(np.load(tmp_path / "a.npy"), read(path)["voltages"])


def test_npy(tmp_path):
    samples = np.random.default_rng(1).integers(-128, 128, (50, 3, 4, 2, 2)).astype(np.int8)
    np.save(tmp_path / "parts.npy", samples)
    np.testing.assert_array_equal(tessera.read_voltages(tmp_path / "parts.npy")["voltages"], samples)
    pairs = samples.view([("re", "i1"), ("im", "i1")])[..., 0]
    np.save(tmp_path / "pairs.npy", pairs)
    np.testing.assert_array_equal(tessera.read_voltages(tmp_path / "pairs.npy")["voltages"], samples)
    floats = (samples[..., 0] + 1j * samples[..., 1]).astype(np.complex64)
    np.save(tmp_path / "floats.npy", floats)
    np.testing.assert_array_equal(tessera.read_voltages(tmp_path / "floats.npy")["voltages"], floats)
    np.save(tmp_path / "flat.npy", samples.reshape(50, -1))
    with pytest.raises(OSError, match="the last axis must be 2"):
        tessera.read_voltages(tmp_path / "flat.npy")


def test_bad_options():
    with pytest.raises(ValueError, match="format 'fits' is not known"):
        tessera.read_voltages(data.SAMPLE_PUPPI, format="fits")
    with pytest.raises(ValueError, match="skip fewer"):
        tessera.read_voltages(data.SAMPLE_PUPPI, skip=5000)
    with pytest.raises(OSError, match="8 threads, which is not a multiple of 3"):
        tessera.read_voltages(data.SAMPLE_VDIF, polarisations=3)
