// SPDX-License-Identifier: Apache-2.0
/// Which shifts the CPU methods sum, and how the sums are written to the maps.
#pragma once

#include "ops/correlate/correlate_problem.hpp"
#include "ops/correlate/correlate_scale.hpp"

namespace tessera {

/// The rows of shifts that must be summed. For planes with themselves in all quadrants, the upper
/// half is the lower one rotated, bit by bit.
struct SummedRows {
  SummedRows(const CorrelateProblem& p, bool same_image)
      : mirrored(same_image && p.first_shift.y < 0 && p.same_planes()),
        first(mirrored ? 0 : p.first_shift.y),
        count(mirrored ? p.shifts_y / 2 + 1 : p.shifts_y) {}
  bool mirrored;
  int first, count;
};

/// Divides and stores the sums of one image of a batch.
class MapWriter {
 public:
  MapWriter(const CorrelateProblem& problem, AnyView images, AnyView others, AnyMutableView map,
            int image)
      : first_(problem.first_shift),
        sums_(static_cast<int>(problem.sums.size())),
        divisors_(problem, images, others, image),
        map_(map.as<float>()),
        image_(image),
        mirrored_(SummedRows(problem, same_images(images, others)).mirrored) {}

  void put(int sum, int dx, int dy, double value) const {
    // In row 0 the left half is the right one mirrored, too: a shift and its opposite have the same
    // value.
    if (mirrored_ && dy == 0 && dx < 0) return;
    const double divisor = divisors_.at(sum, dx, dy);  // mostly 1, and divisions are slow
    const auto result = static_cast<float>(divisor == 1 ? value : value / divisor);
    store(sum, dx, dy, result);
    if (mirrored_) store(sum, -dx, -dy, result);
  }

 private:
  void store(int sum, int dx, int dy, float value) const {
    map_.at(dx - first_.x, dy - first_.y, 0, image_ * sums_ + sum) = value;
  }

  Point first_;
  int sums_;
  ShiftDivisors divisors_;
  View<float> map_;
  int image_;
  bool mirrored_;
};

}  // namespace tessera
