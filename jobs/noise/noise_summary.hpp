// SPDX-License-Identifier: Apache-2.0
/// What is seen of an image and its maps while their rows pass: blanks, ranges and medians.
#pragma once

#include <limits>
#include <vector>

#include "tessera/image.hpp"

namespace tessera {

/// Of values that are there; NaN without any.
struct NoiseSpan {
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();
  long long pixels = 0;
};

class NoiseSummary {
 public:
  /// Of an image and so many planes of maps in float. `zero_is_blank`: of the image.
  NoiseSummary(const Size& image, int planes, bool zero_is_blank);

  /// The rows from `first_row` on, in order; `planes` are those rows of all maps.
  void see(AnyView image, AnyView planes, int first_row, int threads);

  long long blanks() const { return blanks_; }
  const NoiseSpan& range(int plane) const { return ranges_[static_cast<std::size_t>(plane)]; }
  /// Of some 2^18 pixels where there are more.
  double median(int plane) const;

 private:
  int planes_, step_;
  bool zero_is_blank_;
  long long blanks_ = 0;
  std::vector<NoiseSpan> ranges_;
  Image samples_;  ///< every step_-th pixel each way of all maps
};

}  // namespace tessera
