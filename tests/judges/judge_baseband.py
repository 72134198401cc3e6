# SPDX-License-Identifier: Apache-2.0
"""baseband on the recordings that sample voltages writes: GUPPI RAW and PSRDADA as baseband reads them, summed by
einsum, against what xengine makes of the same files."""
import json

import numpy as np
from judging import Case, package_version, tessera
from voltage_inputs import visibilities

PACKAGES = {"pypi": ["baseband>=4.2,<5"]}
TOOL = "baseband"
COMPARED = "xengine: GUPPI RAW and PSRDADA recordings as baseband reads them"
NOT_JUDGED = ["recordings of many antennas: baseband reads one antenna's streams of these formats"]
CHANNELS, SAMPLES = 4, 256


def version() -> str:
    return package_version("baseband")


def make(folder, ending: str):
    path = folder / f"sky.{ending}"
    tessera("sample", "voltages", path, "--antennas", 1, "--polarisations", 2, "--channels", CHANNELS, "--samples",
            SAMPLES, "--seed", 3, "--quiet")
    return path


def case(ending: str, module: str) -> Case:
    def theirs(folder):
        import importlib
        reader = importlib.import_module(f"baseband.{module}")
        with reader.open(str(make(folder, ending)), "rs", squeeze=False) as stream:
            data = stream.read()  # (time, polarisations, channels)
            start_and_rate = np.array([stream.start_time.mjd, stream.sample_rate.to_value("Hz")])
        data = np.asarray(data).astype(complex)
        if ending == "dada":  # baseband does not know ORDER, TFAP here: channels before polarisations
            data = data.reshape(SAMPLES, CHANNELS, 2).transpose(0, 2, 1)
        return {"shape": np.array(data.shape), "start, rate": start_and_rate,
                "visibilities": np.einsum("tpc,tqc->cpq", data, data.conj())}

    def ours(folder):
        path = make(folder, ending)
        found = visibilities(folder, path)[0, :, 0]
        described = json.loads((folder / "v.json").read_text())
        recording = described["recording"]
        return {"shape": np.array([described["samples"][0], 2, CHANNELS]), "visibilities": found,
                "start, rate": np.array([recording["start_mjd_utc"], recording["sample_rate_hz"]])}

    # A modified Julian date in double is good to 1e-11 days.
    return Case(ending, theirs, ours, {"shape": 0, "visibilities": 0, "start, rate": 1e-10})


def cases() -> list[Case]:
    return [case("raw", "guppi"), case("dada", "dada")]
