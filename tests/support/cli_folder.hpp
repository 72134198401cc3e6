// SPDX-License-Identifier: Apache-2.0
/// A folder with an image, for runs of several processes on it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "io/formats.hpp"
#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/process.hpp"
#include "tests/support/short_view.hpp"

namespace tessera::testing {

using Words = std::vector<std::string>;

class CliFolder : public ::testing::Test {
 protected:
  void SetUp() override { write_image(in_, short_view(random_image({1200, 1700}, Type::f32, 3))); }
  Words files() const {
    Words names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
  }

  static long sentences(const Outcome& outcome) { return std::ranges::count(outcome.err, '\n'); }

  TemporaryFolder folder_;
  std::string in_ = folder_.path("in.npy"), out_ = folder_.path("out.npy");
};

}  // namespace tessera::testing
