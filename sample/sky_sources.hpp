// SPDX-License-Identifier: Apache-2.0
/// Gaussian sources of a sky, as seen through its beam.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sample/sky_options.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// Full widths at half maximum, in pixels, and the direction of the longer one: degrees from
/// growing rows (north) towards lower columns (east), as in BPA.
struct SkyShape {
  double major = 0, minor = 0, angle = 0;
};
SkyShape sky_beam(const SkyOptions& options);

struct SkySource {
  double x = 0, y = 0;  ///< pixel centres have whole coordinates
  double peak = 0;      ///< at the centre
  double flux = 0;      ///< in total, with the peak of a point source as unit
  SkyShape shape;       ///< of a point source: the beam's
};

/// From top to bottom. The same for a seed on every machine; throws Error(usage) if that many do
/// not fit.
std::vector<SkySource> draw_sky_sources(const Size& size, std::uint64_t seed,
                                        const SkyOptions& options);

/// A source's values over rows and columns: peak exp(-(a dx^2 + b dx dy + c dy^2)), nothing
/// if that is less than 2e-8 of the peak.
class SkyProfile {
 public:
  explicit SkyProfile(const SkySource& source);

  double reach() const { return reach_; }  ///< in pixels, from the centre
  /// Adds the source to a row.
  void add_to(int row, std::vector<double>& values) const;

 private:
  double x_, y_, peak_, a_, b_, c_, reach_;
};

/// The truth as text: a line of names, then one for each source.
std::string truth_as_csv(const std::vector<SkySource>& sources);

}  // namespace tessera
