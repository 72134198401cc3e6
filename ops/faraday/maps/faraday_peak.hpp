// SPDX-License-Identifier: Apache-2.0
/// The parts of faraday_peak that the CPU methods of the maps share.
#pragma once

#include <span>
#include <vector>

#include "ops/faraday/maps/faraday_peak.cuh"
#include "tessera/faraday_maps.hpp"

namespace tessera {

FaradayPeakRule faraday_peak_rule(const FaradayAxes& axes, double fwhm);

/// The values from which the noise of a spectrum whose peak is at `index` is measured.
void gather_faraday_noise(std::span<const double> real, std::span<const double> imaginary,
                          const FaradayPeakRule& rule, int index, std::vector<double>& values);

/// dF from these; NaN if there are none. `values` is scratch memory that is kept between calls.
double measured_faraday_noise(std::span<const double> real, std::span<const double> imaginary,
                              const FaradayPeakRule& rule, int index, std::vector<double>& values);

/// A spectrum as two rows of numbers, and all results for it.
class FaradaySpectrumPeak {
 public:
  FaradaySpectrumPeak(const FaradayAxes& axes, double fwhm, double noise);

  FaradayTop top(std::span<const double> real, std::span<const double> imaginary) const;
  double second_moment(std::span<const double> real, std::span<const double> imaginary) const;
  /// `room` is scratch memory that is kept between calls.
  FaradayValues values(std::span<const double> real, std::span<const double> imaginary,
                       std::vector<double>& room) const;

 private:
  std::vector<double> phi_;
  FaradayPeakRule rule_;
  double noise_;
};

}  // namespace tessera
