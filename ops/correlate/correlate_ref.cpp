// SPDX-License-Identifier: Apache-2.0
// The definition. If it and a fast path differ by more than the bound, the fast path is wrong.
#include <algorithm>

#include "core/samples.hpp"
#include "core/stop.hpp"
#include "ops/correlate/correlate_problem.hpp"
#include "ops/correlate/correlate_scale.hpp"

namespace tessera {
namespace {

/// Two planes moved by one shift: over all x, y where both have a pixel.
double correlation(const AnyView& a, const AnyView& b, int dx, int dy) {
  const int width = a.size.width, height = a.size.height;
  double sum = 0;
  for (int y = std::max(0, -dy); y < std::min(height, height - dy); ++y) {
    poll_stop();
    for (int x = std::max(0, -dx); x < std::min(width, width - dx); ++x)
      sum += sample_at(a, x + dx, y + dy, 0, 0) * sample_at(b, x, y, 0, 0);
  }
  return sum;
}

class Reference : public CorrelateRunner {
 public:
  explicit Reference(const CorrelateProblem& problem) : problem_(problem) {}
  std::string describe() const override { return "in double, one thread"; }

  void run(AnyView image, AnyView other, AnyMutableView map, Stream&) const override {
    const int sums = static_cast<int>(problem_.sums.size());
    for (int k = 0; k < problem_.batch; ++k) {
      const ShiftDivisors divisors(problem_, image, other, k);
      for (int s = 0; s < sums; ++s)
        for (int row = 0; row < problem_.shifts_y; ++row)
          for (int column = 0; column < problem_.shifts_x; ++column) {
            const int dx = problem_.first_shift.x + column, dy = problem_.first_shift.y + row;
            double sum = 0;
            for (const PlanePair& pair : problem_.sums[static_cast<std::size_t>(s)].pairs)
              sum += correlation(plane_view(problem_, image, k, pair.first),
                                 plane_view(problem_, other, k, pair.second), dx, dy);
            store_sample(map, column, row, 0, k * sums + s, sum / divisors.at(s, dx, dy));
          }
    }
  }

 private:
  CorrelateProblem problem_;
};

}  // namespace

CorrelateRunnerPointer make_correlate_reference(const CorrelateProblem& problem) {
  return std::make_unique<Reference>(problem);
}

}  // namespace tessera
