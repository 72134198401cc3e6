# SPDX-License-Identifier: Apache-2.0
"""rm-lite on faraday: spectra on any grid of depths, RMSFs, peaks with their errors, RM-CLEAN, fits of Stokes I."""
import logging

import numpy as np
from judging import Case, of_peak, package_version, tessera
from polarised_inputs import (
    ERROR_MAPS,
    PEAK_BOUNDS,
    PEAK_MAPS,
    PHI_MAX,
    STEP,
    complex_cube,
    finufft_or_plain_sum,
    load_maps,
    sky,
    synthesis,
)
from stokes_inputs import BOUNDS, fitted, load_fit, log_of, stokes_sky

PACKAGES = {"pypi": ["finufft>=2.3,<3", "numpy", "scipy", "astropy", "tqdm", "polars", "zarr>=3", "dask[array]"],
            "pypi-alone": ["rm-lite>=2026.10"]}
TOOL = "rm-lite"
COMPARED = "faraday: spectra on any depths, RMSF, peaks with errors, RM-CLEAN, fits of Stokes I"
NOT_JUDGED = [
    "errors of pixels that lack channels, and lambda0 of each pixel: Tessera has those of all channels",
    "linear curves of Stokes I: rm-lite's have c0 of 0 or more",
    "orders of fits that are searched: rm-lite compares corrected criteria of all orders, Tessera does as RM-Tools",
    "automatic masks and multiscale RM-CLEAN: Tessera does not have them",
]
CUTOFF = 0.15
# scipy stops when the loss falls by less than 1e-8 of itself: at 1e-3 of the errors.
RMLITE_BOUNDS = BOUNDS | {"coefficients": 3e-3, "model": 3e-5, "alpha": 3e-4}
# Tessera's names, which are RM-Tools', of the fields of FaradayPeaks.
FIELDS = {"phiPeakPIfit_rm2": "peak_rm_radm2", "ampPeakPIfit": "peak_pi", "polAngleFit_deg": "peak_pa_deg",
          "polAngle0Fit_deg": "peak_pa0_deg", "dPhiPeakPIfit_rm2": "peak_rm_error_radm2",
          "ampPeakPIfitEff": "peak_pi_debias", "dPolAngleFit_deg": "peak_pa_error_deg",
          "dPolAngle0Fit_deg": "peak_pa0_error_deg"}


def version() -> str:
    return package_version("rm-lite") + finufft_or_plain_sum()


def rmlite():
    finufft_or_plain_sum()
    logging.disable(logging.WARNING)  # it reports every step
    from rm_lite.utils import synthesis as functions
    return functions


def their_spectra(data, weights, phi):
    """In double; one lambda0 for all pixels, the weighted mean of all channels."""
    lambda2_0 = float((weights * data.lambda2).sum() / weights.sum())
    p = data.q.astype(float) + 1j * data.u.astype(float)
    return rmlite().rmsynth_nufft(p, data.lambda2, phi, weights, lambda2_0, eps=1e-13), lambda2_0


def spectra_case(flags: bool, depths: tuple[int, int]) -> Case:
    data = sky(flags)
    phi = np.arange(depths[0], depths[1] + STEP, STEP, dtype=float)

    def theirs(_):
        weights = 1 / data.sigma**2
        fdf, _ = their_spectra(data, weights, phi)
        return {"fdf": fdf.astype("c8")}

    def ours(folder):
        *inputs, sigma = data.write(folder)
        tessera("faraday", "synth", *inputs, "-o", folder / "f_", "--phi", f"{depths[0]},{depths[1]},{STEP}",
                "-n", sigma, "-w", "variance", "-R", "--quiet")
        return {"fdf": complex_cube(folder / "f_", "FDF", "_dirty")}

    name = f"spectra, {depths[0]} to {depths[1]} rad/m^2" + (", with flags" if flags else "")
    return Case(name, theirs, ours, data.accuracy)


def rmsf_case() -> Case:
    data = sky(flags=True)

    def theirs(_):
        weights = 1 / data.sigma**2
        lambda2_0 = float((weights * data.lambda2).sum() / weights.sum())
        found = rmlite().get_rmsf_nufft(data.lambda2, rmlite().make_phi_arr(PHI_MAX, STEP), weights, lambda2_0,
                                        mask_arr=~np.isfinite(data.q), eps=1e-13)
        return {"rmsf": found.rmsf_cube.astype("c8")}

    def ours(folder):
        return {"rmsf": complex_cube(synthesis(folder, data, noise=True), "RMSF")}

    return Case("RMSF, with flags", theirs, ours, 1e-5)


def peaks_case(flags: bool) -> Case:
    data = sky(flags)
    names = PEAK_MAPS if flags else [name for name in [*PEAK_MAPS, *ERROR_MAPS] if name in FIELDS]

    def theirs(_):
        weights = 1 / data.sigma**2
        phi = rmlite().make_phi_arr(PHI_MAX, STEP)
        fdf, lambda2_0 = their_spectra(data, weights, phi)
        noise = rmlite().compute_theoretical_noise(data.sigma + 1j * data.sigma, weights).fdf_error_noise
        found = rmlite().calc_faraday_peaks(fdf, phi, data.width, fdf_error=noise, lam_sq_0_m2=lambda2_0,
                                            lambda_sq_arr_m2=data.lambda2)
        return {name: np.asarray(getattr(found, FIELDS[name])) for name in names}

    def ours(folder):
        return load_maps(synthesis(folder, data, "--maps-only", "--maps", "all", noise=True), names)

    return Case("peaks" + (", with flags" if flags else " and their errors"), theirs, ours,
                dict.fromkeys(names, of_peak(3e-5)) | PEAK_BOUNDS)


def clean_case() -> Case:
    data = sky()

    def theirs(_):
        finufft_or_plain_sum()
        from rm_lite.utils import clean
        weights = np.ones(data.frequency.size)
        phi = rmlite().make_phi_arr(PHI_MAX, STEP)
        fdf, lambda2_0 = their_spectra(data, weights, phi)
        rmsf = rmlite().get_rmsf_nufft(data.lambda2, phi, weights, lambda2_0, mask_arr=~np.isfinite(data.q), eps=1e-13)
        arrays = clean.RMSynthArrays(fdf, phi, rmsf.phi_double_arr_radm2, rmsf.rmsf_cube, rmsf.fwhm_rmsf_arr[:1, :1])
        found = clean.rmclean(arrays, clean.RMCleanOptions(mask=CUTOFF, threshold=CUTOFF))
        return {"clean": found.clean_fdf_arr.astype("c8"), "components": found.model_fdf_arr.astype("c8"),
                "iterations": found.clean_iter_arr.astype("i4")}

    def ours(folder):
        prefix = synthesis(folder, data)
        tessera("faraday", "clean", prefix, prefix, "-c", CUTOFF, "-o", folder / "c_", "--dphi", STEP, "--quiet")
        return {"clean": complex_cube(folder / "c_", "FDF_clean"), "components": complex_cube(folder / "c_", "FDF_CC"),
                "iterations": np.load(folder / "c_CLEAN_nIter.npy")}

    # docs/accuracy.md: cleaned spectra in float agree with those in double to 1e-4 of their peak.
    return Case("RM-CLEAN", theirs, ours, {"clean": of_peak(1e-4), "components": of_peak(1e-4), "iterations": 0})


def fit_case(loss: str) -> Case:
    """With the S/N cut of both tools: the pixel of noise is left out."""
    data = stokes_sky(bad_channel=loss == "cauchy")
    reference = 1.35e9

    def theirs(_):
        rmlite()
        import dask.array
        from rm_lite.utils.fitting import StokesIFitOptions, fit_stokes_cube
        options = StokesIFitOptions(robust_loss="linear" if loss == "squares" else loss)
        found = fit_stokes_cube(dask.array.from_array(data.i.astype(float)), data.sigma, data.frequency, reference,
                                options, logging.ERROR)
        return {"coefficients": np.asarray(found.coeff_cube), "log errors": log_of(np.asarray(found.coeff_error_cube)),
                "model": np.asarray(found.model_cube), "alpha": np.asarray(found.alpha_map)}

    def ours(folder):
        prefix = fitted(folder, data, "--loss", loss, "--reference", reference)
        return load_fit(prefix, 2) | {"alpha": np.load(f"{prefix}alpha.npy")}

    # rm-lite's alpha is that of differences between channels.
    return Case(f"fit of Stokes I, {loss}", theirs, ours, RMLITE_BOUNDS)


def cases() -> list[Case]:
    return [spectra_case(False, (-400, 400)), spectra_case(True, (-112, 480)), rmsf_case(), peaks_case(False),
            peaks_case(True), clean_case(), fit_case("squares"), fit_case("cauchy")]
