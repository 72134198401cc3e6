// SPDX-License-Identifier: Apache-2.0
/// The values that an option can have. It is declared once, with the option (options.hpp): checks,
/// help, Python and the documentation read it there.
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include "tessera/export.hpp"

namespace tessera {

/// lowest <= value <= highest; NaN and infinities are never inside.
///
///     Range{2, 100, "pixels"}                   // "2 to 100 pixels"
///     Range{.lowest = 5, .unit = "frames"}      // "5 or more frames"
///     Range{}                                   // "any finite number"
struct Range {
  static constexpr double kOpen = std::numeric_limits<double>::infinity();

  double lowest = -kOpen, highest = kOpen;
  const char* unit = "";
  bool above = false;     ///< values are larger than `lowest`, not equal to it
  const char* part = "";  ///< what has this range if the option has several numbers: "each side"

  TESSERA_API bool holds(double value) const;
  /// "2 to 100 pixels", "1 or more", "more than 0 and up to 1"; with its part "each side 3 to
  /// 1024".
  TESSERA_API std::string text() const;
};

/// lowest < value <= highest.
constexpr Range more_than(double lowest, double highest = Range::kOpen, const char* unit = "") {
  return {lowest, highest, unit, true};
}

/// Numbers, optional numbers, and types that have several: these say `kPart` and list numbers().
template <class T>
concept HasParts = requires(const T& value) {
  T::kPart;
  value.numbers();
};
template <class T>
constexpr const char* part_name() {
  if constexpr (HasParts<T>)
    return T::kPart;
  else if constexpr (requires { typename T::value_type; })
    return part_name<typename T::value_type>();
  else
    return "";
}
template <class T>
bool is_within(const Range& range, const T& value) {
  if constexpr (std::is_arithmetic_v<T>)
    return range.holds(static_cast<double>(value));
  else if constexpr (HasParts<T>)
    return std::ranges::all_of(value.numbers(),
                               [&](auto number) { return is_within(range, number); });
  else if constexpr (requires { value.has_value(); })
    return !value || is_within(range, *value);
  else
    return true;
}

/// Throws Error(usage): "noise: bins is 3; it can be 8 to 65535"; without an operation, "bins is 3
/// …".
[[noreturn]] TESSERA_API void throw_outside(std::string_view operation, std::string_view option,
                                            std::string_view value, const Range& range);

}  // namespace tessera
