// SPDX-License-Identifier: Apache-2.0
/// Statistics of all planes that a noise job makes maps of.
#pragma once

#include <string>
#include <vector>

#include "jobs/noise/noise_result.hpp"
#include "jobs/noise/noise_summary.hpp"

namespace tessera {

class NoisePlanes {
 public:
  NoisePlanes(const Size& plane, int maps)
      : pixels_(plane.pixels()), seen_{.maps = std::vector<NoiseSpan>(index(maps))} {}

  /// A plane that is done; `plane` is its number in the file.
  void add(int plane, const NoiseSummary& summary);

  long long pixels() const { return pixels_ * std::ssize(planes_); }
  const NoiseSeen& seen() const { return seen_; }
  const std::vector<NoisePlaneResult>& planes() const { return planes_; }
  /// The median of the planes' medians, without planes that have none.
  double median(int map) const;
  /// One sentence about planes without a valid pixel among others; "" if there are none.
  std::string blank_planes() const;

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  long long pixels_;
  NoiseSeen seen_;
  std::vector<NoisePlaneResult> planes_;
};

}  // namespace tessera
