// SPDX-License-Identifier: Apache-2.0
/// What the sums of every shift are divided by, in double, the same for all methods of the CPU.
#pragma once

#include <vector>

#include "ops/correlate/correlate_problem.hpp"

namespace tessera {

/// Where plane `plane` of image `image` of a batch lies: one plane, one channel.
AnyView plane_view(const CorrelateProblem& problem, AnyView images, int image, int plane);

/// The sum of a plane's squares: row by row, in an order that nothing changes.
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
  std::vector<double> energies_;  ///< of every sum; 1 where energy does not count
};

}  // namespace tessera
