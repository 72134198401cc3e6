// SPDX-License-Identifier: Apache-2.0
/// Runs the built tool as users do.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/process.hpp"

namespace tessera::testing {

inline Outcome run_tool(std::vector<std::string> arguments, const std::string& input = "") {
  arguments.insert(arguments.begin(), TESSERA_CLI);
  return Process(arguments, input).wait();
}

/// The tool refuses these words: an exit code, and one line that has this part.
inline void expect_failure(const std::vector<std::string>& arguments, int code,
                           const std::string& part) {
  const Outcome outcome = run_tool(arguments);
  EXPECT_EQ(outcome.code, code) << outcome.err;
  EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err << "\nwanted: " << part;
  EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
}

}  // namespace tessera::testing
