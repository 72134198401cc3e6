// SPDX-License-Identifier: Apache-2.0
#include "io/tiff/tiff_axes.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tessera {
namespace {

/// Sides of square pixels may differ by this share: resolutions are rounded.
constexpr double kSquare = 0.005;

}  // namespace

StackAxes tiff_axes(const TiffStack& stack) {
  if (is_imagej(stack.description)) return imagej_axes(stack);
  if (is_ome(stack.description)) return ome_axes(stack);
  if (is_tifffile(stack.description)) return tifffile_axes(stack);
  return {};
}

void set_pixel_size(double width, double height, StackAxes& axes) {
  if (!(width > 0) || !std::isfinite(width)) return;
  if (height > 0 && std::isfinite(height) && std::abs(width - height) > kSquare * width) {
    axes.notes.push_back(
        fmt::format("its pixels are {:.6g} um wide and {:.6g} um high; its pixel size is not used, "
                    "because only square pixels can be converted to micrometres",
                    width, height));
    return;
  }
  axes.um_per_pixel = width;
}

}  // namespace tessera
