// SPDX-License-Identifier: Apache-2.0
// Boxes and orders of quantiles as users type them.
#include "tessera/noise_options.hpp"

#include <fmt/format.h>

#include "tessera/error.hpp"

namespace tessera {
namespace {

/// "64" or "96x64" without a sign or a space.
bool looks_like_box(std::string_view text) {
  if (text.empty() || text.front() == 'x' || text.back() == 'x') return false;
  return text.find_first_not_of("0123456789x") == std::string_view::npos &&
         text.find('x') == text.rfind('x');
}

}  // namespace

std::string to_text(NoiseBox value) {
  return value.width == value.height ? fmt::format("{}", value.width)
                                     : fmt::format("{}x{}", value.width, value.height);
}

void from_text(std::string_view what, std::string_view text, NoiseBox& value) {
  if (!looks_like_box(text))
    throw Error(ErrorKind::usage,
                fmt::format("{}: '{}' is not a size such as 64 or 96x64", what, text));
  const std::size_t cross = text.find('x');
  from_text(what, text.substr(0, cross), value.width);
  value.height = value.width;
  if (cross != std::string_view::npos) from_text(what, text.substr(cross + 1), value.height);
}

std::string to_text(const NoiseQuantiles& value) {
  if (value.orders.empty()) return "auto";
  std::string text;
  for (const double order : value.orders) text += (text.empty() ? "" : ",") + to_text(order);
  return text;
}

void from_text(std::string_view what, std::string_view text, NoiseQuantiles& value) {
  value.orders.clear();
  if (text.empty() || text == "auto") return;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    from_text(what, text.substr(begin, end - begin), value.orders.emplace_back());
    begin = end + 1;
  }
}

}  // namespace tessera
