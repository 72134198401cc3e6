# SPDX-License-Identifier: Apache-2.0
"""Polarised cubes for the judges of faraday, and Tessera's answers to them. Not a judge itself."""
import sys
import types
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from judging import ROOT, Arrays, tessera

LIGHT = 299792458.0
PHI_MAX, STEP = 400, 16
SPECTRUM = ROOT / "tests" / "data" / "rmtools" / "RMsynth1D_testdata.dat"  # of RM-Tools, see ORIGIN.md there
PEAK_MAPS = ["phiPeakPIfit_rm2", "ampPeakPIfit", "polAngleFit_deg", "polAngle0Fit_deg"]
# Those of pixels that lack channels, by their own; and those that others define for complete pixels only.
OWN_ERROR_MAPS = ["dPhiPeakPIfit_rm2", "ampPeakPIfitEff", "snrPIfit"]
ERROR_MAPS = [*OWN_ERROR_MAPS, "dPolAngleFit_deg"]

# With spectra off by 1e-5 of A: the vertex of the parabola through three depths moves by about 1.5 STEP 1e-5 / c,
# c = 5.5 (STEP / width)^2 being its curvature, 6e-4 rad/m^2; the angle at a depth by 1e-5 / 2 rad and by the slope of
# the phase there; the angle at wavelength 0 by the depth times lambda0^2, 0.1 m^2.
PEAK_BOUNDS = {"phiPeakPIfit_rm2": 1e-3, "polAngleFit_deg": 2e-3, "polAngle0Fit_deg": 8e-3}


@dataclass(frozen=True)
class Sky:
    frequency: np.ndarray
    q: np.ndarray
    u: np.ndarray
    sigma: np.ndarray  # of Q and U, one per channel

    @property
    def lambda2(self) -> np.ndarray:
        return (LIGHT / self.frequency) ** 2

    @property
    def width(self) -> float:
        """The width of the RMSF by theory."""
        return 3.8 / float(self.lambda2.max() - self.lambda2.min())

    @property
    def accuracy(self) -> float:
        """The promise of docs/accuracy.md for spectra in float: 1e-5 of the pixel's mean |Q + iU|."""
        power = np.abs(self.q + 1j * self.u).reshape(self.frequency.size, -1)
        return 1e-5 * max(float(pixel[np.isfinite(pixel)].mean()) for pixel in power.T if np.isfinite(pixel).any())

    def write(self, folder: Path) -> list[Path]:
        """The arguments of `tessera faraday synth`, and the file of the noise."""
        paths = [folder / name for name in ("q.npy", "u.npy", "frequencies.txt", "noise.txt")]
        np.save(paths[0], self.q)
        np.save(paths[1], self.u)
        np.savetxt(paths[2], self.frequency, fmt="%.17g")
        np.savetxt(paths[3], self.sigma, fmt="%.17g")
        return paths


def sky(flags: bool = False, rows: int = 2, columns: int = 5) -> Sky:
    """In float: two sources per pixel, noise that differs from channel to channel, 72 channels of 800 to 1088 MHz."""
    random = np.random.RandomState(24)
    frequency = np.linspace(0.8e9, 1.088e9, 72)
    lambda2 = (LIGHT / frequency)[:, None, None] ** 2
    depths = random.uniform(-250, 250, (2, rows, columns))
    p = np.exp(2j * (0.4 + depths[0] * lambda2)) + 0.5 * np.exp(2j * (1.1 + depths[1] * lambda2))
    sigma = np.linspace(0.1, 0.2, frequency.size)
    noise = random.standard_normal((2, *p.shape)) * sigma[:, None, None]
    q, u = (p.real + noise[0]).astype("f4"), (p.imag + noise[1]).astype("f4")
    if flags:
        for cube in (q, u):
            cube[:36, 0, :2] = np.nan
            cube[:, 1, 1] = np.nan
    return Sky(frequency, q, u, sigma)


def complex_cube(prefix: Path, name: str, ending: str = "") -> np.ndarray:
    return np.load(f"{prefix}{name}_real{ending}.npy") + 1j * np.load(f"{prefix}{name}_im{ending}.npy")


def synthesis(folder: Path, data: Sky, *options: object, noise: bool = False) -> Path:
    """Runs synth and returns the prefix of its files."""
    *inputs, sigma = data.write(folder)
    if noise:
        options = (*options, "-n", sigma, "-w", "variance")
    tessera("faraday", "synth", *inputs, "-o", folder / "f_", "-l", PHI_MAX, "-d", STEP, "--quiet", "--force", *options)
    return folder / "f_"


def load_maps(prefix: Path, names: list[str]) -> Arrays:
    """Errors of angles are by the intensity without bias, and here by the biased one, as in other tools."""
    maps = {name: np.load(f"{prefix}{name}.npy") for name in names}
    if "dPolAngleFit_deg" in maps:
        biased = np.load(f"{prefix}ampPeakPIfitEff.npy") / np.load(f"{prefix}ampPeakPIfit.npy")
        maps["dPolAngleFit_deg"] = maps["dPolAngleFit_deg"] * biased
    return maps


def finufft_or_plain_sum() -> str:
    """FINUFFT has no wheel for every machine. The one function that tools use of it is then a plain sum in double,
    which is more exact. Returns a note that is added to the version of the tool."""
    try:
        import finufft
    except ImportError:
        finufft = types.ModuleType("finufft")
        finufft.nufft1d3 = lambda x, c, s, eps, isign=1, nthreads=0: (
            c.astype(complex) @ np.exp(1j * isign * np.outer(x.astype(float), s.astype(float))))
        sys.modules["finufft"] = finufft
    return "" if hasattr(finufft, "Plan") else " (plain sum for FINUFFT)"
