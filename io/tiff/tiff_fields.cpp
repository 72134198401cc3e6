// SPDX-License-Identifier: Apache-2.0
#include "io/tiff/tiff_fields.hpp"

#include <tiffio.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "io/tiff/tiff_directory.hpp"

namespace tessera {

std::string TiffFields::number(long long value, int bytes) const {
  const bool little = swapped_ != (std::endian::native == std::endian::little);
  std::string text(static_cast<size_t>(bytes), '\0');
  for (int i = 0; i < bytes; ++i)
    text[static_cast<size_t>(little ? i : bytes - 1 - i)] = static_cast<char>(value >> 8 * i & 255);
  return text;
}

void TiffFields::add(int tag, int type, const std::vector<long long>& values) {
  std::string bytes;
  for (const long long value : values) bytes += number(value, tiff_type_bytes(type));
  add_bytes(tag, type, static_cast<long long>(values.size()), bytes);
}

void TiffFields::add_text(int tag, const std::string& text) {
  const std::string ended = text + '\0';
  add_bytes(tag, TIFF_ASCII, static_cast<long long>(ended.size()), ended);
}

void TiffFields::add_fraction(int tag, double value) {
  constexpr double kMost = 4294967295.0;
  const auto is_whole = [](double x) { return std::abs(x - std::round(x)) < 1e-9 * x; };
  double below = 1;
  while (!is_whole(value * below) && below < 1e6 && value * below * 10 <= kMost) below *= 10;
  const double above = std::min(std::round(value * below), kMost);
  add_bytes(tag, TIFF_RATIONAL, 1,
            number(static_cast<long long>(above), 4) + number(static_cast<long long>(below), 4));
}

void TiffFields::add_bytes(int tag, int type, long long count, std::string values) {
  fields_[tag] = {type, count, std::move(values), 0};
}

void TiffFields::add_elsewhere(int tag, int type, long long count, long long offset) {
  fields_[tag] = {type, count, "", offset};
}

std::string TiffFields::header(long long first_directory) const {
  const bool little = swapped_ != (std::endian::native == std::endian::little);
  const std::string start = (little ? "II" : "MM") + number(big_ ? 43 : 42, 2);
  if (!big_) return start + number(first_directory, 4);
  return start + number(8, 2) + number(0, 2) + number(first_directory, 8);
}

long long TiffFields::next_at() const {
  return (big_ ? 8 : 2) + static_cast<long long>(fields_.size()) * (big_ ? 20 : 12);
}

std::string TiffFields::directory(long long offset) const {
  const auto pointer = static_cast<size_t>(pointer_bytes());
  std::string entries = number(static_cast<long long>(fields_.size()), big_ ? 8 : 2), values;
  const long long values_at = offset + next_at() + pointer_bytes();
  for (const auto& [tag, field] : fields_) {
    entries += number(tag, 2) + number(field.type, 2) + number(field.count, pointer_bytes());
    if (field.values.empty()) {
      entries += number(field.offset, pointer_bytes());
    } else if (field.values.size() <= pointer) {
      entries += field.values + std::string(pointer - field.values.size(), '\0');
    } else {
      entries += number(values_at + static_cast<long long>(values.size()), pointer_bytes());
      values += field.values;
      values.append((8 - values.size() % 8) % 8, '\0');
    }
  }
  return entries + std::string(pointer, '\0') + values;
}

}  // namespace tessera
