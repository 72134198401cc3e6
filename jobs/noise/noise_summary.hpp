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

/// Statistics of an image and of each of its maps.
struct NoiseSeen {
  NoiseImageSeen image;
  std::vector<NoiseSpan> maps;

  /// Adds those of another image with as many maps.
  void add(const NoiseSeen& other);
};

class NoiseSummary {
 public:
  /// For an image and `planes` planes of maps in float. `zero_is_blank` applies to the image.
  NoiseSummary(const Size& image, int planes, bool zero_is_blank);

  /// The rows from `first_row` on, in order; `planes` are those rows of all maps.
  void see(AnyView image, AnyView planes, int first_row, int threads);

  /// Joins what all ranks have seen, on each of them (core/ranks.hpp).
  void join_ranks();

  const NoiseSeen& seen() const { return seen_; }
  /// Medians are taken over about 2^18 pixels if there are more.
  double median(int plane) const;

 private:
  int planes_, step_;
  bool zero_is_blank_;
  NoiseSeen seen_;
  Image samples_;             ///< every step_-th pixel in both directions, of all maps
  std::vector<int> sampled_;  ///< rows of them that this rank has seen
};

}  // namespace tessera
