// SPDX-License-Identifier: Apache-2.0
/// How tests ask for rotation measure synthesis on a GPU.
#pragma once

#include <string>
#include <vector>

#include "core/device_blas.hpp"
#include "tessera/faraday.hpp"

namespace tessera::testing {

/// Products need cuBLAS, which is not everywhere.
inline std::vector<std::string> synth_methods_on_cuda() {
  if (why_no_device_blas().empty()) return {"gemm", "nufft"};
  return {"nufft"};
}

inline FaradayOptions synth_on_cuda(const std::string& method) {
  FaradayOptions options;
  options.backend = Backend::cuda;
  options.method = method;
  return options;
}

}  // namespace tessera::testing
