// SPDX-License-Identifier: Apache-2.0
/// Width and height in pixels, as users type them: "4096x3072".
#pragma once

#include <string>
#include <string_view>

namespace tessera {

struct PixelSize {
  static constexpr const char* kHint = "WIDTHxHEIGHT";
  int width = 1024, height = 768;
  bool operator==(const PixelSize&) const = default;
};
std::string to_text(PixelSize value);
void from_text(std::string_view what, std::string_view text, PixelSize& value);

}  // namespace tessera
