// SPDX-License-Identifier: Apache-2.0
/// Every way this machine can run an operation: each SIMD target of the CPU, and the GPU.
#pragma once

#include <string>
#include <vector>

#include "core/isa.hpp"
#include "core/machine.hpp"
#include "tessera/options.hpp"

namespace tessera::testing {

struct Way {
  Backend backend;
  std::string isa;  ///< forced target; "auto" on the GPU
  std::string name() const { return backend == Backend::cuda ? "cuda" : "cpu " + isa; }
};

inline std::vector<Way> all_ways() {
  std::vector<Way> ways;
  for (const std::string& isa : isa_names()) ways.push_back({Backend::cpu, isa});
  if (!this_machine().devices.empty()) ways.push_back({Backend::cuda, "auto"});
  return ways;
}

/// Forces a target while it lives.
class ForcedIsa {
 public:
  explicit ForcedIsa(const std::string& isa) : before_(current_isa()) { force_isa(isa); }
  ~ForcedIsa() { force_isa(before_); }
  ForcedIsa(const ForcedIsa&) = delete;
  ForcedIsa& operator=(const ForcedIsa&) = delete;

 private:
  std::string before_;
};

}  // namespace tessera::testing
