// SPDX-License-Identifier: Apache-2.0
#include "ops/xengine/track/xengine_track.hpp"

#include <cmath>
#include <numbers>

namespace tessera {

// Two sines per run, then products in double: after 64 of them the error is some 1e-15.
FringePhases fringe_phases(double turns, double step, int count) {
  constexpr int kAtOnce = 4;
  const auto turned = [](double by) {
    const double angle = -2 * std::numbers::pi * (by - std::round(by));
    return FringeSample{std::cos(angle), std::sin(angle)};
  };
  FringePhases phases;
  double x[kAtOnce], y[kAtOnce];
  for (int k = 0; k < kAtOnce; ++k) {
    const FringeSample z = turned(turns + k * step);
    x[k] = z.re;
    y[k] = z.im;
  }
  const FringeSample next = turned(kAtOnce * step);
  for (int j = 0; j < kFringeRun; j += kAtOnce) {
    if (j >= count) break;
    for (int k = 0; k < kAtOnce; ++k) {
      phases.re[static_cast<std::size_t>(j + k)] = static_cast<float>(x[k]);
      phases.im[static_cast<std::size_t>(j + k)] = static_cast<float>(y[k]);
      const double re = x[k] * next.re - y[k] * next.im;
      y[k] = x[k] * next.im + y[k] * next.re;
      x[k] = re;
    }
  }
  return phases;
}

}  // namespace tessera
