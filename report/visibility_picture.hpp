// SPDX-License-Identifier: Apache-2.0
/// Visibilities as scripts for gnuplot: the matrix of a channel, and fringes of some baselines.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "report/plots.hpp"

namespace tessera {

/// Correlation coefficients: V_ij divided by the root of V_ii V_jj; NaN without power.
struct PlottedFringe {
  std::string name;
  std::vector<std::complex<double>> over_frequency;  ///< all times together
  std::vector<std::complex<double>> over_time;       ///< of the matrix's channel
};

struct PlottedVisibilities {
  int inputs = 0;
  std::string channel;                       ///< "channel 17, 1420.4 MHz"
  std::vector<std::complex<double>> matrix;  ///< [i][j], all of it
  std::vector<double> frequency, time;       ///< positions of fringes
  std::string frequency_name, time_name;     ///< "frequency (MHz)"
  std::vector<PlottedFringe> fringes;
};

/// Amplitude and phase: of the matrix at the top, of fringes over frequency at the bottom, and over
/// time if there are several.
Plot plot_visibilities(const std::string& title, const PlottedVisibilities& visibilities,
                       PictureFormat format);

}  // namespace tessera
