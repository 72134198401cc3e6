// SPDX-License-Identifier: Apache-2.0
#include "io/raw/raw.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>

#include "io/plain_file.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr const char* kForm =
    "write WIDTHxHEIGHT[xCHANNELS[xPLANES]]:TYPE[:big][:skip=BYTES], such as 640x480:u16";

[[noreturn]] void refuse(std::string_view part) {
  throw Error(ErrorKind::usage, fmt::format("raw: '{}' is not understood; {}", part, kForm));
}

long long parse_count(std::string_view text) {
  long long value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) refuse(text);
  return value;
}

std::string_view next_part(std::string_view& text, char separator) {
  const size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

ClaimedSize parse_size(std::string_view text) {
  ClaimedSize size;
  long long* const extents[] = {&size.width, &size.height, &size.channels, &size.planes};
  const std::string_view whole = text;
  int count = 0;
  while (!text.empty() && count < 4) *extents[count++] = parse_count(next_part(text, 'x'));
  if (count < 2 || !text.empty()) refuse(whole);
  return size;
}

std::unique_ptr<ImageSource> open_raw(const std::string& path, const ReadOptions& options) {
  if (options.raw.empty())
    throw Error(ErrorKind::usage,
                fmt::format("{}: a raw file has no header; give the option raw: {}", path, kForm));
  const RawLayout raw = parse_raw_layout(options.raw);
  const Items items = raw.items();
  const ImageInfo info = checked_info(path, raw.size, items.type, options.limits);
  return std::make_unique<PlainSource>(
      File::open_to_read(path), PlainLayout{raw.skip, items}, info, options.allow_truncated,
      std::vector<FileDetail>{{"byte order", raw.big ? "big" : "little"},
                              {"bytes skipped", fmt::format("{}", raw.skip)}});
}

std::unique_ptr<ImageSink> create_raw(const std::string& path, const ImageInfo& info,
                                      const WriteOptions& options) {
  return std::make_unique<PlainSink>(path, info, options, "");
}

}  // namespace

Items RawLayout::items() const {
  const Items stored = items_of(type, big != (std::endian::native == std::endian::big));
  return *items_of(stored.kind, stored.bytes, stored.swapped, ItemUse::values);
}

RawLayout parse_raw_layout(std::string_view text) {
  RawLayout layout;
  layout.size = parse_size(next_part(text, ':'));
  from_text("raw", next_part(text, ':'), layout.type);
  while (!text.empty()) {
    const std::string_view part = next_part(text, ':');
    if (part == "big")
      layout.big = true;
    else if (part.starts_with("skip="))
      layout.skip = parse_count(part.substr(5));
    else if (part != "little")
      refuse(part);
  }
  return layout;
}

std::string raw_layout_text(const ImageInfo& info) {
  return fmt::format("{}x{}x{}x{}:{}{}", info.size.width, info.size.height, info.size.channels,
                     info.size.planes, name_of(info.type),
                     std::endian::native == std::endian::big ? ":big" : "");
}

Format raw_format() {
  return {
      "raw", {".raw"}, "", nullptr, open_raw, create_raw, [](const WriteOptions&) { return true; }};
}

}  // namespace tessera
