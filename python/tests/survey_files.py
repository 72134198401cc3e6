# SPDX-License-Identifier: Apache-2.0
"""Files such as those of surveys: one per channel, cubes of four Stokes parameters, tables of beams. Not a test."""
import os
import subprocess
from pathlib import Path

import numpy as np

LIGHT = 299792458.0
PIXEL = 2.5 / 3600


def sky_header(fits, frequency=None, stokes=None, beam=None, matrix=False):
    """Axes RA, DEC and, if they are given, FREQ and STOKES with one value each."""
    header = fits.Header()
    axes = [("RA---SIN", 83.6, -PIXEL, "deg"), ("DEC--SIN", -45.0, PIXEL, "deg")]
    if frequency is not None:
        axes.append(("FREQ", frequency, 1e6, "Hz"))
    if stokes is not None:
        axes.append(("STOKES", float(stokes), 1.0, ""))
    for axis, (kind, value, step, unit) in enumerate(axes, 1):
        header[f"CTYPE{axis}"], header[f"CRVAL{axis}"], header[f"CRPIX{axis}"] = kind, value, 1.0
        header[f"CD{axis}_{axis}" if matrix else f"CDELT{axis}"] = step
        header[f"CUNIT{axis}"] = unit
    if beam is not None:
        header["BMAJ"], header["BMIN"], header["BPA"] = beam[0] / 3600, beam[1] / 3600, beam[2]
    header["BUNIT"] = "Jy/beam"
    return header


def polarised(rng, channels=24, height=5, width=7):
    """Frequencies in hertz, I, Q and U of one source per pixel, float32, and the depths of the sources."""
    frequency = 0.9e9 + 5e6 * np.arange(channels)
    lambda2 = (LIGHT / frequency[:, None, None]) ** 2
    depth = rng.uniform(-150, 150, (height, width))
    p = np.exp(2j * (depth * lambda2 + rng.uniform(0, 3, (height, width))))
    return frequency, np.ones(p.shape, "f4"), p.real.astype("f4"), p.imag.astype("f4"), depth


def write_channels(fits, folder, stokes, cube, frequency, beam=(12, 9, 30)):
    """One file per channel, folder/000.fits and so on."""
    Path(folder).mkdir()
    for k, plane in enumerate(cube):
        header = sky_header(fits, frequency=frequency[k], stokes=stokes, beam=beam)
        fits.writeto(Path(folder) / f"{k:03}.fits", plane[None, None], header)


def write_survey(fits, rng):
    """The files that the page on faraday names, in the current folder."""
    frequency, i, q, u, _ = polarised(rng)
    for number, (name, cube) in enumerate((("I", i), ("Q", q), ("U", u)), 1):
        write_channels(fits, name, number, cube, frequency)
    for name in "QU":
        Path(f"{name.lower()}.txt").write_text("".join(f"{name}/{k:03}.fits\n" for k in range(len(frequency))))
    header = sky_header(fits, frequency=frequency[0], stokes=1)
    header["CDELT3"] = frequency[1] - frequency[0]
    fits.writeto("iquv.fits", np.stack([i, q, u, 0 * u]), header)
    del header["*4"]
    hdus = [fits.ImageHDU(cube, header, name=name) for name, cube in (("Q", q), ("U", u))]
    fits.HDUList([fits.PrimaryHDU(), *hdus]).writeto("both.fits")


def beam_table(fits, beams, pol=1):
    """CASA's table: one row per channel and polarisation."""
    rows = [(*beam, k, p) for p in range(pol) for k, beam in enumerate(beams)]
    columns = [fits.Column("BMAJ", "1E", "arcsec", array=[r[0] for r in rows]),
               fits.Column("BMIN", "1E", "arcsec", array=[r[1] for r in rows]),
               fits.Column("BPA", "1E", "deg", array=[r[2] for r in rows]),
               fits.Column("CHAN", "1J", array=[r[3] for r in rows]),
               fits.Column("POL", "1J", array=[r[4] for r in rows])]
    table = fits.BinTableHDU.from_columns(columns, name="BEAMS")
    table.header["NCHAN"], table.header["NPOL"] = len(beams), pol
    return table


def failure(*words, code):
    """Standard error of a command that fails."""
    program = os.environ.get("TESSERA_CLI", Path(__file__).resolve().parents[2] / "build" / "tessera")
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return done.stderr
