#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # Rotation measures of a radio field
#
# Cubes of Stokes Q and U over frequency go in; a catalogue of polarised sources with their rotation measures comes out.
# The field is synthetic, so the catalogue can be compared with the truth. Editors that know `# %%` (VS Code, Spyder,
# Jupytext) show it cell by cell; `radio_polarisation.py [FOLDER]` runs all of it and writes its maps to FOLDER.
# %%
import sys
from pathlib import Path

import numpy as np

import tessera

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "polarisation")
folder.mkdir(parents=True, exist_ok=True)

# %% [markdown]
# ## The field
#
# 12 sources in noise; `q` and `u` are (channels, rows, columns), frequencies are in hertz. For your own cubes:
# `q = tessera.read("Q.fits")`.
# %%
sky = tessera.sample_polarised(192, 160, seed=3, sources=12)
q, u, frequency = sky["q"], sky["u"], sky["frequency"]
low, high = frequency[0] / 1e6, frequency[-1] / 1e6
print(f"{len(frequency)} channels of {q.shape[2]}x{q.shape[1]}, {low:.0f} to {high:.0f} MHz")

# %% [markdown]
# ## Spectra over Faraday depth
#
# `rmsf` is the response to a source at one depth; its width says how well depths can be told apart.
# %%
spectra = tessera.faraday_synth(q, u, frequency, phi_max=600, dphi=3)
rmsf = tessera.faraday_rmsf(spectra.axes, fit=True)
print(f"{len(spectra.phi)} depths, the RMSF is {rmsf.fwhm:.1f} rad/m^2 wide")

# %% [markdown]
# ## RM-CLEAN
#
# The noise of a channel follows from the median distance from the median, which sources hardly change. Spectra are
# cleaned down to five times the noise of a spectrum.
# %%
sigma = 1.4826 * np.median(abs(q - np.median(q, axis=(1, 2), keepdims=True)), axis=(1, 2))
theory = tessera.faraday_noise(spectra.axes, sigma)
cleaned = tessera.faraday_clean(spectra.fdf, rmsf, 5 * theory)
maps = tessera.faraday_maps(cleaned.clean, spectra.axes, fwhm=rmsf.fwhm, noise=theory, maps=["rm", "rm-error", "pi"])

# %% [markdown]
# ## Sources
#
# Polarised intensity is never negative and has its own background, so a source is a pixel far above the noise around
# it. That noise comes from the quartiles of the box around every pixel, which sources hardly change.
# %%
noise = tessera.noise(maps["pi"], 48)
highest = tessera.dilate(maps["pi"], "disk:6")
rows, columns = np.nonzero((noise.snr > 8) & (maps["pi"] == highest))
print(f"{len(rows)} sources found; the field has {len(sky['truth']['x'])}")

# %% [markdown]
# ## Catalogue, next to the truth
# %%
truth = sky["truth"]
differences = []
print("   x    y   RM, rad/m^2       made")
for row, column in zip(rows, columns, strict=True):
    nearest = np.argmin(np.hypot(truth["x"] - column, truth["y"] - row))
    rm, error, made = maps["rm"][row, column], maps["rm-error"][row, column], truth["rm"][nearest]
    differences.append(rm - made)
    print(f"{column:4d} {row:4d}  {rm:7.1f} +- {error:3.1f}  {made:8.1f}")
print(f"median |difference|: {np.median(np.abs(differences)):.2f} rad/m^2")

# %% [markdown]
# ## Maps
# %%
tessera.write(folder / "rm.fits", maps["rm"], force=True)
tessera.write(folder / "pi.fits", maps["pi"], force=True)
turn = np.clip(maps["rm"] / 600 + 0.5, 0, 1)  # blue: -300, white: 0, red: 300 rad/m^2
colour = np.clip(np.stack([2 * turn, 1 - abs(2 * turn - 1), 2 - 2 * turn], -1), 0, 1)
light = np.clip(noise.snr / 20, 0, 1)[..., None]
tessera.write(folder / "rm.png", np.nan_to_num(255 * colour * light).astype("uint8"), force=True)
print("maps:", ", ".join(sorted(path.name for path in folder.iterdir())))
