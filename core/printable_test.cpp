// SPDX-License-Identifier: Apache-2.0
#include "tessera/printable.hpp"

#include <gtest/gtest.h>

namespace tessera {
namespace {

TEST(Printable, LeavesWhatIsShown) {
  for (const char* text : {"", "scan 1.npy", "Höhe, 日本語, 🔭", "back\\slash", "a'b\"c"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, EscapesWhatTerminalsObey) {
  EXPECT_EQ(printable("a\x1b[2Jb"), "a\\x1b[2Jb");
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("a\nb\tc\rd\x7f"), "a\\x0ab\\x09c\\x0dd\\x7f");
  EXPECT_EQ(printable("a\nb\tc", "\n"), "a\nb\\x09c");
  EXPECT_EQ(printable("C1 \xc2\x9b"
                      "2J"),
            "C1 \\xc2\\x9b2J");
  EXPECT_EQ(printable("gpj.\xe2\x80\xaeyn"), "gpj.\\xe2\\x80\\xaeyn") << "turns the direction";
  EXPECT_EQ(printable("\xe2\x81\xa6 \xe2\x80\xa8"), "\\xe2\\x81\\xa6 \\xe2\\x80\\xa8");
}

TEST(Printable, EscapesWhatIsNotUtf8) {
  EXPECT_EQ(printable("a\xff"), "a\\xff");
  EXPECT_EQ(printable("\xc3"), "\\xc3") << "cut";
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf") << "overlong";
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "surrogate";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "beyond the last";
  EXPECT_EQ(printable("\xc3\xa9\xe9"), "\xc3\xa9\\xe9");
}

}  // namespace
}  // namespace tessera
