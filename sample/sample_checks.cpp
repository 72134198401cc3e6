// SPDX-License-Identifier: Apache-2.0
#include "sample/sample_checks.hpp"

#include <fmt/format.h>

#include "core/counted.hpp"
#include "tessera/error.hpp"
#include "tessera/options.hpp"

namespace tessera {

void require_within(const char* sample, const char* name, double value, double low, double high) {
  const Range range{low, high};
  if (!range.holds(value)) throw_outside(sample, name, to_text(value), range);
}

void check_one_plane(const char* sample, const Size& size) {
  if (size.width < 1 || size.height < 1 || size.channels != 1 || size.planes != 1)
    throw Error(ErrorKind::usage,
                fmt::format("{}: {}x{} pixels with {} and {} cannot be made; it "
                            "needs at least one pixel, 1 channel and 1 plane",
                            sample, size.width, size.height, counted(size.channels, "channel"),
                            counted(size.planes, "plane")));
  check_sides(sample, size);
}

void check_type(const char* sample, Type type) {
  if (is_signed_integer(type))
    throw Error(ErrorKind::usage, fmt::format("{}: type is {}; it can be u8, u16, f32 or f64",
                                              sample, name_of(type)));
}

void check_sides(const char* sample, const Size& size) {
  constexpr int kMost = 1 << 24;  // some rows are always in memory
  if (size.width > kMost || size.height > kMost)
    throw Error(ErrorKind::usage,
                fmt::format("{}: size: {}x{} is too large; a side can have at most {} pixels",
                            sample, size.width, size.height, kMost));
}

}  // namespace tessera
