// SPDX-License-Identifier: Apache-2.0
/// RM-CLEAN of a strip of spectra, in the run that makes them.
#pragma once

#include <optional>

#include "jobs/faraday/faraday_pixel_rmsfs.hpp"
#include "tessera/faraday_clean.hpp"
#include "tessera/faraday_maps.hpp"

namespace tessera {

/// Counts over all strips.
struct FaradayCleanCounts {
  long long cleaned_pixels = 0, iterations = 0, at_limit = 0;

  void add(AnyView iterations_map, int limit);
  /// Those of all ranks, on each of them (core/ranks.hpp).
  void join_ranks();
};

class FaradayStripClean {
 public:
  /// A cutoff or window below 0 is a multiple of each pixel's noise: that of its band, or, where it
  /// is not known, measured in its dirty spectrum. Throws Error(usage) for a cutoff of 0.
  FaradayStripClean(const ImageInfo& spectra, const FaradayAxes& axes, const FaradayRmsf& rmsf,
                    const FaradayCleanOptions& options, Backend backend);

  const FaradayClean& plan() const { return *plan_; }
  const FaradayCleanCounts& counts() const { return counts_; }
  void join_ranks() { counts_.join_ranks(); }

  /// `bands` is on the host, spectra where the plan works. `iterations` is on the host.
  void run(AnyView real, AnyView imaginary, AnyView bands, const FaradayOwnRmsfs& own,
           const FaradayCleaned& cleaned, AnyMutableView iterations, Stream& stream);
  std::size_t bytes_a_row() const;

 private:
  bool by_noise() const { return by_noise_; }
  /// One value per pixel, on the host.
  FaradayBlock noise_of(AnyView real, AnyView imaginary, AnyView bands, Stream& stream) const;

  double cutoff_, window_;  ///< as given
  bool by_noise_;
  std::optional<FaradayClean> plan_;
  std::optional<FaradayMaps> noise_;  ///< measures
  FaradayCleanCounts counts_;
};

}  // namespace tessera
