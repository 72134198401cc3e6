// SPDX-License-Identifier: Apache-2.0
#include "tessera/printable.hpp"

#include <fmt/format.h>

#include "core/utf8.hpp"

namespace tessera {
namespace {

bool is_between(std::string_view letter, std::string_view first, std::string_view last) {
  return letter.size() == first.size() && letter >= first && letter <= last;
}

// C0, DEL, C1 (which terminals obey in UTF-8 too); line and paragraph separators and the marks of
// bidirectional text, with which a name can look like another.
bool is_obeyed(std::string_view letter) {
  const auto first = static_cast<unsigned char>(letter[0]);
  return first < 0x20 || first == 0x7F || is_between(letter, "\xC2\x80", "\xC2\x9F") ||
         is_between(letter, "\xE2\x80\xA8", "\xE2\x80\xAE") ||
         is_between(letter, "\xE2\x81\xA6", "\xE2\x81\xA9");
}

}  // namespace

std::string printable(std::string_view text, std::string_view keep) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = utf8_bytes(text, at);
    const std::string_view letter = text.substr(at, bytes == 0 ? 1 : bytes);
    const bool shown = bytes > 0 && !is_obeyed(letter);
    if (shown || keep.find(letter[0]) != keep.npos)
      out += letter;
    else
      for (const char byte : letter)
        out += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    at += letter.size();
  }
  return out;
}

}  // namespace tessera
