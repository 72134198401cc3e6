// SPDX-License-Identifier: Apache-2.0
/// Figures as tables of studies show them: a dash if there is none.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>

namespace tessera {

inline constexpr const char* kUnknown = "–";

inline std::string shown(const std::optional<double>& value, int digits) {
  return value ? fmt::format("{:.{}f}", *value, digits) : kUnknown;
}
inline std::string shown(const std::optional<int>& value) {
  return value ? std::to_string(*value) : kUnknown;
}
inline std::string percent(const std::optional<double>& share, int digits) {
  return share ? fmt::format("{:.{}f}%", 100 * *share, digits) : kUnknown;
}

}  // namespace tessera
