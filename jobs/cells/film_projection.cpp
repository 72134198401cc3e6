// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/film_projection.hpp"

#include <cmath>
#include <concepts>
#include <cstdint>

namespace tessera {
namespace {

bool is_missing(std::integral auto) { return false; }
bool is_missing(std::floating_point auto value) { return std::isnan(value); }

template <class T>
void keep_maximum_of(const AnyView& other, const AnyMutableView& kept) {
  for (int y = 0; y < kept.size.height; ++y)
    for (int x = 0; x < kept.size.width; ++x) {
      const auto* from = reinterpret_cast<const T*>(other.address(x, y));
      auto* to = reinterpret_cast<T*>(kept.address(x, y));
      for (int c = 0; c < kept.size.channels; ++c)
        if (from[c] > to[c] || is_missing(to[c])) to[c] = from[c];
    }
}

}  // namespace

void keep_maximum(const AnyView& other, const AnyMutableView& kept) {
  switch (kept.type) {
    case Type::u8:
      return keep_maximum_of<std::uint8_t>(other, kept);
    case Type::u16:
      return keep_maximum_of<std::uint16_t>(other, kept);
    case Type::f32:
      return keep_maximum_of<float>(other, kept);
    default:
      return keep_maximum_of<double>(other, kept);
  }
}

}  // namespace tessera
