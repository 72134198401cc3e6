// SPDX-License-Identifier: Apache-2.0
#include "tests/support/test_files.hpp"

#include <fnmatch.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <stdexcept>

namespace tessera {
namespace {

bool matches_one_of(const std::string& patterns, const std::string& name) {
  std::istringstream list(patterns);
  for (std::string pattern; std::getline(list, pattern, ':');)
    if (::fnmatch(pattern.c_str(), name.c_str(), 0) == 0) return true;
  return false;
}

// GoogleTest's own rule: PATTERNS, PATTERNS-PATTERNS or -PATTERNS.
bool passes(const std::string& filter, const std::string& name) {
  const auto dash = filter.find('-');
  const std::string wanted = filter.substr(0, dash);
  if (!wanted.empty() && !matches_one_of(wanted, name)) return false;
  return dash == std::string::npos || !matches_one_of(filter.substr(dash + 1), name);
}

}  // namespace

std::string filter_for_file(const std::string& filter, const std::string& name) {
  const auto& all = *::testing::UnitTest::GetInstance();
  std::string chosen;
  bool found = false;
  for (int s = 0; s < all.total_test_suite_count(); ++s) {
    const auto& suite = *all.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t) {
      const auto& test = *suite.GetTestInfo(t);
      if (std::filesystem::path(test.file()).filename() != name) continue;
      found = true;
      const std::string full = std::string(suite.name()) + "." + test.name();
      if (passes(filter, full)) chosen += full + ":";
    }
  }
  if (!found) throw std::invalid_argument("this program has no tests from a file " + name);
  return chosen.empty() ? "-*" : chosen;
}

}  // namespace tessera
