// SPDX-License-Identifier: Apache-2.0
/// Runs the built tool as users do.
#pragma once

#include <string>
#include <vector>

#include "tests/support/process.hpp"

namespace tessera::testing {

inline Outcome run_tool(std::vector<std::string> arguments, const std::string& input = "") {
  arguments.insert(arguments.begin(), TESSERA_CLI);
  return Process(arguments, input).wait();
}

}  // namespace tessera::testing
