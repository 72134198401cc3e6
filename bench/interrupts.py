# SPDX-License-Identifier: Apache-2.0
"""How long calls go on after Ctrl-C: the longest of some signals per call, in milliseconds (docs/robustness.md).

    build/venv/bin/python bench/interrupts.py [NAME…]
"""
import functools
import os
import signal
import sys
import threading
import time
from collections.abc import Callable

import numpy as np

import tessera

SIGNALS = 4
rng = np.random.default_rng(1)
image = rng.uniform(0, 200, (3000, 4000)).astype("f4")
grey = image.astype("u1")
large, small = rng.uniform(size=(301, 301)), rng.uniform(size=(51, 51))
q, u = rng.normal(size=(2, 128, 300, 400)).astype("f4")
frequencies = np.linspace(1e9, 2e9, 128)
on_cpu = {"backend": "cpu"}

film = rng.integers(0, 255, (40, 480, 640)).astype("u1")


@functools.cache
def spectra(depths: int) -> tuple[np.ndarray, object]:
    made = tessera.faraday_synth(q, u, frequencies, phi_max=1000, dphi=2000 / (depths - 1))
    return made.fdf, tessera.faraday_rmsf(made.axes)


CALLS: dict[str, Callable[[], object]] = {
    "convolve, direct, 301x301": lambda: tessera.convolve(image, large, method="direct", **on_cpu),
    "convolve, direct, 51x51": lambda: tessera.convolve(image, small, method="direct", **on_cpu),
    "convolve, fft, 301x301": lambda: tessera.convolve(image, large, method="fft", **on_cpu),
    "correlate, direct": lambda: tessera.correlate(image, max_shift=1000, method="direct", **on_cpu),
    "correlate, fft": lambda: tessera.correlate(image, max_shift=1000, method="fft", **on_cpu),
    "noise, box 256": lambda: tessera.noise(image, box=256, **on_cpu),
    "noise, reference": lambda: tessera.noise(image, box=200, method="reference", **on_cpu),
    "detect_cells": lambda: tessera.detect_cells(grey, **on_cpu),
    "faraday_synth, 201 depths": lambda: tessera.faraday_synth(q, u, frequencies, phi_max=1000, dphi=10, **on_cpu),
    "faraday_synth, 2001 depths": lambda: tessera.faraday_synth(q, u, frequencies, phi_max=1000, dphi=1, **on_cpu),
    "faraday_clean, 501 depths": lambda: tessera.faraday_clean(*spectra(501), 0.05, **on_cpu),
    "clahe, reference": lambda: tessera.clahe(grey, method="reference", **on_cpu),
    "erode, disk of 80": lambda: tessera.erode(grey, "disk:80", **on_cpu),
    "percentile_filter, 201": lambda: tessera.percentile_filter(image, 50, 201, **on_cpu),
    "track_cells": lambda: tessera.track_cells(film, **on_cpu),
    "xengine, reference": lambda: tessera.xengine(
        rng.integers(-7, 7, (1 << 15, 2, 128, 2, 2)).astype("i1"), method="reference", **on_cpu),
}


def went_on(call: Callable[[], object], after: float) -> float | None:
    """Seconds between the signal and the exception; nothing if the call ended before the signal."""
    sent: list[float] = []

    def send() -> None:
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(after, send)
    timer.start()
    try:
        call()
        timer.cancel()
        timer.join()
        return None
    except KeyboardInterrupt:
        return time.perf_counter() - sent[0]


def seconds_of(call: Callable[[], object], most: float) -> float:
    """The time of a call, or `most` if it takes longer."""
    start = time.perf_counter()
    return most if went_on(call, most) is not None else time.perf_counter() - start


def main() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    print("| call | ms |\n| --- | --- |")
    for name, call in CALLS.items():
        if sys.argv[1:] and not any(word in name for word in sys.argv[1:]):
            continue
        lasts = seconds_of(call, 4)
        waits = [went_on(call, lasts * part) for part in np.linspace(0.2, 0.8, SIGNALS)]
        longest = max((wait for wait in waits if wait is not None), default=float("nan"))
        print(f"| {name} | {1000 * longest:.0f} |", flush=True)


if __name__ == "__main__":
    main()
