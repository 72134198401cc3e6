// SPDX-License-Identifier: Apache-2.0
// A libFuzzer program for one target, TESSERA_FUZZ_TARGET.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "tests/fuzz/fuzz_targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const tessera::testing::FuzzTarget* const target = [] {
    for (const auto& candidate : tessera::testing::fuzz_targets())
      if (candidate.name == TESSERA_FUZZ_TARGET) return &candidate;
    std::abort();
  }();
  target->run({reinterpret_cast<const char*>(data), size});
  return 0;
}
