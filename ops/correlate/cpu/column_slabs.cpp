// SPDX-License-Identifier: Apache-2.0
#include "ops/correlate/cpu/column_slabs.hpp"

#include <algorithm>

namespace tessera {
namespace {

/// Rows that are prefetched: their addresses lie too far apart for the hardware prefetcher.
constexpr int kAhead = 16;

template <class T>
void load(View<const T> plane, int x, int slabs, float* to) {
  const long long slab = 1LL * plane.size.height * kSlab;
  for (int y = 0; y < plane.size.height; ++y)
    for (int s = 0; s < slabs; ++s) {
      const int first = x + s * kSlab, count = std::clamp(plane.size.width - first, 0, kSlab);
      const T* from = &plane.at(first, y);
      float* row = to + s * slab + 1LL * y * kSlab;
      if (y + kAhead < plane.size.height) __builtin_prefetch(&plane.at(first, y + kAhead));
      if (count == kSlab && plane.pixel == 1) {
        for (int k = 0; k < kSlab; ++k) row[k] = static_cast<float>(from[k]);
        continue;
      }
      for (int k = 0; k < count; ++k) row[k] = static_cast<float>(from[k * plane.pixel]);
      std::fill(row + count, row + kSlab, 0.0F);
    }
}

}  // namespace

void load_column_slabs(AnyView plane, int x, int slabs, float* to) {
  switch (plane.type) {
    case Type::u8:
      return load(plane.as<const unsigned char>(), x, slabs, to);
    case Type::u16:
      return load(plane.as<const unsigned short>(), x, slabs, to);
    case Type::f32:
      return load(plane.as<const float>(), x, slabs, to);
    default:
      return load(plane.as<const double>(), x, slabs, to);
  }
}

}  // namespace tessera
