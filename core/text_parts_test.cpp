// SPDX-License-Identifier: Apache-2.0
#include "core/text_parts.hpp"

#include <gtest/gtest.h>

#include <random>
#include <sstream>
#include <string>

namespace tessera {
namespace {

using Parts = std::vector<std::string_view>;

std::vector<std::string> read_by_stream(const std::string& text, char separator) {
  std::istringstream stream(text);
  std::vector<std::string> parts;
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

std::vector<std::string> words_by_stream(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

TEST(TextParts, TrimsBothEnds) {
  EXPECT_EQ(trimmed("  a b\t\r\n"), "a b");
  EXPECT_EQ(trimmed(" \t "), "");
  EXPECT_EQ(trimmed(""), "");
  EXPECT_EQ(trimmed("\"a\"", "\""), "a");
}

TEST(TextParts, KeepsEmptyLinesButNothingAfterTheLast) {
  EXPECT_EQ(lines_of("a\n\nb\n"), (Parts{"a", "", "b"}));
  EXPECT_EQ(lines_of("\n"), (Parts{""}));
  EXPECT_EQ(lines_of(""), Parts{});
}

TEST(TextParts, CutsAsStreamsDo) {
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    std::string text(random() % 12, ' ');
    for (char& c : text) c = "ab, \n\t"[random() % 6];
    const Parts lines = lines_of(text), fields = parts_of(text, ','), words = words_of(text);
    EXPECT_EQ(std::vector<std::string>(lines.begin(), lines.end()), read_by_stream(text, '\n'));
    EXPECT_EQ(std::vector<std::string>(fields.begin(), fields.end()), read_by_stream(text, ','));
    EXPECT_EQ(std::vector<std::string>(words.begin(), words.end()), words_by_stream(text));
  }
}

}  // namespace
}  // namespace tessera
