// SPDX-License-Identifier: Apache-2.0
/// The parts of faraday_peak that the CPU methods of the maps share.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "ops/faraday/maps/faraday_peak.cuh"
#include "tessera/faraday_maps.hpp"

namespace tessera {

/// `noise` NaN: measured.
FaradayPeakRule faraday_peak_rule(const FaradayAxes& axes, double fwhm, double noise);

/// The values from which the noise of a spectrum whose peak is at `index` is measured; `fwhm` is
/// that of its own RMSF.
void gather_faraday_noise(std::span<const double> real, std::span<const double> imaginary,
                          const FaradayPeakRule& rule, double fwhm, int index,
                          std::vector<double>& values);

/// dF from these; NaN if there are none. `values` is scratch memory that is kept between calls.
double measured_faraday_noise(std::span<const double> real, std::span<const double> imaginary,
                              const FaradayPeakRule& rule, double fwhm, int index,
                              std::vector<double>& values);

/// The band of a pixel: its own, where it has one, with the plan's noise if its own is not known.
template <class T>
FaradayBandValues faraday_band_at(const FaradayPeakRule& rule, View<const T> bands, int x, int y) {
  FaradayBandValues band = rule.band;
  if (!bands.data) return band;
  for (int place = 0; place < kFaradayBandPlaces; ++place)
    if (const double value = bands.at(x, y, 0, place);
        place != kFaradayBandNoise || !std::isnan(value))
      band.at[place] = value;
  return band;
}

/// A spectrum as two rows of numbers, and all results for it.
class FaradaySpectrumPeak {
 public:
  FaradaySpectrumPeak(const FaradayAxes& axes, double fwhm, double noise);

  const FaradayPeakRule& rule() const { return rule_; }

  FaradayTop top(std::span<const double> real, std::span<const double> imaginary) const;
  double second_moment(std::span<const double> real, std::span<const double> imaginary) const;
  /// `room` is scratch memory that is kept between calls.
  FaradayValues values(std::span<const double> real, std::span<const double> imaginary,
                       FaradayBandValues band, std::vector<double>& room) const;

 private:
  std::vector<double> phi_;
  FaradayPeakRule rule_;
};

}  // namespace tessera
