// SPDX-License-Identifier: Apache-2.0
#include "io/jpeg/jpeg_exif.hpp"

#include <fmt/format.h>

#include <cstring>

namespace tessera {
namespace {

constexpr unsigned kOrientationTag = 0x0112;
constexpr size_t kEntryBytes = 12;

// A TIFF header without pixels; reads outside it give 0.
struct Exif {
  std::span<const unsigned char> bytes;
  bool big = false;

  unsigned number(size_t offset, size_t count) const {
    if (offset > bytes.size() || bytes.size() - offset < count) return 0;
    unsigned value = 0;
    for (size_t i = 0; i < count; ++i)
      value |= static_cast<unsigned>(bytes[offset + i]) << 8 * (big ? count - 1 - i : i);
    return value;
  }
};

}  // namespace

int exif_orientation(std::span<const unsigned char> segment) {
  constexpr size_t kStart = 6;
  if (segment.size() < kStart + 8 || std::memcmp(segment.data(), "Exif\0", kStart) != 0) return 0;
  Exif exif{segment.subspan(kStart)};
  exif.big = exif.bytes[0] == 'M';
  if (exif.number(2, 2) != 42) return 0;
  const size_t directory = exif.number(4, 4);
  const unsigned entries = exif.number(directory, 2);
  for (unsigned i = 0; i < entries; ++i) {
    const size_t entry = directory + 2 + i * kEntryBytes;
    if (entry >= exif.bytes.size()) return 0;
    if (exif.number(entry, 2) != kOrientationTag) continue;
    const unsigned value = exif.number(entry + 8, 2);
    return value <= 8 ? static_cast<int>(value) : 0;
  }
  return 0;
}

std::string orientation_text(int orientation) {
  constexpr const char* kTexts[] = {"as stored",
                                    "to be mirrored left to right",
                                    "to be turned by 180 degrees",
                                    "to be mirrored top to bottom",
                                    "to be mirrored along the falling diagonal",
                                    "to be turned by 90 degrees clockwise",
                                    "to be mirrored along the rising diagonal",
                                    "to be turned by 90 degrees anticlockwise"};
  return fmt::format("{}: {}", orientation, kTexts[orientation - 1]);
}

}  // namespace tessera
