// SPDX-License-Identifier: Apache-2.0
#include "ops/faraday/faraday_views.hpp"

#include <fmt/format.h>

#include "core/check.hpp"
#include "tessera/error.hpp"

namespace tessera {

void check_faraday_cube(const char* operation, const char* which, const ImageInfo& cube) {
  check_image(operation, cube);
  if (is_integer(cube.type) || cube.size.channels != 1)
    throw Error(ErrorKind::usage,
                fmt::format("{}: {} is {}; it must be f32 or f64 with one value a pixel, and "
                            "planes for what lies along the third axis",
                            operation, which, image_text(cube)));
  if (cube.size.empty())
    throw Error(ErrorKind::usage,
                fmt::format("{}: {} is {}x{} with {} planes; it needs a pixel "
                            "and a plane at least",
                            operation, which, cube.size.width, cube.size.height, cube.size.planes));
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
