# SPDX-License-Identifier: Apache-2.0
"""Recordings of undivided bands for the judges of channelise, and files of `sample voltages --raw` with their truth."""
import json
from pathlib import Path

import numpy as np
from judging import Arrays, tessera
from voltage_inputs import RATE, record

MIDDLE_OF_BAND = 2e8
# The source of the sky in `made_band`: direction cosines from the field's centre, and its flux.
SKY = (0.012, -0.007, 5.0)


def band(folder: Path, kind: str, shape: tuple[int, int, int, int], seed: int,
         **more: object) -> tuple[Path, np.ndarray]:
    """Random samples as an NPY with its description, and the same as complex numbers: (time, channels, antennas,
    polarisations). kind: ci8, ci16, cf32 or real i1."""
    random, real = np.random.RandomState(seed), kind.startswith("real")
    type_of = {"ci8": "i1", "real ci8": "i1", "ci16": "i2", "cf32": "f4"}[kind]
    parts = (*shape, 1 if real else 2)
    data = random.standard_normal(parts) * 30 if kind == "cf32" else random.randint(-128, 128, parts)
    data = data.astype(type_of)
    values = data[..., 0].astype(float) + (0 if real else 1j * data[..., 1].astype(float))
    frequency = {"first": MIDDLE_OF_BAND, "step": RATE / (2 if real else 1)}
    described = dict(sample_rate=RATE, frequency=frequency, real=real)
    if real:
        path = record(folder, data, "ci8", **described | more)
        np.save(path, data[..., 0])
        return path, values
    return record(folder, data, kind, **described | more), values


def spectra_of(folder: Path, path: Path, *options: object) -> Arrays:
    """`tessera channelise` as complex numbers, and what its description says."""
    tessera("channelise", path, "-o", folder / "spectra.npy", "--quiet", "--force", *options)
    found, told = np.load(folder / "spectra.npy"), json.loads((folder / "spectra.npy.json").read_text())
    values = found if found.dtype.kind == "c" else found[..., 0] + 1j * found[..., 1]
    seconds = (told["start"] - 60389) * 86400 + told["start_second"]
    return {"spectra": values, "frequency": np.array(told["frequency"]), "rate": np.array(told["sample_rate"]),
            "start": np.array(seconds)}


def made_band(folder: Path, channels: int, *options: object, antennas: int = 16, samples: int = 600_000) -> Path:
    """One unpolarised source in an undivided band, as `sample voltages --raw` makes it."""
    (folder / "sky.txt").write_text("lm {} {} {}\n".format(*SKY))
    tessera("sample", "voltages", folder / "band.npy", "--antennas", antennas, "--polarisations", 1, "--channels",
            channels, "--samples", samples, "--sky", folder / "sky.txt", "--frequency", 1.4e8, "--quiet", *options)
    return folder / "band.npy"


def band_file(folder: Path, *options: object) -> Path:
    """The UVFITS of such a band of 16 antennas, real samples of 16 channels, in one run: as it is tracked, or turned to
    the middle of the field."""
    made = made_band(folder, 16, "--raw", "real", "--noise", 1, "--seed", 5, *options, samples=900_000)
    truth = truth_of(folder)
    there = f"{truth['right_ascension_icrs']!r},{truth['declination_icrs']!r}"
    turned = [] if "--tracked" in options else ["--phase-centre", there, "--oversample", "4/3"]
    tessera("xengine", made, "-o", folder / "v.uvfits", "--channelise", 16, "--gain", 1, "--quiet", *turned)
    return folder / "v.uvfits"


def band_flux(folder: Path) -> float:
    """The flux of the source in units of the file: real samples have half the power in positive frequencies."""
    tessera("channelise", folder / "band.npy", "-o", folder / "s.npy", "--channels", 16, "--limit", 1, "--gain", 1,
            "--quiet", "--force")
    bank = json.loads((folder / "s.npy.json").read_text())["filter_bank"]
    return SKY[2] * truth_of(folder)["scale"] ** 2 / 2 * bank["sum_of_squares"]


def truth_of(folder: Path) -> dict:
    return json.loads((folder / "band_truth.json").read_text())
