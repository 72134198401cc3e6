// SPDX-License-Identifier: Apache-2.0
/// The planes of one image as plain rows of floats, whatever its type, steps and channels.
#pragma once

#include <vector>

#include "ops/correlate/cpu/used_planes.hpp"

namespace tessera {

/// Zeros before and after every row: wider than a tile of any SIMD target plus a slab.
inline constexpr int kRowPadding = 128;

/// A sample that is not a finite float; the planes have 0 in its place.
struct SpecialSample {
  int plane, x, y;
};

class PaddedPlanes {
 public:
  PaddedPlanes(const CorrelateProblem& problem, AnyView images, int image,
               const std::vector<bool>& used, const Stream& stream);

  const float* plane(int k) const { return starts_[static_cast<std::size_t>(k)]; }  ///< or null
  long long row() const { return row_; }
  /// Plane by plane, row by row.
  const std::vector<SpecialSample>& specials() const { return specials_; }

 private:
  Scratch memory_;
  long long row_;
  std::vector<float*> starts_;
  std::vector<SpecialSample> specials_;
};

}  // namespace tessera
