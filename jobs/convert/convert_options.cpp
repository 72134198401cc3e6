// SPDX-License-Identifier: Apache-2.0
// Values of convert's options as users type them.
#include <fmt/format.h>

#include <vector>

#include "jobs/convert/convert_job.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

// Exactly `count` values between commas; `right` says how they are written.
template <class T>
std::vector<T> values(std::string_view what, std::string_view text, std::size_t count,
                      const char* right) {
  std::vector<T> list;
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    T value{};
    from_text(what, rest.substr(0, comma), value);
    list.push_back(value);
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  if (list.size() == count) return list;
  throw Error(ErrorKind::usage,
              fmt::format("{}: '{}' has {} values; write {}", what, text, list.size(), right));
}

}  // namespace

std::string to_text(const Rectangle& value) {
  return fmt::format("{},{},{},{}", value.x, value.y, value.width, value.height);
}

void from_text(std::string_view what, std::string_view text, Rectangle& value) {
  const auto list = values<int>(what, text, 4, Rectangle::kHint);
  value = {list[0], list[1], list[2], list[3]};
}

std::string to_text(const ValueRange& value) {
  if (value.kind == ValueRange::Kind::none) return "none";
  if (value.kind == ValueRange::Kind::automatic) return "auto";
  return fmt::format("{},{}", value.low, value.high);
}

void from_text(std::string_view what, std::string_view text, ValueRange& value) {
  value = {};
  if (text == "none") return;
  if (text == "auto") {
    value.kind = ValueRange::Kind::automatic;
    return;
  }
  const auto list = values<double>(what, text, 2, "none, auto or LOW,HIGH");
  if (list[0] == list[1])
    throw Error(ErrorKind::usage,
                fmt::format("{}: LOW and HIGH are both {}; they must differ", what, list[0]));
  value = {ValueRange::Kind::given, list[0], list[1]};
}

}  // namespace tessera
