// SPDX-License-Identifier: Apache-2.0
/// Faraday spectra and RMSFs, as scripts for gnuplot.
#pragma once

#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "report/plots.hpp"

namespace tessera {

/// One spectrum; empty parts are not drawn.
struct PlottedSpectrum {
  std::vector<double> phi;  ///< rad/m^2
  std::vector<std::complex<double>> dirty, clean, components;
  std::string unit = "Jy/beam";
  std::optional<double> rm;      ///< marked
  std::optional<double> cutoff;  ///< of the clean, marked
};

/// At the top |F| of the dirty spectrum, of the clean one and of its components; at the bottom real
/// and imaginary part of the best available.
Plot plot_spectrum(const std::string& title, const PlottedSpectrum& spectrum, PictureFormat format);

/// |R|, real and imaginary part over depth, with the width marked at half height.
Plot plot_rmsf(const std::string& title, const std::vector<double>& phi,
               const std::vector<std::complex<double>>& value, double fwhm, PictureFormat format);

}  // namespace tessera
