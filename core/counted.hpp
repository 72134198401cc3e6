// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <string>
#include <string_view>

namespace tessera {

/// "1 frame", "3 frames", "0 frames": a number and its noun, for messages.
template <std::integral Number>
std::string counted(Number count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace tessera
