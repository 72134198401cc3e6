// SPDX-License-Identifier: Apache-2.0
#include "io/tiff/tiff_images.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/counted.hpp"
#include "io/tiff/tiff_axes.hpp"

namespace tessera {
namespace {

/// Bytes of an image whose strips lie one after the other; 0 if they do not.
long long contiguous_bytes(const TiffPage& page) {
  const TiffBlockGrid& grid = page.grid;
  if (page.compressed() || grid.tiled || grid.separate || page.coding.bits % 8 != 0) return 0;
  TiffValues offsets = page.offsets;
  long long bytes = 0;
  for (long long strip = 0; strip < grid.down; ++strip) {
    if (offsets.at(strip) != offsets.at(0) + bytes) return 0;
    bytes += page.rows_of(strip).count() * grid.row_bytes;
  }
  return bytes;
}

/// The first byte after `start` that belongs to something other than images.
long long end_of_images(const TiffFile& file, const TiffPage& first,
                        const std::vector<long long>& directories, long long start) {
  long long end = file.bytes();
  const auto stop_at = [&](long long offset) {
    if (offset >= start) end = std::min(end, offset);
  };
  for (const long long directory : directories) stop_at(directory);
  for (const TiffEntry& entry : first.directory.entries) stop_at(entry.offset);
  return end;
}

}  // namespace

TiffImages find_tiff_images(const TiffFile& file, const TiffPage& first,
                            const std::vector<long long>& directories,
                            const std::string& description, const ReadLimits& limits) {
  const long long claimed = imagej_images(description);
  const long long bytes = claimed > std::ssize(directories) ? contiguous_bytes(first) : 0;
  if (bytes == 0) return {};
  TiffValues offsets = first.offsets;
  const long long start = offsets.at(0);
  const long long end = end_of_images(file, first, directories, start);
  const long long held = std::max(0LL, end - start) / bytes;
  // Pages that were cut out of a stack may keep the description of the stack. Images that have no
  // directory and end with the file are a stack that was cut short.
  if (held < claimed && (held <= std::ssize(directories) || end < file.bytes())) return {};
  check_count(file.path(), "pages", claimed, std::min(limits.pages, 0x7fffffffLL));
  TiffImages images{static_cast<int>(claimed), bytes, ""};
  if (held < claimed)
    images.missing = fmt::format(
        "{}: ImageJ's description names {} of {} from byte {} on; the file has {}, "
        "which hold {}",
        file.path(), counted(claimed, "image"), counted(bytes, "byte"), start,
        counted(file.bytes(), "byte"), held);
  return images;
}

TiffPage tiff_image(const TiffFile& file, const TiffPage& first, const TiffImages& images,
                    int number) {
  TiffPage page = first;
  page.directory.page = number;
  page.directory.where = fmt::format("{}: page {}", file.path(), number);
  page.shift = number * images.bytes;
  return page;
}

}  // namespace tessera
