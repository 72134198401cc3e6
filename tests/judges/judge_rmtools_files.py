# SPDX-License-Identifier: Apache-2.0
"""The headers that rmsynth3d and rmclean3d of RM-Tools write, card by card, in the files of faraday synth and clean;
and the columns of faraday catalogue that RM-Tools computes for one spectrum."""
import csv
import sys
from pathlib import Path
from unittest.mock import patch

import numpy as np
from judging import Arrays, Case, of_peak, package_version, tessera
from polarised_inputs import LIGHT, PHI_MAX, STEP, finufft_or_plain_sum, sky

PACKAGES = {"pypi": ["finufft>=2.3,<3", "numpy", "scipy", "astropy", "matplotlib", "tqdm", "deprecation"],
            "pypi-alone": ["RM-Tools>=1.5,<1.6"], "debian": ["python3-tk"]}
TOOL = "RM-Tools"
COMPARED = "faraday: headers of the files of rmsynth3d and rmclean3d; catalogue: fits of Stokes I, widths"
# The type of data, histories and dates, and cards that say how a file was written.
OWN = {"SIMPLE", "BITPIX", "EXTEND", "XTENSION", "PCOUNT", "GCOUNT", "HISTORY", "COMMENT", "DATE", "CHECKSUM",
       "DATASUM", ""}
SKY = [("RA---SIN", 180.0, -1e-3, "deg"), ("DEC--SIN", -30.0, 1e-3, "deg")]
FREQ, STOKES = ("FREQ", 0.8e9, 288e6 / 71, "Hz"), ("STOKES", 2.0, 1.0, "")
CUTOFF = 0.15


def version() -> str:
    finufft_or_plain_sum()
    return package_version("RM-Tools")


def write_inputs(folder: Path, axes: list) -> list[Path]:
    """Q and U with these axes after those of the sky, and the list of frequencies."""
    from astropy.io import fits
    data = sky()
    for name, cube, number in (("q", data.q, 2.0), ("u", data.u, 3.0)):
        header = fits.Header({"BUNIT": "Jy/beam", "BTYPE": "Intensity", "OBJECT": "field", "TELESCOP": "ASKAP",
                              "BMAJ": 3e-3, "BMIN": 2e-3, "BPA": -20.0, "DATAMAX": 4.0, "DATAMIN": -4.0,
                              "WCSAXES": len(axes) + 2, "EQUINOX": 2000.0, "RADESYS": "FK5", "SPECSYS": "TOPOCENT"})
        for axis, (kind, value, step, unit) in enumerate([*SKY, *axes], 1):
            header[f"CTYPE{axis}"], header[f"CDELT{axis}"] = kind, step
            if unit:
                header[f"CUNIT{axis}"] = unit
            header[f"CRVAL{axis}"], header[f"CRPIX{axis}"] = number if kind == "STOKES" else value, 1.0
            header[f"PC{axis}_{axis}"] = 1.0
        shape = [cube.shape[0] if axis is FREQ else 1 for axis in reversed(axes)] + list(cube.shape[1:])
        fits.writeto(folder / f"{name}.fits", cube.reshape(shape), header)
    np.savetxt(folder / "frequencies.txt", data.frequency, fmt="%.17g")
    return [folder / "q.fits", folder / "u.fits", folder / "frequencies.txt"]


def shown(card) -> str:
    """A card with its comment; RM-Tools computes lambda squared in float."""
    value = f"{card.value:.6g}" if isinstance(card.value, float) else str(card.value)
    return f"{card.keyword} = {value}" + ("" if card.keyword.startswith("NAXIS") else f" / {card.comment}")


def all_cards(folder: Path, names: list[str]) -> Arrays:
    """All cards in the order of the files, as one array: recorded answers must be small."""
    from astropy.io import fits
    lines = []
    for name in names:
        with fits.open(folder / f"f_{name}.fits") as hdus:
            lines += [f"{name}[{k}] {shown(card)}" for k, hdu in enumerate(hdus) for card in hdu.header.cards
                      if card.keyword not in OWN]
    return {"cards": np.array(lines, bytes)}


SYNTH = ["FDF_real_dirty", "FDF_im_dirty", "FDF_tot_dirty", "FDF_maxPI", "FDF_peakRM", "RMSF_real", "RMSF_im",
         "RMSF_tot", "RMSF_FWHM"]
CLEAN = ["FDF_clean_real", "FDF_clean_im", "FDF_clean_tot", "FDF_CC_real", "FDF_CC_im", "FDF_CC_tot", "CLEAN_nIter"]
FLAT = ["FDF_real_dirty", "FDF_maxPI", "FDF_peakRM", "RMSF_FWHM", "FDF_clean_tot", "CLEAN_nIter"]
ONE_FILE = ["FDF_dirty", "RMSF", "FDF_maxPI", "FDF_peakRM"]


def case(name: str, axes: list, names: list[str], *options: str) -> Case:
    def theirs(folder):
        finufft_or_plain_sum()
        from RMtools_3D import do_RMclean_3D, do_RMsynth_3D
        words = [*write_inputs(folder, axes), "-o", "f_", "-l", PHI_MAX, "-d", STEP, *options]
        with patch.object(sys, "argv", ["rmsynth3d", *map(str, words)]):
            do_RMsynth_3D.main()
        words = [folder / "f_FDF_tot_dirty.fits", folder / "f_RMSF_tot.fits", "-c", CUTOFF, "-o", "f_"]
        with patch.object(sys, "argv", ["rmclean3d", *map(str, words)]):
            if CLEAN[-1] in names:
                do_RMclean_3D.main()
        return all_cards(folder, names)

    def ours(folder):
        prefix = folder / "f_"
        tessera("faraday", "synth", *write_inputs(folder, axes), "-o", prefix, "-l", PHI_MAX, "-d", STEP, "--quiet",
                *options)
        if CLEAN[-1] in names:
            tessera("faraday", "clean", prefix, prefix, "-c", CUTOFF, "-o", prefix, "--quiet")
        return all_cards(folder, names)

    return Case(name, theirs, ours)


COLUMNS = ["stokesI", "stokesI_err", "spectral_index", "spectral_index_err", "reffreq_I", "rm_width"]
NOISE_I = 0.05


def stokes_i() -> np.ndarray:
    """A curved spectrum in every pixel of `sky`, 5 to 50 times as bright as it."""
    data, random = sky(), np.random.RandomState(27)
    power = np.log10(data.frequency / 0.95e9)[:, None, None]
    shape = data.q.shape[1:]
    i = random.uniform(5, 50, shape) * 10 ** (random.uniform(-1.2, 0.3, shape) * power - 0.5 * power**2)
    return (i + NOISE_I * random.standard_normal(i.shape)).astype("f4")


def catalogue_case() -> Case:
    """Every pixel: a curve of order 2 through I, Q and U divided by it, RM-CLEAN, and the moment of its components."""
    data, i = sky(), stokes_i()

    def theirs(_):
        finufft_or_plain_sum()
        from RMutils import util_misc, util_RM
        lambda2, quiet = data.lambda2, lambda _: None
        reference = LIGHT / np.sqrt(lambda2.mean())
        phi, phi2 = util_RM.make_phi_axes(PHI_MAX, STEP)
        rmsf, _, fwhm, _, _ = util_RM.get_rmsf_planes(lambda2, phi2, nBits=64, eps=1e-13, log=quiet)
        rows = []
        for y, x in np.ndindex(i.shape[1:]):
            fit = util_misc.fit_StokesI_model(data.frequency, i[:, y, x].astype(float),
                                              np.full(lambda2.size, NOISE_I), 2, "log")
            model = util_misc.calculate_StokesI_model(fit, data.frequency)
            there = util_misc.renormalize_StokesI_model(fit, reference)
            intensity = there.params[-1]
            q, u = (part[:, y, x] / model * intensity for part in (data.q, data.u))
            dirty = util_RM.do_rmsynth_planes(q, u, lambda2, phi, nBits=64, eps=1e-13, log=quiet)[0]
            parts = util_RM.do_rmclean_hogbom(dirty, phi, rmsf, phi2, np.float64(fwhm), CUTOFF, window=1e9, nBits=64,
                                              log=quiet)[1]
            rows.append([intensity, there.perror[-1], there.params[-2], there.perror[-2], reference,
                         util_RM.measure_fdf_complexity(phi, np.ravel(parts))])
        return dict(zip(COLUMNS, np.array(rows, float).T, strict=True))

    def ours(folder):
        *inputs, _ = data.write(folder)
        np.save(folder / "i.npy", i)
        lines = [f"{x},{y}\n" for y, x in np.ndindex(i.shape[1:])]
        (folder / "places.csv").write_text("x,y\n" + "".join(lines))
        tessera("faraday", "catalogue", folder / "places.csv", *inputs, "-o", folder / "rms.csv", "-l", PHI_MAX, "-d",
                STEP, "-i", folder / "i.npy", "--fit-i", 2, "--noise-i", NOISE_I, "--clean", "-c", CUTOFF, "--quiet")
        with (folder / "rms.csv").open(newline="") as table:
            rows = list(csv.DictReader(table))
        return {name: np.array([float(row[name]) for row in rows]) for name in COLUMNS}

    # Fits of two tools end within 1e-4 of their errors, and I is linear between channels 0.4% apart: 1e-5. Moments of
    # components in float differ by less than 1e-3 of the largest.
    bounds = {"stokesI": of_peak(2e-5), "spectral_index": 1e-4, "reffreq_I": of_peak(1e-6)}
    return Case("catalogue", theirs, ours, dict.fromkeys(COLUMNS, of_peak(1e-3)) | bounds)


def cases() -> list[Case]:
    return [case("3 axes", [FREQ], SYNTH + CLEAN), case("FREQ, then STOKES", [FREQ, STOKES], FLAT),
            case("STOKES, then FREQ", [STOKES, FREQ], SYNTH + CLEAN),
            case("3 axes, one file", [FREQ], ONE_FILE, "-f"),
            case("3 axes, no RMSF", [FREQ], ["FDF_maxPI", "FDF_peakRM"], "-R"), catalogue_case()]
