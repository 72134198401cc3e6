// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/frames/cells_scale.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tessera {
namespace {

/// Largest values that need no scale: 1e-10 to 1e10.
constexpr int kLeast = -33, kMost = 33;

template <class T, class Do>
void for_samples(View<T> view, Do&& visit) {
  for (int p = 0; p < view.size.planes; ++p)
    for (int y = 0; y < view.size.height; ++y)
      for (int x = 0; x < view.size.width; ++x) visit(view.at(x, y, 0, p), x, y, p);
}

template <class T>
double largest(View<const T> frames) {
  double most = 0;
  for_samples(frames, [&](T value, int, int, int) {
    if (std::isfinite(value)) most = std::max(most, std::abs(static_cast<double>(value)));
  });
  return most;
}

template <class T>
void multiply(View<const T> from, int exponent, View<T> to) {
  for_samples(
      from, [&](T value, int x, int y, int p) { to.at(x, y, 0, p) = std::ldexp(value, exponent); });
}

template <class T>
AnyView scaled_by(AnyView frames, int& exponent, bool& known, Image& scaled) {
  const View<const T> from = frames.as<const T>();
  if (!known) {
    const double most = largest(from);
    if (most > 0) {
      const int size = std::ilogb(most);
      exponent = size < kLeast || size > kMost ? -size : 0;
      known = true;
    }
  }
  if (exponent == 0) return frames;
  scaled = Image(frames.info());
  multiply(from, exponent, scaled.as<T>());
  return std::as_const(scaled).view();
}

}  // namespace

AnyView CellsScale::of(AnyView frames, Image& scaled) {
  if (frames.device != kHost) return frames;
  if (frames.type == Type::f32) return scaled_by<float>(frames, exponent_, known_, scaled);
  if (frames.type == Type::f64) return scaled_by<double>(frames, exponent_, known_, scaled);
  return frames;
}

}  // namespace tessera
