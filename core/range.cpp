// SPDX-License-Identifier: Apache-2.0
#include "tessera/range.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/refuse.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// Without the part.
std::string values_text(const Range& range) {
  const std::string unit = *range.unit ? fmt::format(" {}", range.unit) : "";
  const bool from = range.lowest > -Range::kOpen, to = range.highest < Range::kOpen;
  if (!from && !to) return "any finite number";
  if (!from) return fmt::format("up to {}{}", range.highest, unit);
  if (!to)
    return fmt::format("{}{}{}", range.above ? "more than " : "", range.lowest,
                       range.above ? unit : " or more" + unit);
  return range.above ? fmt::format("more than {} and up to {}{}", range.lowest, range.highest, unit)
                     : fmt::format("{} to {}{}", range.lowest, range.highest, unit);
}

}  // namespace

bool Range::holds(double value) const {
  return std::isfinite(value) && value <= highest && (above ? value > lowest : value >= lowest);
}

std::string Range::text() const {
  return *part ? fmt::format("{} {}", part, values_text(*this)) : values_text(*this);
}

void throw_outside(std::string_view operation, std::string_view option, std::string_view value,
                   const Range& range) {
  const std::string sentence = fmt::format("{} is {}; {} can be {}", option, value,
                                           *range.part ? range.part : "it", values_text(range));
  if (operation.empty()) throw Error(ErrorKind::usage, sentence);
  refuse(operation, sentence);
}

}  // namespace tessera
