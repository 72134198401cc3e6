// SPDX-License-Identifier: Apache-2.0
// Several outputs get their names together, or not at all.
#include "io/output_set.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "io/output.hpp"
#include "tests/support/files.hpp"

namespace tessera::testing {
namespace {

class OutputSets : public ::testing::Test {
 protected:
  std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      found.insert(entry.path().filename());
    return found;
  }
  std::string text(const std::string& name) const { return read_bytes(folder_.path(name)); }

  TemporaryFolder folder_;
  const std::string a_ = folder_.path("a"), b_ = folder_.path("b"), c_ = folder_.path("c");
};

TEST_F(OutputSets, NamesComeTogether) {
  write_bytes(b_, "old");
  OutputSet together;
  write_text(a_, "one", false);
  write_text(b_, "two", true);
  EXPECT_FALSE(std::filesystem::exists(a_));
  EXPECT_EQ(text("b"), "old");
  together.place();
  EXPECT_EQ(names(), (std::set<std::string>{"a", "b"}));
  EXPECT_EQ(text("a"), "one");
  EXPECT_EQ(text("b"), "two");
  write_text(c_, "three", false);
  EXPECT_EQ(text("c"), "three") << "the set has ended";
}

// The last of the files has appeared meanwhile and may not be replaced.
TEST_F(OutputSets, AllAreTakenBackForOne) {
  write_bytes(b_, "old");
  OutputSet together;
  write_text(a_, "one", false);
  write_text(b_, "two", true);
  write_text(c_, "three", false);
  write_bytes(c_, "another's");
  expect_error([&] { together.place(); }, ErrorKind::usage, "c exists; give the option force");
  EXPECT_FALSE(std::filesystem::exists(a_));
  EXPECT_EQ(text("b"), "old");
  EXPECT_EQ(text("c"), "another's");
}

TEST_F(OutputSets, WhatIsNotPlacedIsRemoved) {
  {
    OutputSet together;
    write_text(a_, "one", false);
    OutputSet inner;
    write_text(b_, "two", false);
    inner.place();
    write_text(c_, "three", false);
  }
  EXPECT_EQ(names(), std::set<std::string>{"b"});
  write_text(a_, "one", false);
  EXPECT_EQ(text("a"), "one");
}

}  // namespace
}  // namespace tessera::testing
