// SPDX-License-Identifier: Apache-2.0
#include "ops/correlate/cuda/correlate_direct_tiles.hpp"

#include <algorithm>

namespace tessera {
namespace {

int round_up(int value, int step) { return (value + step - 1) / step * step; }
int round_down(int value, int step) { return value < 0 ? -round_up(-value, step) : value; }

/// The jobs along one axis with pixels x for which x + shift is a pixel too, for some of `shifts`
/// shifts from `first` on.
Rows job_range(int size, int first, int shifts, int job) {
  const int begin = std::max(0, -(first + shifts - 1)), end = std::min(size, size - first);
  return {begin / job, std::max(begin / job, (end + job - 1) / job)};
}

}  // namespace

DirectTiles::DirectTiles(const CorrelateProblem& p, const CorrelateDirectKnobs& k)
    : knobs(k),
      tiles_across(0),
      start_x(round_down(p.first_shift.x, 4)),
      margin_x(p.first_shift.x < 0 ? k.shifts_x() + kJobColumns : 0),
      margin_y(p.first_shift.y < 0 ? k.shifts_y() + kJobRows : 0),
      padded_width(round_up(margin_x + p.image.size.width + k.shifts_x() + kJobColumns, 4)),
      padded_height(margin_y + p.image.size.height + k.shifts_y() + kJobRows) {
  const int end_x = p.first_shift.x + p.shifts_x, end_y = p.first_shift.y + p.shifts_y;
  tiles_across = (end_x - start_x + k.shifts_x() - 1) / k.shifts_x();
  for (int dy = p.first_shift.y; dy < end_y; dy += k.shifts_y())
    for (int dx = start_x; dx < end_x; dx += k.shifts_x()) {
      const Rows columns = job_range(p.image.size.width, dx, k.shifts_x(), kJobColumns),
                 rows = job_range(p.image.size.height, dy, k.shifts_y(), kJobRows);
      tiles.push_back({dx, dy, columns.first, columns.count(), rows.first, rows.count(), jobs});
      jobs += 1LL * columns.count() * rows.count();
    }
}

}  // namespace tessera
