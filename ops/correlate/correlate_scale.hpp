// SPDX-License-Identifier: Apache-2.0
/// The divisors of the sums of every shift, in double, the same for all methods of the CPU.
#pragma once

#include <vector>

#include "ops/correlate/correlate_problem.hpp"

namespace tessera {

/// Plane `plane` of image `image` of a batch: one plane, one channel.
AnyView plane_view(const CorrelateProblem& problem, AnyView images, int image, int plane);

/// The sum of a plane's squares: row by row, always in the same order.
double plane_energy(AnyView plane);

/// The divisors of one image of a batch.
class ShiftDivisors {
 public:
  ShiftDivisors(const CorrelateProblem& problem, AnyView images, AnyView others, int image);

  double at(int sum, int dx, int dy) const {
    return energies_[static_cast<std::size_t>(sum)] * (by_overlap_ ? overlap(dx, dy) : 1);
  }

 private:
  double overlap(int dx, int dy) const {
    return (width_ - (dx < 0 ? -dx : dx)) * (height_ - (dy < 0 ? -dy : dy));
  }

  double width_, height_;
  bool by_overlap_;
  std::vector<double> energies_;  ///< of every sum; 1 if energy does not count
};

}  // namespace tessera
