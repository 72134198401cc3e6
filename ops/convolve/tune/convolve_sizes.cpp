// SPDX-License-Identifier: Apache-2.0
#include "ops/convolve/tune/convolve_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr int kLargestAsked = 1024;

[[noreturn]] void refuse_size(std::string_view word) {
  throw Error(ErrorKind::usage,
              fmt::format("sizes: '{}' is not a size; it can be square, all or a list such as "
                          "7x7,9x5,31, each side 1 to {}",
                          word, kLargestAsked));
}

int side_from(std::string_view text, std::string_view word) {
  int side = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), side);
  if (error != std::errc() || stop != text.data() + text.size() || side < 1 || side > kLargestAsked)
    refuse_size(word);
  return side;
}

FilterSize size_from(std::string_view word) {
  const std::size_t cross = word.find('x');
  const int width = side_from(word.substr(0, cross), word);
  if (cross == std::string_view::npos) return {width, width};
  return {width, side_from(word.substr(cross + 1), word)};
}

void add_size(std::vector<FilterSize>& sizes, FilterSize size) {
  if (std::find(sizes.begin(), sizes.end(), size) == sizes.end()) sizes.push_back(size);
}

std::vector<FilterSize> square_sizes() {
  std::vector<FilterSize> sizes;
  for (int side = kFirstPaperSide; side <= kLastPaperSide; side += 2) sizes.push_back({side, side});
  return sizes;
}

}  // namespace

std::vector<FilterSize> all_sizes() {
  std::vector<FilterSize> sizes = square_sizes();
  constexpr int kNodes[] = {3, 5, 9, 15, 21, 31, 43};
  for (const int width : kNodes)
    for (const int height : kNodes) add_size(sizes, {width, height});
  add_size(sizes, {17, 43});  // the paper's fastest
  for (int width = kFirstPaperSide; width <= kLastPaperSide; width += 2)
    for (int height = kFirstPaperSide; height <= kLastPaperSide; height += 2)
      add_size(sizes, {width, height});
  return sizes;
}

std::vector<FilterSize> sizes_from_text(const std::string& text) {
  if (text == kAllSizes) return all_sizes();
  if (text == "square") return square_sizes();
  std::vector<FilterSize> sizes;
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    add_size(sizes, size_from(rest.substr(0, comma)));
    if (comma == std::string_view::npos) return sizes;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace tessera
