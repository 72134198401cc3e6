// SPDX-License-Identifier: Apache-2.0
/// The response of a filter bank and the spectrum that it found, as a script for gnuplot.
#pragma once

#include <string>
#include <vector>

#include "report/plots.hpp"

namespace tessera {

struct PlottedPower {
  std::string name;           ///< "X"
  std::vector<double> power;  ///< mean of squares per channel; NaN without data
};

struct PlottedBank {
  /// Squared response to a tone that lies this many channels from the middle of one.
  std::vector<double> offset, response;
  std::vector<double> frequency;
  std::string frequency_name;  ///< "frequency (MHz)"
  std::vector<PlottedPower> spectra;
};

/// Above: the response of a channel, in dB, with those of its neighbours. Below: the spectra, in
/// dB.
Plot plot_bank(const std::string& title, const PlottedBank& bank, PictureFormat format);

}  // namespace tessera
