// SPDX-License-Identifier: Apache-2.0
#include "io/limits.hpp"

#include <fmt/format.h>

#include <limits>

#include "core/memory.hpp"
#include "core/pools.hpp"
#include "tessera/error.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

void check_extent(const std::string& path, const char* name, long long value, long long most) {
  if (value >= 1 && value <= most) return;
  throw Error(ErrorKind::input,
              fmt::format("{}: its {} is {}; it can be 1 to {}", path, name, value, most));
}

bool product_fits(const ClaimedSize& size, int sample_bytes, long long& bytes) {
  return !__builtin_mul_overflow(size.width, size.height, &bytes) &&
         !__builtin_mul_overflow(bytes, size.channels, &bytes) &&
         !__builtin_mul_overflow(bytes, size.planes, &bytes) &&
         !__builtin_mul_overflow(bytes, sample_bytes, &bytes);
}

}  // namespace

ImageInfo checked_info(const std::string& path, const ClaimedSize& size, Type type,
                       const ReadLimits& limits) {
  check_extent(path, "width", size.width, limits.side);
  check_extent(path, "height", size.height, limits.side);
  check_extent(path, "number of channels", size.channels, 4);
  check_extent(path, "number of planes", size.planes, std::numeric_limits<int>::max());
  long long bytes = 0;
  if (!product_fits(size, bytes_of(type), bytes))
    throw Error(
        ErrorKind::input,
        fmt::format("{}: {} planes of {}x{} pixels with {} channels are more than 2^63 bytes", path,
                    size.planes, size.width, size.height, size.channels));
  if (limits.bytes > 0 && bytes > limits.bytes)
    throw Error(ErrorKind::input, fmt::format("{}: its samples take {} bytes; the limit is {}",
                                              path, bytes, limits.bytes));
  return {{static_cast<int>(size.width), static_cast<int>(size.height),
           static_cast<int>(size.channels), static_cast<int>(size.planes)},
          type,
          kHost};
}

void check_memory(const std::string& path, const ImageInfo& info) {
  const auto needed = static_cast<double>(bytes_of(info)),
             free = static_cast<double>(available_memory());
  if (needed <= free) return;
  throw Error(ErrorKind::resources, fmt::format("{}: needs {} of memory, {} are free", path,
                                                bytes_text(needed), bytes_text(free)));
}

}  // namespace tessera
