// SPDX-License-Identifier: Apache-2.0
// Values of convert's options as users type them.
#include <fmt/format.h>

#include <vector>

#include "jobs/convert/convert_job.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

std::vector<double> values(std::string_view what, std::string_view text) {
  std::vector<double> list;
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    from_text(what, rest.substr(0, comma), list.emplace_back());
    if (comma == std::string_view::npos) return list;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace

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
  const std::vector<double> list = values(what, text);
  if (list.size() != 2)
    throw Error(ErrorKind::usage,
                fmt::format("{}: '{}' has {} values; write none, auto or LOW,HIGH", what, text,
                            list.size()));
  if (list[0] == list[1])
    throw Error(ErrorKind::usage,
                fmt::format("{}: LOW and HIGH are both {}; they must differ", what, list[0]));
  value = {ValueRange::Kind::given, list[0], list[1]};
}

}  // namespace tessera
