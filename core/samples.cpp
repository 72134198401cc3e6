// SPDX-License-Identifier: Apache-2.0
#include "core/samples.hpp"

#include <cmath>

namespace tessera {
namespace {

template <class Integer>
Integer saturated(double value) {
  constexpr double kMost = static_cast<Integer>(-1);
  if (!(value > 0)) return 0;
  return static_cast<Integer>(value < kMost ? std::nearbyint(value) : kMost);
}

}  // namespace

double sample_at(const AnyView& view, int x, int y, int channel, int plane) {
  switch (view.type) {
    case Type::u8:
      return view.as<const unsigned char>().at(x, y, channel, plane);
    case Type::u16:
      return view.as<const unsigned short>().at(x, y, channel, plane);
    case Type::f32:
      return static_cast<double>(view.as<const float>().at(x, y, channel, plane));
    default:
      return view.as<const double>().at(x, y, channel, plane);
  }
}

void store_sample(const AnyMutableView& view, int x, int y, int channel, int plane, double value) {
  switch (view.type) {
    case Type::u8:
      view.as<unsigned char>().at(x, y, channel, plane) = saturated<unsigned char>(value);
      break;
    case Type::u16:
      view.as<unsigned short>().at(x, y, channel, plane) = saturated<unsigned short>(value);
      break;
    case Type::f32:
      view.as<float>().at(x, y, channel, plane) = static_cast<float>(value);
      break;
    default:
      view.as<double>().at(x, y, channel, plane) = value;
  }
}

}  // namespace tessera
