// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/stokes_list.hpp"

#include <gtest/gtest.h>

#include "tests/support/files.hpp"

namespace tessera::testing {
namespace {

class StokesLists : public ::testing::Test {
 protected:
  StokesList list(const std::string& text) const {
    write_bytes(path_, text);
    return read_stokes_list(path_);
  }
  TemporaryFolder folder_;
  const std::string path_ = folder_.path("i.txt");
};

TEST_F(StokesLists, ValuesAreTakenAsTheyAre) {
  EXPECT_EQ(list("# I\n1.5\n\n2 # Jy\n-3\n").at({9e8, 8e8, 1e9}),
            (std::vector<float>{1.5F, 2, -3}));
}

TEST_F(StokesLists, FrequenciesAreFoundInAnyOrder) {
  const StokesList three = list("1e9 4\n8e8, 1\n+9e8 2\n");
  EXPECT_EQ(three.at({8e8, 9e8, 1e9}), (std::vector<float>{1, 2, 4}));
  EXPECT_EQ(three.at({9.5e8, 8.25e8}), (std::vector<float>{3, 1.25F}));
  // Written with fewer digits, at the ends too.
  EXPECT_EQ(three.at({8e8 - 0.1, 9e8 + 0.1, 1e9 + 0.1}), (std::vector<float>{1, 2, 4}));
}

TEST_F(StokesLists, RefusesWhatDoesNotFit) {
  const auto refused = [&](const std::string& text, ErrorKind kind, const std::string& part) {
    expect_error([&] { list(text).at({8e8, 9e8}); }, kind, part);
  };
  refused("1\n2\n3\n", ErrorKind::usage, "has 3 values of Stokes I, but there are 2 channels");
  refused("8e8 1\n8.5e8 2\n", ErrorKind::usage,
          "has Stokes I from 800000000 to 850000000 Hz, but a channel is at 900000000 Hz");
  refused("8e8 1\n9e8 2\n8e8 3\n", ErrorKind::input,
          "line 3 has the same frequency as line 1, 800000000 Hz");
  refused("1 2 3\n", ErrorKind::input, "line 1 has 3 columns; it must have 1 (I) or 2");
  refused("1\n1 2\n", ErrorKind::input, "line 2 has 2 columns, and those before 1");
  refused("1\nx\n", ErrorKind::input, "line 2: 'x' is not a number");
  refused("-1 2\n", ErrorKind::input, "line 1: the frequency is -1 Hz");
  refused("# none\n", ErrorKind::input, "it contains no numbers");
}

TEST_F(StokesLists, AreToldFromImages) {
  for (const std::string text : {"1.5\n", "\n -3\n", "# I\n", "+.5\n"}) {
    write_bytes(path_, text);
    EXPECT_TRUE(is_number_text(path_)) << text;
  }
  for (const std::string text : {"", "SIMPLE  =", "\x93NUMPY", "\x89PNG"}) {
    write_bytes(path_, text);
    EXPECT_FALSE(is_number_text(path_)) << text;
  }
  EXPECT_FALSE(is_number_text(folder_.path("none")));
}

}  // namespace
}  // namespace tessera::testing
