// SPDX-License-Identifier: Apache-2.0
#include "jobs/sources/sources_choices.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/refuse.hpp"

namespace tessera {

std::string to_text(const SourceBeamText& value) {
  return fmt::format("{},{},{}", value.shape.major, value.shape.minor, value.shape.angle);
}

void from_text(std::string_view what, std::string_view text, SourceBeamText& value) {
  double numbers[3] = {0, 0, 0};
  int count = 0;
  for (std::string_view rest = text; count < 3;) {
    const std::size_t comma = rest.find(',');
    from_text(what, rest.substr(0, comma), numbers[count++]);
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
    if (count == 3) count = 4;
  }
  if (count == 1) numbers[1] = numbers[0];
  if (count > 3 || !(numbers[1] > 0) || !(numbers[0] >= numbers[1]) || !std::isfinite(numbers[0]) ||
      !std::isfinite(numbers[2]))
    refuse(what, fmt::format("'{}' is not a beam; write MAJOR,MINOR,ANGLE, such as 5,4,30, with "
                             "0 < MINOR <= MAJOR, or one width",
                             text));
  value.shape = {numbers[0], numbers[1], numbers[2]};
}

}  // namespace tessera
