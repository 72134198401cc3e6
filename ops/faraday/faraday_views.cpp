// SPDX-License-Identifier: Apache-2.0
#include "ops/faraday/faraday_views.hpp"

#include <fmt/format.h>

#include <numeric>

#include "core/check.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// The common divisor of all steps of a view; 0 if it has a single value.
long long common_step(const AnyView& view) {
  const auto step = [](int extent, long long elements) { return extent > 1 ? elements : 0; };
  return std::gcd(std::gcd(step(view.size.width, view.pixel), step(view.size.height, view.row)),
                  step(view.size.planes, view.plane));
}

/// Whether one view lies in the gaps of the other: real parts between imaginary ones.
bool interleaved(const AnyView& a, const AnyView& b) {
  const long long step = std::gcd(common_step(a), common_step(b));
  const long long bytes = a.address(0, 0) - b.address(0, 0);
  return a.type == b.type && step > 1 && bytes % bytes_of(a.type) == 0 &&
         bytes / bytes_of(a.type) % step != 0;
}

}  // namespace

void check_parts_apart(const char* operation, const AnyView& a, const AnyView& b) {
  if (!interleaved(a, b)) check_apart(operation, a, b);
}

void check_faraday_cube(const char* operation, const char* which, const ImageInfo& cube) {
  check_image(operation, cube);
  if (is_integer(cube.type) || cube.size.channels != 1)
    throw Error(ErrorKind::usage,
                fmt::format("{}: {} is {}; it must be f32 or f64 with one value per pixel, and "
                            "planes for what lies along the third axis",
                            operation, which, image_text(cube)));
  if (cube.size.empty())
    throw Error(ErrorKind::usage,
                fmt::format("{}: {} is {}x{} with {} planes; it needs a pixel "
                            "and a plane at least",
                            operation, which, cube.size.width, cube.size.height, cube.size.planes));
}

void check_faraday_weights(const char* operation, const FaradayAxes& axes) {
  if (std::ssize(axes.weight) != axes.channels())
    throw Error(ErrorKind::usage,
                fmt::format("{}: the axes have {} weights and {} channels; make them with "
                            "faraday_axes",
                            operation, axes.weight.size(), axes.channels()));
}

void check_faraday_view(const char* operation, const char* which, const ImageInfo& given,
                        const ImageInfo& planned, int rows) {
  check_piece(operation, which, given, planned);
  if (given.size.height != rows)
    throw Error(ErrorKind::usage,
                fmt::format("{}: the {} has {} rows and the first input {}; all must "
                            "have the same",
                            operation, which, given.size.height, rows));
}

}  // namespace tessera
