// SPDX-License-Identifier: Apache-2.0
/// Statistics of an image and its maps while their rows pass: blanks, ranges and medians.
#pragma once

#include <limits>
#include <vector>

#include "tessera/image.hpp"

namespace tessera {

/// Statistics of valid values; NaN without any.
struct NoiseSpan {
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();
  long long pixels = 0, infinite = 0;
};

/// Statistics of the image itself: blanks, and the largest magnitude of a value.
struct NoiseImageSeen {
  long long blanks = 0;
  double largest = 0;
};

class NoiseSummary {
 public:
  /// For an image and `planes` planes of maps in float. `zero_is_blank` applies to the image.
  NoiseSummary(const Size& image, int planes, bool zero_is_blank);

  /// The rows from `first_row` on, in order; `planes` are those rows of all maps.
  void see(AnyView image, AnyView planes, int first_row, int threads);

  const NoiseImageSeen& image() const { return image_; }
  const NoiseSpan& range(int plane) const { return ranges_[static_cast<std::size_t>(plane)]; }
  /// Medians are taken over about 2^18 pixels if there are more.
  double median(int plane) const;

 private:
  int planes_, step_;
  bool zero_is_blank_;
  NoiseImageSeen image_;
  std::vector<NoiseSpan> ranges_;
  Image samples_;  ///< every step_-th pixel in both directions, of all maps
};

}  // namespace tessera
