// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include "ops/xengine/track/xengine_track.hpp"

namespace tessera {
namespace {

constexpr double kPi = std::numbers::pi;

}  // namespace

// A sinc in a Hann window as wide as the taps.
double fringe_weight(double distance) {
  if (std::abs(distance) >= kFringeTaps / 2.0) return 0;
  const double window = std::cos(kPi * distance / kFringeTaps);
  const double sinc = distance == 0 ? 1 : std::sin(kPi * distance) / (kPi * distance);
  return window * window * sinc;
}

// B(t) = exp(-2 pi i turns) A(t - d); re and im point to A(t).
FringeSample reference_fringe(const float* re, const float* im, double delay_in_samples,
                              double turns, bool shift) {
  double x = 0, y = 0;
  if (!shift) {
    x = re[0];
    y = im[0];
  } else {
    const auto whole = static_cast<long long>(std::floor(-delay_in_samples));
    for (long long n = whole + 1 - kFringeTaps / 2; n <= whole + kFringeTaps / 2; ++n) {
      const double weight = fringe_weight(static_cast<double>(n) + delay_in_samples);
      x += weight * re[n];
      y += weight * im[n];
    }
  }
  const double c = std::cos(2 * kPi * turns), s = -std::sin(2 * kPi * turns);
  return {x * c - y * s, x * s + y * c};
}

}  // namespace tessera
