# SPDX-License-Identifier: Apache-2.0
"""SciPy's firwin and freqz on channelise: what channels hear of a tone at any distance from their middle, from the loss
between two channels to the stop band; and impulses, which show the filter itself."""
import json
from pathlib import Path

import numpy as np
from judging import Case, package_version, tessera
from voltage_inputs import RATE, record

PACKAGES = {"pypi": ["numpy", "scipy"]}
TOOL = "SciPy"
COMPARED = "channelise: responses of channels to tones and impulses, scalloping, leakage of all windows"
CHANNELS, TAPS = 32, 8
# Of the middle of a channel, in channels: its own band, its edges, its neighbours and the stop band.
OFFSETS = np.concatenate([np.linspace(-1, 1, 41), [1.5, 2.3, 3.7, 5.2, 8.9, 13.4]])


def version() -> str:
    return package_version("scipy")


def taps_of(window: str, size: int) -> np.ndarray:
    from scipy.signal import firwin
    named = {"rectangular": "boxcar"}.get(window, window)
    if window.startswith("kaiser"):
        named = ("kaiser", float(window.split(":")[1]))
    return firwin(TAPS * size, 1 / size, window=named)


def spectra(folder: Path, values: np.ndarray, real: bool, window: str, oversample: str) -> np.ndarray:
    """(spectra, channels, inputs) of float samples (time, inputs)."""
    data = values.astype("f4") if real else np.stack([values.real, values.imag], -1).astype("f4")
    count = data.shape[1]
    shaped = data.reshape(len(data), 1, count, 1, 1 if real else 2)
    path = record(folder, shaped, "cf32", real=real, frequency={"first": 2e8, "step": RATE / (2 if real else 1)})
    if real:
        np.save(path, shaped[..., 0])
    tessera("channelise", path, "-o", folder / "s.npy", "--channels", CHANNELS, "--taps", TAPS, "--window", window,
            "--oversample", oversample, "--output-type", "cf32", "--quiet")
    assert json.loads((folder / "s.npy.json").read_text())["channels"] == CHANNELS
    return np.load(folder / "s.npy")[..., 0]


def bound_of(size: int) -> float:
    """tessera/channelise.hpp, of samples up to 1; the sum of |h| is below 2.2. Tones are rounded to float too."""
    return (TAPS + 5 * np.log2(size) + 26) * 2.0**-24 * 2.2


def tones(window: str, real: bool, oversample: str = "1") -> Case:
    """One antenna per tone; the channel that all are near to."""
    size, middle = (2 * CHANNELS if real else CHANNELS), 9

    def theirs(_):
        from scipy.signal import freqz
        taps = taps_of(window, size)
        near = freqz(taps, worN=2 * np.pi * OFFSETS / size)[1]
        if not real:
            return {"response": abs(near)}
        # Half of a real tone is at the opposite frequency; both beat, so the mean power of many spectra counts.
        far = freqz(taps, worN=2 * np.pi * (2 * middle + OFFSETS) / size)[1]
        return {"response": np.sqrt(abs(near)**2 + abs(far)**2) / 2}

    def ours(folder: Path):
        frequency = (middle + OFFSETS) / size
        time = np.arange((TAPS + 63) * size)[:, None]
        values = np.cos(2 * np.pi * time * frequency) if real else np.exp(2j * np.pi * time * frequency)
        found = spectra(folder, values, real, window, oversample)[:, middle + (0 if real else CHANNELS // 2)]
        return {"response": np.sqrt((abs(found.astype("c16"))**2).mean(0))}

    kind = "real" if real else "complex"
    return Case(f"{kind} tones, {window}, oversampled by {oversample}", theirs, ours, bound_of(size))


def impulses(window: str, real: bool) -> Case:
    """One antenna per place of the impulse."""
    size = 2 * CHANNELS if real else CHANNELS
    places = np.array([0, 1, size - 1, 3 * size + 5, TAPS * size - 1])

    def theirs(_):
        k = np.arange(CHANNELS) - (0 if real else CHANNELS // 2)
        response = np.exp(-2j * np.pi * k[:, None] * places / size) * taps_of(window, size)[places]
        return {"spectrum": response.astype("c8")}

    def ours(folder: Path):
        values = np.zeros((TAPS * size, places.size))
        values[places, np.arange(places.size)] = 1
        return {"spectrum": spectra(folder, values if real else values.astype(complex), real, window, "1")[0]}

    return Case(f"{'real' if real else 'complex'} impulses, {window}", theirs, ours, bound_of(size) / 20)


def cases() -> list[Case]:
    windows = ("hamming", "hann", "blackman", "rectangular", "kaiser:9")
    return ([tones(window, real=False) for window in windows]
            + [tones("hamming", real=False, oversample="4/3"), tones("blackman", real=True)]
            + [impulses(window, real) for window in ("hamming", "kaiser:9") for real in (False, True)])
