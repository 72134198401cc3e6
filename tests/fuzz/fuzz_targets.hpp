// SPDX-License-Identifier: Apache-2.0
/// Everything that takes bytes from strangers, each as a function of those bytes. libFuzzer looks
/// for inputs that break them (scripts/fuzz); the normal tests run the corpora again.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tessera::testing {

struct FuzzTarget {
  std::string name;   ///< of the program fuzz_NAME
  std::string seeds;  ///< folder of tests/ with good and bad inputs; tests/found/NAME has findings
  void (*run)(std::string_view bytes);
};

/// Errors are what bad input should give, so targets swallow them; anything else is a finding.
const std::vector<FuzzTarget>& fuzz_targets();

}  // namespace tessera::testing
