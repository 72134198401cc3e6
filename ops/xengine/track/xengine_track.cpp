// SPDX-License-Identifier: Apache-2.0
#include "ops/xengine/track/xengine_track.hpp"

#include <cmath>
#include <numbers>

namespace tessera {

FringeTurns fringe_turns(double turns, double step) {
  const auto turned = [](double by) {
    const double angle = -2 * std::numbers::pi * (by - std::round(by));
    return FringeSample{std::cos(angle), std::sin(angle)};
  };
  FringeTurns made;
  for (std::size_t k = 0; k < kFringeLanes; ++k) {
    const FringeSample z = turned(turns + static_cast<double>(k) * step);
    made.re[k] = z.re;
    made.im[k] = z.im;
  }
  const FringeSample next = turned(kFringeLanes * step);
  made.next_re = next.re;
  made.next_im = next.im;
  return made;
}

// A few sines per run, then products in double: after 16 of them the error is some 1e-15.
FringePhases fringe_phases(double turns, double step, int count) {
  FringeTurns now = fringe_turns(turns, step);
  FringePhases phases;
  for (std::size_t j = 0; j < static_cast<std::size_t>(count) && j < kFringeRun; j += kFringeLanes)
    for (std::size_t k = 0; k < kFringeLanes; ++k) {
      phases.re[j + k] = static_cast<float>(now.re[k]);
      phases.im[j + k] = static_cast<float>(now.im[k]);
      const double re = now.re[k] * now.next_re - now.im[k] * now.next_im;
      now.im[k] = now.re[k] * now.next_im + now.im[k] * now.next_re;
      now.re[k] = re;
    }
  return phases;
}

}  // namespace tessera
