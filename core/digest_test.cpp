// SPDX-License-Identifier: Apache-2.0
#include "core/digest.hpp"

#include <gtest/gtest.h>

#include <set>

namespace tessera {
namespace {

std::string digest_of_text(const std::string& text) {
  return Digest().add(text.data(), text.size()).text();
}

std::string numbered_text(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += static_cast<char>(i * 37);
  return text;
}

TEST(DigestTest, DoesNotDependOnTheCalls) {
  for (std::size_t length = 0; length < 30; ++length) {
    const std::string text = numbered_text(length);
    for (std::size_t a = 0; a <= length; ++a)
      for (std::size_t b = a; b <= length; ++b) {
        Digest digest;
        digest.add(text.data(), a).add(text.data() + a, b - a).add(text.data() + b, length - b);
        ASSERT_EQ(digest.text(), digest_of_text(text)) << length << " " << a << " " << b;
      }
  }
}

// Every bit, every two bits of the same place in their words (signs of doubles), every length.
TEST(DigestTest, NoticesEveryFlippedBit) {
  const std::string text = numbered_text(53);
  std::set<std::string> seen{digest_of_text(text)};
  std::size_t expected = 1;
  const auto flip = [](std::string& to, std::size_t bit) {
    to[bit / 8] = static_cast<char>(to[bit / 8] ^ 1 << bit % 8);
  };
  for (std::size_t bit = 0; bit < 8 * text.size(); ++bit) {
    std::string changed = text;
    flip(changed, bit);
    seen.insert(digest_of_text(changed));
    ++expected;
    for (std::size_t other = bit + 64; other < 8 * text.size(); other += 64) {
      std::string both = changed;
      flip(both, other);
      seen.insert(digest_of_text(both));
      ++expected;
    }
  }
  for (std::size_t zeros = 0; zeros < 40; ++zeros, ++expected)
    seen.insert(digest_of_text(std::string(zeros, '\0')));
  EXPECT_EQ(seen.size(), expected);
}

// Manifests keep it: it may not change.
TEST(DigestTest, StaysTheSame) {
  EXPECT_EQ(digest_of_text(""), "026fb38f6332cadf");
  EXPECT_EQ(digest_of_text("tessera digest"), "ec77115cd15fd438");
}

}  // namespace
}  // namespace tessera
