# SPDX-License-Identifier: Apache-2.0
"""RM-Tools on faraday: spectra, RMSFs, peaks with their errors, RM-CLEAN, fits of Stokes I, and one spectrum from a
text file."""
import json
import shutil
import sys
from pathlib import Path
from unittest.mock import patch

import numpy as np
from judging import Arrays, Case, of_peak, package_version, tessera
from polarised_inputs import (
    ERROR_MAPS,
    OWN_ERROR_MAPS,
    PEAK_BOUNDS,
    PEAK_MAPS,
    PHI_MAX,
    SPECTRUM,
    STEP,
    Sky,
    complex_cube,
    finufft_or_plain_sum,
    load_maps,
    sky,
    synthesis,
)
from stokes_inputs import BOUNDS, fitted, load_fit, log_of, stokes_sky

PACKAGES = {"pypi": ["finufft>=2.3,<3", "numpy", "scipy", "astropy", "matplotlib", "tqdm", "deprecation"],
            "pypi-alone": ["RM-Tools>=1.5,<1.6"], "debian": ["python3-tk"]}
TOOL = "RM-Tools"
COMPARED = "faraday: spectra, RMSF, peaks with errors, RM-CLEAN, one spectrum, fits of Stokes I"
NOT_JUDGED = [
    "widths by theory of pixels that lack channels: Tessera's follow each pixel's channels, RM-Tools' all channels",
    "the error of the angle at wavelength 0: Tessera's has the weights in the variance of lambda squared",
    "errors of angles of pixels that lack channels: Tessera's know how far lambda0 is from these channels",
    "grids of depths that are not symmetric about 0: RM-Tools 1.5.0 reverses them (docs/faraday.md)",
]
CUTOFF = 0.15


def version() -> str:
    return package_version("RM-Tools") + finufft_or_plain_sum()


def rmtools():
    finufft_or_plain_sum()
    from RMutils import util_RM
    return util_RM


def quiet(_):
    pass


def their_spectra(data, weights):
    """In double, FINUFFT at its finest: their rounding does not count. Tessera's commands compute cubes in float."""
    phi, phi2 = rmtools().make_phi_axes(PHI_MAX, STEP)
    q, u = data.q.astype(float), data.u.astype(float)
    fdf, lambda2_0 = rmtools().do_rmsynth_planes(q, u, data.lambda2, phi, weightArr=weights.copy(), nBits=64, eps=1e-13,
                                                 log=quiet)[:2]
    return phi, phi2, fdf, lambda2_0


def their_rmsf(data, weights, phi2, lambda2_0, fit=False):
    rmsf, _, fwhm, _, _ = rmtools().get_rmsf_planes(
        data.lambda2, phi2, weightArr=weights.copy(), mskArr=~np.isfinite(data.q), lam0Sq_m2=lambda2_0, fitRMSF=fit,
        nBits=64, eps=1e-13, log=quiet)
    return rmsf, np.broadcast_to(fwhm, data.q.shape[1:]).copy()


def spectra_case(flags: bool) -> Case:
    data = sky(flags)

    def theirs(_):
        weights = 1 / data.sigma**2
        _, phi2, fdf, lambda2_0 = their_spectra(data, weights)
        rmsf, fwhm = their_rmsf(data, weights, phi2, lambda2_0, fit=True)
        return {"fdf": fdf.astype("c8"), "rmsf": rmsf.astype("c8"), "fwhm": fwhm}

    def ours(folder):
        prefix = synthesis(folder, data, "-t", noise=True)
        return {"fdf": complex_cube(prefix, "FDF", "_dirty"), "rmsf": complex_cube(prefix, "RMSF"),
                "fwhm": np.load(f"{prefix}RMSF_FWHM.npy")}

    # A fit of a Gaussian ends within 1e-3 of its width: another way to the minimum stops elsewhere.
    return Case("spectra and RMSF" + (", with flags" if flags else ""), theirs, ours,
                {"fdf": data.accuracy, "rmsf": 1e-5, "fwhm": of_peak(1e-3)})


def peaks_case(flags: bool) -> Case:
    data = sky(flags)
    names = [*PEAK_MAPS, *(OWN_ERROR_MAPS if flags else ERROR_MAPS)]

    def theirs(_):
        weights = 1 / data.sigma**2
        phi, _, fdf, lambda2_0 = their_spectra(data, weights)
        maps = {name: np.full(fdf.shape[1:], np.nan) for name in names}
        for pixel in np.ndindex(fdf.shape[1:]):
            spectrum = fdf[(slice(None), *pixel)]
            if not np.isfinite(spectrum).any():
                continue
            own = np.isfinite(data.q[(slice(None), *pixel)])
            noise = np.sqrt((weights[own] ** 2 * data.sigma[own] ** 2).sum()) / weights[own].sum()
            found = rmtools().measure_FDF_parms(spectrum, phi, 3.8 / np.ptp(data.lambda2[own]), dFDF=noise,
                                                lamSqArr_m2=data.lambda2[own], lam0Sq=lambda2_0)
            for name in names:
                maps[name][pixel] = found[name]
        return maps

    def ours(folder):
        return load_maps(synthesis(folder, data, "--maps-only", "--maps", "all", noise=True), names)

    return Case("peaks" + (", with flags" if flags else " and their errors"), theirs, ours,
                dict.fromkeys(names, of_peak(3e-5)) | PEAK_BOUNDS)


def clean_case() -> Case:
    data = sky()

    def theirs(_):
        weights = np.ones(data.frequency.size)
        phi, phi2, fdf, lambda2_0 = their_spectra(data, weights)
        rmsf, fwhm = their_rmsf(data, weights, phi2, lambda2_0)
        # Without a window it would go on to 1000 iterations.
        clean, components, count, _ = rmtools().do_rmclean_hogbom(fdf, phi, rmsf, phi2, fwhm, CUTOFF, window=1e9,
                                                                  nBits=64, log=quiet)
        return {"clean": clean.astype("c8"), "components": components.astype("c8"), "iterations": count.astype("i4")}

    def ours(folder):
        prefix = synthesis(folder, data)
        tessera("faraday", "clean", prefix, prefix, "-c", CUTOFF, "-o", folder / "c_", "--dphi", STEP, "--quiet")
        return {"clean": complex_cube(folder / "c_", "FDF_clean"), "components": complex_cube(folder / "c_", "FDF_CC"),
                "iterations": np.load(folder / "c_CLEAN_nIter.npy")}

    # docs/accuracy.md: cleaned spectra in float agree with those in double to 1e-4 of their peak.
    return Case("RM-CLEAN", theirs, ours, {"clean": of_peak(1e-4), "components": of_peak(1e-4), "iterations": 0})


def write_fits(folder: Path, data: Sky) -> list[Path]:
    """Q and U as FITS cubes, and the list of frequencies."""
    from astropy.io import fits
    for name, cube in (("q", data.q), ("u", data.u)):
        header = fits.Header({"CTYPE1": "RA---SIN", "CRVAL1": 180.0, "CRPIX1": 1.0, "CDELT1": -1e-3, "CUNIT1": "deg",
                              "CTYPE2": "DEC--SIN", "CRVAL2": -30.0, "CRPIX2": 1.0, "CDELT2": 1e-3, "CUNIT2": "deg",
                              "CTYPE3": "FREQ", "CRVAL3": data.frequency[0], "CRPIX3": 1.0, "CUNIT3": "Hz",
                              "CDELT3": data.frequency[1] - data.frequency[0], "BUNIT": "Jy/beam"})
        fits.writeto(folder / f"{name}.fits", cube, header)
    np.savetxt(folder / "frequencies.txt", data.frequency, fmt="%.17g")
    return [folder / "q.fits", folder / "u.fits", folder / "frequencies.txt"]


def files_case() -> Case:
    """rmclean3d, the command, on the files that synth makes by default, of pixels that lack channels."""
    data = sky(flags=True)

    def theirs(folder):
        rmtools()
        from astropy.io import fits
        from RMtools_3D import do_RMclean_3D
        inputs = write_fits(folder, data)
        tessera("faraday", "synth", *inputs, "-o", folder / "f_", "-l", PHI_MAX, "-d", STEP, "--quiet")
        words = [folder / "f_FDF_tot_dirty.fits", folder / "f_RMSF_tot.fits", "-c", CUTOFF, "-o", "f_"]
        with patch.object(sys, "argv", ["rmclean3d", *map(str, words)]):
            do_RMclean_3D.main()
        parts = {name: fits.getdata(folder / f"f_{name}.fits") for name in FILES}
        return {name: part.astype("f4") for name, part in parts.items()}

    def ours(folder):
        prefix = synthesis(folder, data)
        tessera("faraday", "clean", prefix, prefix, "-c", CUTOFF, "-o", prefix, "--dphi", STEP, "--quiet")
        made = {name: np.load(f"{prefix}{name}.npy") for name in FILES}
        return made | {"CLEAN_nIter": made["CLEAN_nIter"].reshape(1, *data.q.shape[1:])}

    return Case("rmclean3d on files of synth", theirs, ours,
                dict.fromkeys(FILES, of_peak(1e-4)) | {"CLEAN_nIter": 0, "RMSF_FWHM": 0})


FILES = ["FDF_clean_real", "FDF_clean_im", "FDF_clean_tot", "FDF_CC_real", "FDF_CC_im", "CLEAN_nIter", "RMSF_FWHM"]
SYNTH_KEYS = [*PEAK_MAPS, *ERROR_MAPS, "dFDFcorMAD", "lam0Sq_m2", "fwhmRMSF", "dFDFth", "dQU"]
CLEAN_KEYS = [*PEAK_MAPS, *ERROR_MAPS, "nIter", "mom2CCFDF", "cleanCutoff"]


def numbers(synth: dict, clean: dict) -> Arrays:
    return ({f"synth {key}": np.float64(synth[key]) for key in SYNTH_KEYS}
            | {f"clean {key}": np.float64(clean[key]) for key in CLEAN_KEYS})


def spectrum_case(iterations: int) -> Case:
    """RM-Tools' own test spectrum, without Stokes I, in double on both sides."""
    def theirs(_):
        rmtools()
        from RMtools_1D.do_RMclean_1D import run_rmclean
        from RMtools_1D.do_RMsynth_1D import run_rmsynth
        data = np.loadtxt(SPECTRUM, unpack=True)
        found, arrays = run_rmsynth(list(data), phiMax_radm2=600, dPhi_radm2=3, noStokesI=True, nBits=64, log=quiet)
        cleaned, _ = run_rmclean(found, arrays, -3, maxIter=iterations, nBits=64, window=np.nan, log=quiet)
        return numbers(found, cleaned)

    def ours(folder):
        shutil.copy(SPECTRUM, folder / "s.dat")
        said = json.loads(tessera("faraday", "spectrum", folder / "s.dat", "-l", 600, "-d", 3, "-i", "--clean",
                                  "-c", -3, "-n", iterations, "--json"))
        return numbers(said["synth"], said["clean"])

    return Case(f"rmsynth1d and rmclean1d, at most {iterations} iterations", theirs, ours, of_peak(1e-6))


def fit_case(order: int, curve: str) -> Case:
    """Every pixel, as rmtools_fitIcube fits it; -5 searches the order."""
    data, terms = stokes_sky(), abs(order) + 1
    i = data.i[:, :, :-1]  # RM-Tools' fits of noise end after 200 steps

    def theirs(_):
        finufft_or_plain_sum()
        from RMtools_3D.do_fitIcube import fit_spectra_I
        found = [[fit_spectra_I(i[:, y, x].astype(float), data.frequency, data.sigma, order, curve, i[0].size)
                  for x in range(i.shape[2])] for y in range(i.shape[1])]

        def cube(name):  # (values, rows, columns), coefficients from c5 to c0
            return np.moveaxis(np.array([[np.ravel(pixel[name]) for pixel in row] for row in found], float), -1, 0)
        return {"coefficients": cube("coeffs")[::-1][:terms], "log errors": log_of(cube("coeffs_err")[::-1][:terms]),
                "model": cube("I"), "reference": cube("reference_frequency_Hz")[0],
                "log covariance": log_of(cube("covar"))}

    def ours(folder):
        own = type(data)(data.frequency, i, data.sigma)
        prefix = fitted(folder, own, "--order", order, "--curve", curve, "--snr", 0, "--floor", -1)
        covariance = np.load(f"{prefix}covariance.npy").reshape(36, *i.shape[1:])
        return load_fit(prefix, abs(order)) | {"reference": np.load(f"{prefix}reffreq.npy"),
                                               "log covariance": log_of(covariance)}

    return Case(f"fit of Stokes I, {curve} {order}", theirs, ours, BOUNDS)


def noise_case() -> Case:
    """The noise of channels by medians in two passes, and the mask of emission."""
    data = stokes_sky(30, 41)

    def theirs(_):
        finufft_or_plain_sum()
        from RMtools_3D.do_fitIcube import cube_noise
        header = {"BITPIX": -32, "NAXIS1": 41, "NAXIS2": 30}
        noise, mask = cube_noise(data.i, header, data.frequency, threshold=-3)
        return {"noise": noise, "emission": np.flatnonzero(mask == 0).astype("i4")}

    def ours(folder):
        paths = data.write(folder)
        tessera("faraday", "fit-i", *paths[:2], "-o", folder / "m_", "--order", 0, "--snr", 0, "--floor", -1, "-t", -3,
                "--min-channels", 1, "--quiet")
        return {"noise": np.loadtxt(folder / "m_noise.dat"),
                "emission": np.flatnonzero(np.load(folder / "m_status.npy") == 1).astype("i4")}

    return Case("noise and emission of Stokes I", theirs, ours, {"noise": of_peak(1e-6), "emission": 0})


def cases() -> list[Case]:
    return [spectra_case(False), spectra_case(True), peaks_case(False), peaks_case(True), clean_case(), files_case(),
            spectrum_case(11), spectrum_case(1000), fit_case(2, "log"), fit_case(-5, "log"), fit_case(2, "linear"),
            noise_case()]
