// SPDX-License-Identifier: Apache-2.0
#include "io/exif.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace tessera {
namespace {

enum Tag : unsigned {
  kDescription = 0x010e,
  kOrientation = 0x0112,
  kAcross = 0x011a,
  kDown = 0x011b,
  kUnit = 0x0128
};
enum Kind : unsigned { kText = 2, kShort = 3, kRational = 5 };
constexpr std::size_t kEntryBytes = 12;
constexpr unsigned kInch = 2, kCentimetre = 3;

/// Reads outside the data give 0.
struct Exif {
  std::string_view bytes;
  bool big = bytes.starts_with('M');

  unsigned number(std::size_t offset, std::size_t count) const {
    if (offset > bytes.size() || bytes.size() - offset < count) return 0;
    unsigned value = 0;
    for (std::size_t i = 0; i < count; ++i)
      value |= static_cast<unsigned>(static_cast<unsigned char>(bytes[offset + i]))
               << 8 * (big ? count - 1 - i : i);
    return value;
  }
  bool valid() const { return bytes.size() >= 8 && number(2, 2) == 42; }
  /// Where the entry of a tag of the first directory begins; 0 if there is none.
  std::size_t find(unsigned tag) const {
    const std::size_t directory = number(4, 4);
    const unsigned entries = number(directory, 2);
    for (unsigned i = 0; i < entries; ++i) {
      const std::size_t entry = directory + 2 + i * kEntryBytes;
      if (entry >= bytes.size()) return 0;
      if (number(entry, 2) == tag) return entry;
    }
    return 0;
  }
  /// Whether it says more than what is read here and written again.
  bool says_more() const {
    constexpr std::array kKnown{kDescription, kOrientation, kAcross, kDown, kUnit};
    const std::size_t directory = number(4, 4);
    const unsigned entries = number(directory, 2);
    for (unsigned i = 0; i < entries; ++i)
      if (std::ranges::count(kKnown, number(directory + 2 + i * kEntryBytes, 2)) == 0) return true;
    return number(directory + 2 + entries * kEntryBytes, 4) != 0;  // a thumbnail
  }
  unsigned short_of(unsigned tag) const {
    const std::size_t entry = find(tag);
    return entry ? number(entry + 8, 2) : 0;
  }
  double rational_of(unsigned tag) const {
    const std::size_t entry = find(tag);
    if (!entry || number(entry + 2, 2) != kRational) return 0;
    const std::size_t place = number(entry + 8, 4);
    const unsigned below = number(place + 4, 4);
    return below ? static_cast<double>(number(place, 4)) / below : 0;
  }
  std::string text_of(unsigned tag) const {
    const std::size_t entry = find(tag);
    if (!entry || number(entry + 2, 2) != kText) return "";
    const std::size_t count = number(entry + 4, 4);
    const std::size_t place = count > 4 ? number(entry + 8, 4) : entry + 8;
    if (place > bytes.size() || bytes.size() - place < count) return "";
    const std::string_view text = bytes.substr(place, count);
    return std::string(text.substr(0, text.find('\0')));
  }
};

bool is_orientation(unsigned value) { return value >= 1 && value <= 8; }

void put(std::string& to, unsigned value, int bytes) {
  for (int i = 0; i < bytes; ++i) to += static_cast<char>(value >> 8 * i & 255);
}

std::string small_exif(int orientation, std::string description) {
  const bool described = !description.empty();
  description += '\0';
  std::string exif("II*\0", 4);
  put(exif, 8, 4);
  put(exif, described ? 2 : 1, 2);
  if (described) {
    const unsigned after = 8 + 2 + 2 * static_cast<unsigned>(kEntryBytes) + 4;
    put(exif, kDescription, 2);
    put(exif, kText, 2);
    put(exif, static_cast<unsigned>(description.size()), 4);
    if (description.size() > 4) {
      put(exif, after, 4);
    } else {
      exif += description + std::string(4 - description.size(), '\0');
    }
  }
  put(exif, kOrientation, 2);
  put(exif, kShort, 2);
  put(exif, 1, 4);
  put(exif, static_cast<unsigned>(orientation), 4);
  put(exif, 0, 4);
  return described && description.size() > 4 ? exif + description : exif;
}

}  // namespace

void add_exif(std::string_view bytes, ImageMetadata& metadata) {
  const Exif exif{bytes};
  if (!exif.valid()) return;
  if (exif.says_more()) metadata.exif = bytes;
  if (const unsigned value = exif.short_of(kOrientation); is_orientation(value))
    metadata.orientation = static_cast<int>(value);
  metadata.description = exif.text_of(kDescription);
  const double across = exif.rational_of(kAcross), down = exif.rational_of(kDown);
  const unsigned unit = exif.find(kUnit) ? exif.short_of(kUnit) : kInch;
  if (across <= 0 || down <= 0 || (unit != kInch && unit != kCentimetre)) return;
  metadata.across = across;
  metadata.down = down;
  metadata.per_inch = unit == kInch;
}

std::string exif_to_write(const ImageMetadata& metadata, bool with_description) {
  const std::string description = with_description ? metadata.description : "";
  if (metadata.exif.empty()) {
    if (metadata.orientation == 1 && description.empty()) return "";
    return small_exif(metadata.orientation, description);
  }
  std::string bytes = metadata.exif;
  const Exif exif{metadata.exif};
  const std::size_t entry = exif.find(kOrientation);
  if (entry && entry + kEntryBytes <= bytes.size())
    for (std::size_t i = 0; i < 2; ++i)
      bytes[entry + 8 + i] = static_cast<char>(i == (exif.big ? 1 : 0) ? metadata.orientation : 0);
  return bytes;
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
