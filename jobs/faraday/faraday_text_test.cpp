// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_text.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "jobs/faraday/faraday_lists.hpp"
#include "tests/support/files.hpp"

namespace tessera {
namespace {

class FaradayText : public ::testing::Test {
 protected:
  std::string file(const std::string& text) const {
    std::ofstream(folder_.path("list.txt"), std::ios::binary) << text;
    return folder_.path("list.txt");
  }
  testing::TemporaryFolder folder_;
};

TEST_F(FaradayText, IsReadUpToItsLimit) {
  const std::string text(200'000, 'x');
  EXPECT_EQ(read_text(file(text)), text);
  EXPECT_EQ(read_text(file(text), 200'000), text);
  testing::expect_error([&] { read_text(file(text), 199'999); }, ErrorKind::input,
                        "it has more than 199999 bytes");
  EXPECT_EQ(read_text(file("")), "");
  testing::expect_error([&] { read_text(folder_.path("")); }, ErrorKind::input,
                        "it cannot be read");
}

TEST_F(FaradayText, MessagesShowPlainCharacters) {
  EXPECT_EQ(printable("a\n\x93NUMPY\x01 \x7f~"), "a??NUMPY? ?~");
  EXPECT_EQ(printable(std::string(100, 'y')).size(), 60u);
  testing::expect_error([&] { read_number_list(file("1e9\n\x93NUMPY\x01\n")); }, ErrorKind::input,
                        "line 2 is '?NUMPY?'");
}

TEST_F(FaradayText, NumbersAreOneALine) {
  EXPECT_EQ(read_number_list(file("# Hz\n1e9\r\n\n +2 # two\n-3")),
            (std::vector<double>{1e9, 2, -3}));
}

}  // namespace
}  // namespace tessera
