// SPDX-License-Identifier: Apache-2.0
#include "core/utf8.hpp"

namespace tessera {

std::size_t utf8_bytes(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned first = byte(at);
  if (first < 0x80) return 1;
  const std::size_t count = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || at + count > text.size()) return 0;
  for (std::size_t k = 1; k < count; ++k)
    if ((byte(at + k) & 0xC0U) != 0x80) return 0;
  const unsigned second = byte(at + 1);
  const bool bad = (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
                   (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F);
  return bad ? 0 : count;
}

}  // namespace tessera
