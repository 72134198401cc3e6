# SPDX-License-Identifier: Apache-2.0
"""SciPy's firwin and upfirdn on channelise, from file to file: spectra of complex and real bands, oversampled,
quantised, of both sidebands, and the delays of `sample voltages --raw`."""
import json
from pathlib import Path

import numpy as np
from band_inputs import MIDDLE_OF_BAND, band, made_band, spectra_of, truth_of
from judging import Case, package_version, tessera
from voltage_inputs import RATE, START

PACKAGES = {"pypi": ["numpy", "scipy"]}
TOOL = "SciPy"
COMPARED = "channelise: spectra, frequencies, rates and times of files; delays in bands of sample voltages"
TAPS = 8


def version() -> str:
    return package_version("scipy")


def plain(values: np.ndarray, channels: int, real: bool, window: object, ratio: tuple[int, int]) -> np.ndarray:
    """(spectra, channels of all coarse ones, antennas, polarisations): each mixed down, filtered, decimated."""
    from scipy.signal import firwin, upfirdn
    size = 2 * channels if real else channels
    hop, length = size * ratio[1] // ratio[0], TAPS * size
    h = firwin(length, 1 / size, window=window)
    count = (len(values) - length) // hop + 1
    ks = np.arange(channels) if real else np.arange(channels) - channels // 2
    time = np.arange(len(values))
    mixed = [values[:, coarse] * np.exp(-2j * np.pi * k * time / size)[:, None, None]
             for coarse in range(values.shape[1]) for k in ks]
    made = [upfirdn(h[::-1], channel, 1, 1, axis=0)[length - 1::hop][:count] for channel in mixed]
    return np.stack(made, 1)


def frequencies(channels: int, real: bool, lower: bool) -> np.ndarray:
    """Channels of one coarse channel, ascending."""
    side = -1 if lower else 1
    if real:
        edge = MIDDLE_OF_BAND - side * RATE / 4
        return np.sort(edge + side * np.arange(channels) * RATE / 2 / channels)
    return np.sort(MIDDLE_OF_BAND + side * (np.arange(channels) - channels // 2) * RATE / channels)


def case(kind: str, channels: int, window: str = "hamming", ratio: tuple[int, int] = (1, 1), coarse: int = 1,
         lower: bool = False, gain: float = 0) -> Case:
    real = kind.startswith("real")
    more = {"sideband": "lower"} if lower else {}
    if coarse > 1:
        more["frequency"] = {"first": MIDDLE_OF_BAND, "step": RATE}
    size = 2 * channels if real else channels
    hop, length = size * ratio[1] // ratio[0], TAPS * size
    shape = (length + 2 * hop + 3, coarse, 1, 2)

    def theirs(folder: Path):
        _, values = band(folder, kind, shape, 71, **more)
        named = ("kaiser", float(window.split(":")[1])) if window.startswith("kaiser") else window
        spectra = plain(values, channels, real, named, ratio)
        frequency = np.concatenate([frequencies(channels, real, lower) + RATE * n for n in range(coarse)])
        if lower:
            spectra = spectra[:, ::-1].conj()
        if gain:
            spectra = gain * spectra
            re, im = np.rint(spectra.real), np.rint(spectra.imag)
            spectra = np.clip(re, -127, 127) + 1j * np.clip(im, -127, 127)
        start = (START - int(START)) * 86400 + (length - hop) / 2 / RATE
        return {"spectra": spectra.astype("c8"), "frequency": frequency, "rate": np.array(RATE / hop),
                "start": np.array(start)}

    def ours(folder: Path):
        path, _ = band(folder, kind, shape, 71, **more)
        quantised = ["--output-type", "ci8", "--gain", gain] if gain else ["--output-type", "cf32"]
        return spectra_of(folder, path, "--channels", channels, "--taps", TAPS, "--window", window, "--oversample",
                          f"{ratio[0]}/{ratio[1]}", *quantised)

    # tessera/channelise.hpp: (taps + 5 log2(N) + 24) 2^-24 of the sum of |h| |x|; the sum of |h| is below 2. A part
    # that lies between two levels may be rounded to either.
    largest = {"ci8": 182, "real ci8": 128, "ci16": 46341, "cf32": 200}[kind]
    bound = (TAPS + 5 * np.log2(size) + 24) * 2.0**-24 * 2 * largest
    text = f"{kind}, {channels} channels of {coarse}, {window}, {ratio[0]}/{ratio[1]}"
    text += (", lower sideband" if lower else "") + (f", gain {gain}" if gain else "")
    return Case(text, theirs, ours,
                {"spectra": 1.5 if gain else bound, "frequency": 1e-3, "rate": 1e-9, "start": 1e-5})


def delays(kind: str, *options: object) -> Case:
    """The coherence of pairs of antennas that receive one source and no noise: its phase is that of their delay. The
    channels near the band's edges are left out."""
    channels, options, length = 16, ("--raw", kind, *options, "--noise", 0), 20_000

    def theirs(folder: Path):
        made_band(folder, channels, *options, antennas=6, samples=length)
        real = kind == "real"
        data = np.load(folder / "band.npy").reshape(length, 6, -1).astype(float)
        values = (data[..., 0] if real else data[..., 0] + 1j * data[..., 1])[:, None, :, None]
        spectra = plain(values, channels, real, "hamming", (1, 1))[..., 0]
        if "--lower-sideband" in options:
            spectra = spectra[:, ::-1].conj()
        found = np.einsum("tca,tcb->cab", spectra, spectra.conj())
        power = np.einsum("caa->ca", found).real
        a, b = np.tril_indices(6, -1)
        return {"coherence": (found[:, a, b] / np.sqrt(power[:, a] * power[:, b]))[2:-2].astype("c8")}

    def ours(folder: Path):
        made_band(folder, channels, *options, antennas=6, samples=length)
        frequency = 1.4e8 + 1e5 * np.arange(channels)
        delay = np.array(truth_of(folder)["sources"][0]["delays"])
        a, b = np.tril_indices(6, -1)
        return {"coherence": np.exp(-2j * np.pi * np.outer(frequency, delay[a] - delay[b]))[2:-2]}

    # Delays below 0.1 samples change the amplitude of a channel by less than 1e-4; the rest is the rounding to ci8,
    # 1/12 of 400, and the noise of a source that differs within a channel.
    return Case(f"delays of sample voltages {' '.join(map(str, options[:-2]))}", theirs, ours, 0.01)


def fused() -> Case:
    """xengine --channelise on integers: NumPy's sums of the spectra that channelise writes, exact to the bit."""
    def options(folder: Path) -> tuple:
        return (made_band(folder, 16, "--raw", "real", antennas=5, samples=20_000), "--taps", TAPS, "--gain", 0.7)

    def theirs(folder: Path):
        path, *more = options(folder)
        tessera("channelise", path, "-o", folder / "s.npy", "--channels", 16, *more, "--quiet")
        parts = np.load(folder / "s.npy")[:, :, :, 0].astype(np.int64)
        re, im = parts[..., 0], parts[..., 1]
        a, b = np.tril_indices(5)
        sums = [np.einsum("tca,tcb->cab", re, re) + np.einsum("tca,tcb->cab", im, im),
                np.einsum("tca,tcb->cab", im, re) - np.einsum("tca,tcb->cab", re, im)]
        return {"visibilities": np.stack([part[:, a, b] for part in sums], -1)}

    def ours(folder: Path):
        path, *more = options(folder)
        tessera("xengine", path, "-o", folder / "v.npy", "--channelise", 16, *more, "--quiet")
        assert json.loads((folder / "v.json").read_text())["recording"]["filter_bank"]["taps"] == TAPS
        return {"visibilities": np.load(folder / "v.npy")[0, :, :, 0, 0]}

    return Case("xengine --channelise 16 of real ci8", theirs, ours)


def cases() -> list[Case]:
    return [case("ci8", 16), case("real ci8", 16), case("cf32", 32, "kaiser:9", (4, 3)),
            case("ci16", 12, "hann", (3, 2), coarse=2), case("real ci8", 8, "blackman", (2, 1), lower=True),
            case("ci8", 16, lower=True, gain=0.6), delays("complex"), delays("real"),
            delays("real", "--lower-sideband"),
            fused()]
