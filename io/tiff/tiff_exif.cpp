// SPDX-License-Identifier: Apache-2.0
#include "io/tiff/tiff_exif.hpp"

#include <tiffio.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <string_view>

namespace tessera {
namespace {

// Maker notes have some hundred kilobytes at most; directories of photographs less than 100 tags.
constexpr long long kMostBytes = 4LL << 20, kMostTags = 1000;
constexpr int kInteroperability = 40965;
/// Tags of a page that are EXIF's: the camera, the date, artist and copyright, and XP's five texts.
constexpr std::array kOfPage{TIFFTAG_MAKE,
                             TIFFTAG_MODEL,
                             TIFFTAG_DATETIME,
                             TIFFTAG_ARTIST,
                             TIFFTAG_COPYRIGHT,
                             40091,
                             40092,
                             40093,
                             40094,
                             40095};

enum class Level { page, part, inner };

bool points_to_part(Level level, int tag) {
  return level == Level::page   ? tag == TIFFTAG_EXIFIFD || tag == TIFFTAG_GPSIFD
         : level == Level::part ? tag == kInteroperability
                                : false;
}

/// Bytes that are swapped together; a fraction has two numbers.
int number_bytes(int type) {
  return type == TIFF_RATIONAL || type == TIFF_SRATIONAL ? 4 : tiff_type_bytes(type);
}

/// Reads directories from a file or a block, whose claims are not to be trusted.
class ExifReader {
 public:
  using Read = std::function<bool(long long offset, void* to, long long count)>;
  ExifReader(bool little, bool big, Read read)
      : little_(little), big_(big), read_(std::move(read)) {}

  std::vector<TiffEntry> entries(long long at) {
    const int pointer = big_ ? 8 : 4, count_bytes = big_ ? 8 : 2, entry_bytes = big_ ? 20 : 12;
    const long long tags = number_at(at, count_bytes);
    if (tags > kMostTags) whole_ = false;
    std::vector<TiffEntry> found;
    for (long long i = 0; i < tags && whole_; ++i) {
      const long long place = at + count_bytes + i * entry_bytes, value = place + 4 + pointer;
      TiffEntry entry{static_cast<int>(number_at(place, 2)),
                      static_cast<int>(number_at(place + 2, 2)), number_at(place + 4, pointer),
                      value};
      const int item = tiff_type_bytes(entry.type);
      if (item != 0 && entry.count > pointer / item) entry.offset = number_at(value, pointer);
      found.push_back(entry);
    }
    return found;
  }
  ExifDirectory directory(const std::vector<TiffEntry>& entries, Level level) {
    ExifDirectory found;
    for (const TiffEntry& entry : entries)
      if (found.parts.contains(entry.tag))
        continue;  // a thousand copies of a thousand copies would take hours
      else if (points_to_part(level, entry.tag))
        found.parts[entry.tag] = directory(
            this->entries(number_at(entry.offset, tiff_type_bytes(entry.type) == 8 ? 8 : 4)),
            level == Level::page ? Level::part : Level::inner);
      else if (level != Level::page || std::ranges::count(kOfPage, entry.tag) != 0)
        add_field(entry, found);
    return found;
  }
  /// Whether all that was asked for was there.
  bool whole() const { return whole_; }

 private:
  bool read(long long offset, void* to, long long count) {
    const bool all = offset >= 0 && read_(offset, to, count);
    whole_ = whole_ && all;
    return all;
  }
  long long number_at(long long offset, int count) {
    unsigned char bytes[8] = {};
    return read(offset, bytes, count) ? unsigned_number(bytes, count, little_) : 0;
  }

  void add_field(const TiffEntry& entry, ExifDirectory& to) {
    const int item = tiff_type_bytes(entry.type);
    // Types above 12 are BigTIFF's, which no block has.
    if (item == 0 || entry.type > TIFF_DOUBLE || entry.count < 1 || entry.count > room_ / item) {
      whole_ = false;
      return;
    }
    const long long bytes = entry.count * item;
    std::string values(static_cast<std::size_t>(bytes), '\0');
    if (!read(entry.offset, values.data(), bytes)) return;
    room_ -= bytes;
    if (little_ != (std::endian::native == std::endian::little))
      for (auto i = values.begin(); i != values.end(); i += number_bytes(entry.type))
        std::reverse(i, i + number_bytes(entry.type));
    to.fields.push_back({entry.tag, entry.type, entry.count, std::move(values)});
  }

  bool little_, big_, whole_ = true;
  long long room_ = kMostBytes;
  Read read_;
};

TiffFields fields_of(const ExifDirectory& directory, bool big) {
  TiffFields fields(big, false);
  for (const ExifDirectory::Field& field : directory.fields)
    fields.add_bytes(field.tag, field.type, field.count, field.values);
  return fields;
}

void pad(std::string& bytes) { bytes.append((8 - bytes.size() % 8) % 8, '\0'); }

std::string add_parts(const ExifDirectory& directory, long long offset, TiffFields& fields) {
  std::string bytes;
  const auto end = [&] { return offset + static_cast<long long>(bytes.size()); };
  for (const auto& [tag, part] : directory.parts) {
    TiffFields inner = fields_of(part, fields.big());
    bytes += add_parts(part, end(), inner);
    fields.add(tag, fields.big() ? TIFF_LONG8 : TIFF_LONG, {end()});
    bytes += inner.directory(end());
    pad(bytes);
  }
  return bytes;
}

/// Readers of EXIF data expect the first directory right behind the header.
std::string block_of(const ExifDirectory& page, const ImageMetadata& metadata) {
  constexpr int kHeader = 8;
  TiffFields fields = fields_of(page, false);
  fields.add(TIFFTAG_ORIENTATION, TIFF_SHORT, {metadata.orientation});
  if (!metadata.description.empty())
    fields.add_text(TIFFTAG_IMAGEDESCRIPTION, metadata.description);
  for (const auto& [tag, part] : page.parts) fields.add(tag, TIFF_LONG, {0});
  std::string first = fields.directory(kHeader);
  pad(first);
  const std::string parts = add_parts(page, kHeader + std::ssize(first), fields);
  first = fields.directory(kHeader);
  pad(first);
  return fields.header(kHeader) + first + parts;
}

/// A date alone does not make a picture a photograph: any program may write one.
bool says_something(const ExifDirectory& page) {
  return !page.parts.empty() || std::ranges::any_of(page.fields, [](const auto& field) {
    return field.tag != TIFFTAG_DATETIME;
  });
}

}  // namespace

long long ExifDirectory::bytes() const {
  long long sum = 32;
  for (const Field& field : fields) sum += 32 + std::ssize(field.values);
  for (const auto& [tag, part] : parts) sum += 32 + part.bytes();
  return sum;
}

void add_tiff_exif(const TiffFile& file, const TiffDirectory& page, ImageMetadata& metadata) {
  ExifReader reader(file.little(), file.big(), [&](long long offset, void* to, long long count) {
    return file.file().read_some(offset, to, count) == count;
  });
  const ExifDirectory found = reader.directory(page.entries, Level::page);
  if (!reader.whole())
    metadata.others.emplace_back("EXIF data, which is damaged");
  else if (says_something(found))
    metadata.exif = block_of(found, metadata);
}

ExifDirectory tiff_exif(const std::string& block) {
  if (block.empty()) return {};
  const auto read = [&](long long offset, void* to, long long count) {
    if (count > std::ssize(block) || offset > std::ssize(block) - count) return false;
    std::memcpy(to, block.data() + offset, static_cast<std::size_t>(count));
    return true;
  };
  const bool little = block.starts_with('I');
  unsigned char first[4] = {};
  if (!read(4, first, 4)) return {};
  ExifReader reader(little, false, read);
  return reader.directory(reader.entries(unsigned_number(first, 4, little)), Level::page);
}

std::string add_exif(const ExifDirectory& exif, long long offset, TiffFields& page) {
  for (const ExifDirectory::Field& field : exif.fields)
    page.add_bytes(field.tag, field.type, field.count, field.values);
  return add_parts(exif, offset, page);
}

}  // namespace tessera
