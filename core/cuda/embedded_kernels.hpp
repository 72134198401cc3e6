// SPDX-License-Identifier: Apache-2.0
/// What cmake/kernels.cmake puts into the library: compiled kernels and the texts they come from.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/embedded.hpp"

namespace tessera::cuda {

struct EmbeddedUnit {
  std::string_view name;   ///< "convolve_direct"
  std::string_view image;  ///< a fat binary
};

/// The library's own.
std::span<const EmbeddedUnit> embedded_units();

/// Named as #include writes them: "ops/convolve/cuda/convolve_direct.cuh". A zero follows each
/// text.
std::span<const EmbeddedText> embedded_kernel_texts();

/// Kernels that a program brings along beside the library's: those of the studies.
struct KernelSet {
  std::span<const EmbeddedUnit> units;
  std::span<const EmbeddedText> texts;
};

/// The library's own first.
const std::vector<KernelSet>& kernel_sets();

/// To be called before main begins, by a static initialiser; always true.
bool add_kernel_set(const KernelSet& set);

}  // namespace tessera::cuda
