// SPDX-License-Identifier: Apache-2.0
#include "io/limits.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/counted.hpp"
#include "core/memory.hpp"
#include "core/pools.hpp"
#include "core/refuse.hpp"
#include "tessera/error.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

/// Images up to this size may expand by any factor: masks often shrink a thousandfold.
constexpr long long kExpansionFrom = 256LL << 20;

void check_side(const std::string& path, const char* name, long long value, long long most) {
  if (value < 1)
    refuse_input(path, fmt::format("its {} is {}; it must be at least 1", name, value));
  if (value > most)
    refuse_input(path, fmt::format("its {} is {}; the limit is {}, see the option max-side", name,
                                   value, most));
}

bool product_fits(const ClaimedSize& size, int sample_bytes, long long& bytes) {
  return !__builtin_mul_overflow(size.width, size.height, &bytes) &&
         !__builtin_mul_overflow(bytes, size.channels, &bytes) &&
         !__builtin_mul_overflow(bytes, size.planes, &bytes) &&
         !__builtin_mul_overflow(bytes, sample_bytes, &bytes);
}

bool expands_too_far(long long bytes, long long file_bytes, const ReadLimits& limits) {
  return bytes > kExpansionFrom && bytes / std::max(1LL, file_bytes) >= limits.expansion;
}

}  // namespace

void check_count(const std::string& path, const char* what, long long count, long long most) {
  if (count <= most) return;
  refuse_input(path, fmt::format("it has {} {}; the limit is {}, see the option max-{}", count,
                                 what, most, what));
}

ImageInfo checked_info(const std::string& path, const ClaimedSize& size, Type type,
                       const ReadLimits& limits) {
  const long long side = std::min(limits.side, 0x7fffffffLL);
  check_side(path, "width", size.width, side);
  check_side(path, "height", size.height, side);
  if (size.channels < 1 || size.channels > 4)
    refuse_input(path,
                 fmt::format("it has {}; it can have 1 to 4", counted(size.channels, "channel")));
  if (size.planes < 1)
    refuse_input(path,
                 fmt::format("it has {}; it needs at least one", counted(size.planes, "plane")));
  check_count(path, "pages", size.planes, std::min(limits.pages, 0x7fffffffLL));
  long long bytes = 0;
  if (!product_fits(size, bytes_of(type), bytes))
    refuse_input(path, fmt::format("{} of {}x{} pixels with {} take more than 2^63 bytes",
                                   counted(size.planes, "plane"), size.width, size.height,
                                   counted(size.channels, "channel")));
  return {{static_cast<int>(size.width), static_cast<int>(size.height),
           static_cast<int>(size.channels), static_cast<int>(size.planes)},
          type,
          kHost};
}

void check_memory(const std::string& path, const ImageInfo& info, const ReadLimits& limits) {
  if (info.size.pixels() > limits.pixels)
    refuse_input(path,
                 fmt::format("it has {} pixels, which must be in memory at once; the limit is {}, "
                             "see the option max-pixels",
                             info.size.pixels(), limits.pixels));
  const auto needed = static_cast<double>(bytes_of(info)),
             free = static_cast<double>(available_memory());
  const auto most = limits.bytes > 0 ? static_cast<double>(limits.bytes) : free;
  if (needed <= std::min(most, free)) return;
  throw Error(
      ErrorKind::resources,
      most < free
          ? fmt::format("{}: it needs {} of memory; the limit is {}, see the option max-bytes",
                        path, bytes_text(needed), bytes_text(most))
          : fmt::format("{}: it needs {} of memory; {} is free", path, bytes_text(needed),
                        bytes_text(free)));
}

void check_expansion(const std::string& path, const ImageInfo& info, long long file_bytes,
                     const ReadLimits& limits) {
  if (!expands_too_far(bytes_of(info), file_bytes, limits)) return;
  refuse_input(path,
               fmt::format("its {}x{} pixels take {} bytes, {} times what the file stores; the "
                           "limit is {}, see the option max-expansion",
                           info.size.width, info.size.height, bytes_of(info),
                           bytes_of(info) / std::max(1LL, file_bytes), limits.expansion));
}

void check_expansion(const std::string& path, long long bytes, long long file_bytes,
                     const ReadLimits& limits) {
  if (!expands_too_far(bytes, file_bytes, limits)) return;
  refuse_input(path,
               fmt::format("it claims {} bytes, {} times what the file stores; the limit is {}, "
                           "see the option max-expansion",
                           bytes, bytes / std::max(1LL, file_bytes), limits.expansion));
}

}  // namespace tessera
