// SPDX-License-Identifier: Apache-2.0
/// Compares the visibilities of a synthetic recording with the true sky.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "report/json.hpp"

namespace tessera {

/// Visibilities of one integration and their truth.
struct VisibilitySky {
  Json truth;        ///< NAME_truth.json
  int antennas = 0;  ///< of two polarisations
  int channels = 0;
  double samples = 0;  ///< in time, included in the sums
  double scale = 1;    ///< levels, of the square root of a unit of flux
  /// Mean per sample, [channel][baseline][p of a][p of b]: measured and expected.
  std::vector<std::complex<double>> measured, model;

  int baselines() const { return antennas * (antennas + 1) / 2; }
  /// Where the products of a baseline begin.
  std::size_t place(int channel, int a, int b) const;
  double frequency(int channel) const;  ///< Hz
  /// Mean of A_a conj(A_b) of both polarisations, in units of flux: Stokes I.
  std::complex<double> stokes_i(int channel, int a, int b) const;
};

/// Reads NAME.npy (integers, one integration), NAME_model.npy and NAME_truth.json. Throws
/// Error(input) if they do not match.
VisibilitySky read_visibility_sky(const std::string& name);

/// The difference between products of different antennas and the model, in units of that expected
/// from Gaussian noise of their powers: the rms over channels for the worst pair of inputs.
double distance_from_model(const VisibilitySky& sky);

/// Stokes I of all sources of the truth together, by least squares on all baselines and channels.
std::vector<double> fitted_fluxes(const VisibilitySky& sky);

/// The sky as a map without deconvolution: columns go west, rows south, both to `reach` (direction
/// cosines) on each side of the field's centre. Every `step`th channel counts.
struct SkyMap {
  int side = 0;
  double reach = 0;
  std::vector<double> flux;
};
SkyMap map_sky(const VisibilitySky& sky, int side, double reach, int step);

}  // namespace tessera
