// SPDX-License-Identifier: Apache-2.0
/// Text cut into lines, words and fields. Streams do the same, but where memory runs out they end
/// early without a word, and a list would lose its last lines.
#pragma once

#include <string_view>
#include <vector>

namespace tessera {

inline constexpr std::string_view kBlanks = " \t\r\n\f\v";

/// The text without blanks at both ends.
std::string_view trimmed(std::string_view text, std::string_view blanks = kBlanks);

/// The text without the mark that some editors write at the start of UTF-8.
std::string_view without_mark(std::string_view text);

/// The parts between separators; nothing follows a separator at the end.
std::vector<std::string_view> parts_of(std::string_view text, char separator);

inline std::vector<std::string_view> lines_of(std::string_view text) {
  return parts_of(text, '\n');
}

/// The parts between any number of blanks.
std::vector<std::string_view> words_of(std::string_view text, std::string_view blanks = kBlanks);

}  // namespace tessera
