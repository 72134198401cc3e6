// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/cpu/cells_blocks.hpp"

#include <algorithm>
#include <cmath>

#include "core/isa.hpp"

namespace tessera {
namespace {

/// The x with 0 <= x + whole and x + whole + part <= extent - 1, within 0 <= x < extent.
Rows inside(int whole, float part, int extent) {
  const int end = std::min(extent, extent - whole - (part > 0 ? 1 : 0));
  const int first = std::clamp(-whole, 0, extent);
  return {first, std::max(first, end)};
}

}  // namespace

ShiftedPlane::ShiftedPlane(const float* plane, int plane_width, int plane_height, double shift_x,
                           double shift_y)
    : data(plane), width(plane_width), height(plane_height) {
  // Beyond a plane's width nothing is inside, whatever the distance; NaN counts as outside too.
  const auto cut = [](double shift, int extent) {
    return std::abs(shift) <= extent ? shift : static_cast<double>(extent);
  };
  const double x = cut(shift_x, width), y = cut(shift_y, height);
  whole_x = static_cast<int>(std::floor(x));
  whole_y = static_cast<int>(std::floor(y));
  part_x = static_cast<float>(x - whole_x);
  part_y = static_cast<float>(y - whole_y);
}

Rows ShiftedPlane::columns() const { return inside(whole_x, part_x, width); }
Rows ShiftedPlane::rows() const { return inside(whole_y, part_y, height); }

long long smooth_scratch(int width, int rows) {
  return width + 2LL * kCellsSmoothReach +
         static_cast<long long>(rows + 2 * kCellsSmoothReach) * width;
}

GicovCircle gicov_circle(const CellCircle& circle, const GicovShape& shape) {
  GicovCircle made{
      {}, static_cast<float>(1.0 / circle.points), static_cast<float>(1.0 / (circle.points - 1))};
  for (const CirclePixel& p : circle.pixels)
    if (p.dy >= 0)
      made.taps.push_back({p.dy * kGicovLines * shape.line() + p.dx, static_cast<float>(p.cosine),
                           static_cast<float>(p.sine), static_cast<float>(p.cosine_cosine),
                           static_cast<float>(2 * p.cosine_sine), static_cast<float>(p.sine_sine)});
  return made;
}

CellsBlocks cells_blocks() {
  apply_isa_environment();
  CellsBlocks blocks;
  add_smooth_blocks(blocks);
  add_scene_blocks(blocks);
  add_median_blocks(blocks);
  add_gicov_blocks(blocks);
  add_mgvf_blocks(blocks);
  return blocks;
}

}  // namespace tessera
