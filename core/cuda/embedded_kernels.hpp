// SPDX-License-Identifier: Apache-2.0
/// What cmake/kernels.cmake puts into the library: compiled kernels and the texts they come from.
#pragma once

#include <span>
#include <string_view>

#include "core/embedded.hpp"

namespace tessera::cuda {

struct EmbeddedUnit {
  std::string_view name;   ///< "convolve_direct"
  std::string_view image;  ///< a fat binary
};

std::span<const EmbeddedUnit> embedded_units();

/// Named as #include writes them: "ops/convolve/convolve_direct.cuh". A zero follows each text.
std::span<const EmbeddedText> embedded_kernel_texts();

}  // namespace tessera::cuda
