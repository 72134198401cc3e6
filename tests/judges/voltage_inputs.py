# SPDX-License-Identifier: Apache-2.0
"""Recordings of voltages for the judges of xengine: random samples, and a sky with one source off the phase centre."""
import json
from pathlib import Path

import numpy as np
from judging import tessera

LIGHT = 299792458.0
MIDDLE = np.array([-2559454.08, 5095372.14, -2849057.18])  # a place in Western Australia, ITRF in metres
START, RATE, FIRST, WIDTH = 60389.604, 1000.0, 1.4e8, 1e6
LIMITS = {"ci8": (-128, 128, "i1"), "ci16": (-32768, 32768, "i2")}


def samples(kind: str, seed: int, shape: tuple[int, int, int, int]) -> np.ndarray:
    """(time, channels, antennas, polarisations, 2), every value of an integer type."""
    random = np.random.RandomState(seed)
    if kind == "cf32":
        return random.standard_normal((*shape, 2)).astype("f4")
    low, high, dtype = LIMITS[kind]
    return random.randint(low, high, (*shape, 2)).astype(dtype)


def write_antennas(folder: Path, positions: np.ndarray) -> None:
    lines = [f"A{n:03} {x!r} {y!r} {z!r}\n" for n, (x, y, z) in enumerate(positions.tolist())]
    (folder / "antennas.txt").write_text("".join(lines))


def record(folder: Path, data: np.ndarray, kind: str, positions: np.ndarray | None = None, **more: object) -> Path:
    """An NPY in the order time, channel, antenna, polarisation, its description, and antennas.txt."""
    path = folder / "voltages.npy"
    np.save(path, data)
    _, channels, antennas, polarisations, _ = data.shape
    described = dict(antennas=antennas, polarisations=polarisations, channels=channels, samples=kind, layout="tci",
                     sample_rate=RATE, start=START, frequency={"first": FIRST, "step": WIDTH}, telescope="TEST") | more
    (folder / "voltages.npy.json").write_text(json.dumps(described))
    if positions is not None:
        write_antennas(folder, positions)
    return path


def card(key: str, value: object) -> str:
    text = f"'{value:<8}'" if isinstance(value, str) and value not in "TF" else str(value)
    return f"{key:<8}= {text:>20}".ljust(80)


def record_guppi(folder: Path, data: np.ndarray, block: int, dropped: tuple[int, ...], right_ascension: str,
                 declination: str) -> Path:
    """A GUPPI RAW of ci8 that tracks a place; blocks of the numbers in `dropped` never arrived."""
    length, channels, antennas, polarisations, _ = data.shape
    path, each = folder / "voltages.raw", 2 * channels * antennas * polarisations
    with path.open("wb") as file:
        for number, first in enumerate(range(0, length, block)):
            if number in dropped:
                continue
            part = data[first:first + block]
            cards = dict(BACKEND="TEST", RA_STR=right_ascension, DEC_STR=declination, TRACKED="T", NANTS=antennas,
                         OBSNCHAN=antennas * channels, NPOL=4 if polarisations == 2 else polarisations, NBITS=8,
                         PKTFMT="1SFA", OBSFREQ=(FIRST + WIDTH * (channels - 1) / 2) / 1e6,
                         OBSBW=WIDTH * channels / 1e6,
                         TBIN=1 / RATE, STT_IMJD=int(START), STT_SMJD=int((START - int(START)) * 86400),
                         STT_OFFS=(START - int(START)) * 86400 % 1, PKTSIZE=each, PKTIDX=first, OVERLAP=0, DIRECTIO=0,
                         BLOCSIZE=each * len(part))
            file.write("".join(card(*pair) for pair in cards.items()).encode() + b"END".ljust(80))
            file.write(part.transpose(2, 1, 0, 3, 4).tobytes())  # antenna, channel, time, polarisation
    return path


def antennas(count: int, seed: int, spread: float = 150.0) -> np.ndarray:
    return MIDDLE + np.random.RandomState(seed).uniform(-spread, spread, (count, 3))


def voltages_of_source(uvw: np.ndarray, direction: tuple[float, float], channels: int, times: int, seed: int,
                       level: float = 25) -> np.ndarray:
    """A source at direction cosines l, m from the place whose delays are removed, as antennas at u, v, w (metres)
    receive it: nearer ones hear it sooner, exp(+2 pi i f t). ci8, one polarisation. Its power is the same at all
    times, so that its flux does not depend on the samples that are used."""
    frequency = FIRST + WIDTH * np.arange(channels)
    x, y = direction
    turns = np.outer(frequency, uvw @ [x, y, np.sqrt(1 - x * x - y * y) - 1]) / LIGHT
    return voltages_of_turns(np.broadcast_to(turns, (times, *turns.shape)), seed, level)


def voltages_of_turns(turns: np.ndarray, seed: int, level: float = 25) -> np.ndarray:
    """A wave of random phases in every channel, turned for every (time, channel, antenna)."""
    phases = np.random.RandomState(seed).random_sample((*turns.shape[:2], 1))
    values = np.sqrt(2) * level * np.exp(2j * np.pi * (turns + phases))
    return np.stack([values.real, values.imag], -1).round().clip(-128, 127).astype("i1")[:, :, :, None, :]


def source_power(level: float = 25) -> float:
    """The product of two such waves: rounding makes a wave of this amplitude smaller by 0.1%."""
    phases = 2 * np.pi * (np.arange(100_000) + 0.5) / 100_000
    return (2 * (np.sqrt(2) * level * np.cos(phases)).round() @ np.cos(phases) / len(phases)) ** 2


def visibilities(folder: Path, path: Path, *options: object) -> np.ndarray:
    """`tessera xengine` as complex numbers: (integrations, channels, baselines, p of a, p of b)."""
    tessera("xengine", path, "-o", folder / "v.npy", "--quiet", "--force", *options)
    found = np.load(folder / "v.npy")
    return found if found.dtype.kind == "c" else found[..., 0] + 1j * found[..., 1]
