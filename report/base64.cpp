// SPDX-License-Identifier: Apache-2.0
#include "report/base64.hpp"

namespace tessera {

std::string base64(std::span<const unsigned char> bytes) {
  constexpr const char* kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::size_t count = bytes.size();
  std::string text;
  text.reserve((count + 2) / 3 * 4);
  for (std::size_t i = 0; i < count; i += 3) {
    const auto at = [&](std::size_t k) { return k < count ? bytes[k] : 0; };
    const int three = at(i) << 16 | at(i + 1) << 8 | at(i + 2);
    for (std::size_t letter = 0; letter < 4; ++letter)
      text +=
          i + letter > count ? '=' : kLetters[three >> (18 - 6 * static_cast<int>(letter)) & 63];
  }
  return text;
}

}  // namespace tessera
