// SPDX-License-Identifier: Apache-2.0
#include "tessera/crop.hpp"

#include <fmt/format.h>

#include <charconv>
#include <vector>

#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr const char* kRight = "write X,Y,WIDTHxHEIGHT, or WIDTHxHEIGHT for the centre";

/// "7,5,20x10": its numbers, and the characters between them.
struct Words {
  std::vector<int> numbers;
  std::string between;
};

std::optional<Words> read_words(std::string_view text) {
  Words words;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data();; ++at) {
    const auto [stop, error] = std::from_chars(at, end, words.numbers.emplace_back());
    if (error != std::errc()) return std::nullopt;
    if (stop == end) return words;
    words.between += *stop;
    at = stop;
  }
}

}  // namespace

Point Crop::corner_in(const Size& image) const {
  if (corner) return *corner;
  const auto first = [](int all, int count) { return all < count ? -1 : (all - count) / 2; };
  return {first(image.width, width), first(image.height, height)};
}

bool Crop::fits(const Size& image) const {
  const auto inside = [](int first, int count, int all) {
    return first >= 0 && count >= 1 && first <= all - count;
  };
  const auto [x, y] = corner_in(image);
  return inside(x, width, image.width) && inside(y, height, image.height);
}

std::string to_text(const Crop& value) {
  const std::string size = fmt::format("{}x{}", value.width, value.height);
  return value.corner ? to_text(*value.corner) + "," + size : size;
}

void from_text(std::string_view what, std::string_view text, Crop& value) {
  const auto refuse = [&](const std::string& sentence) {
    throw Error(ErrorKind::usage, fmt::format("{}: '{}' {}", what, text, sentence));
  };
  const std::optional<Words> words = read_words(text);
  const std::vector<int> n = words ? words->numbers : std::vector<int>();
  if (words && words->between == "x")
    value = {n[0], n[1], std::nullopt};
  else if (words && words->between == ",,x")
    value = {n[2], n[3], Point{n[0], n[1]}};
  else if (words && words->between == ",,,")
    refuse(fmt::format("is no longer read; write {},{},{}x{}", n[0], n[1], n[2], n[3]));
  else
    refuse(fmt::format("is not a part of an image; {}", kRight));
  if (value.width < 1 || value.height < 1) refuse(fmt::format("has no pixels; {}", kRight));
}

}  // namespace tessera
