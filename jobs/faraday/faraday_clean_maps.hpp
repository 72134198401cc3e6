// SPDX-License-Identifier: Apache-2.0
/// Maps of cleaned spectra from files: what errors owe to a pixel's channels comes from its RMSF.
#pragma once

#include <vector>

#include "jobs/faraday/faraday_clean_input.hpp"
#include "jobs/faraday/faraday_outputs.hpp"
#include "tessera/faraday_maps.hpp"

namespace tessera {

/// Mean of lambda^2 - lambda2_0 and standard deviation of lambda^2 of the channels of an RMSF, m^2.
/// R'(0) is -2i times the first, R''(0) -4 times the mean square; both by differences of high order
/// over values a fifth of the width apart.
struct RmsfMoments {
  double mean = 0, spread = 0;
};
RmsfMoments rmsf_moments(const FaradayRmsf& rmsf);

class FaradayCleanMaps {
 public:
  /// Throws Error(usage) for files that do not state what maps need.
  FaradayCleanMaps(const FaradayCleanJob& job, const FaradayCleanInput& input,
                   std::vector<FaradayMap> maps);

  const FaradayMaps& plan() const { return *plan_; }
  /// Their files; `first_plane` is that of the first map.
  std::vector<FaradayProduct> products(const FaradayCleanJob& job, const FaradayCleanInput& input,
                                       int first_plane) const;
  /// Maps of a strip of cleaned spectra, whose pixels have the RMSFs of `dirty`.
  void run(AnyView real, AnyView imaginary, const FaradayDirty& dirty, int first_row,
           AnyMutableView maps, int threads) const;
  double bytes_a_row() const;

 private:
  const FaradayCleanInput& input_;
  std::vector<FaradayMap> maps_;
  std::vector<double> phi_;
  RmsfMoments moments_;  ///< of the plan's RMSF
  double lambda2_0_ = 0;
  std::optional<FaradayMaps> plan_;
};

}  // namespace tessera
