// SPDX-License-Identifier: Apache-2.0
/// Embedded by cmake/kernels.cmake: compiled kernels and their source texts.
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

/// Named as in #include: "ops/convolve/cuda/convolve_direct.cuh". A zero follows each
/// text.
std::span<const EmbeddedText> embedded_kernel_texts();

/// Kernels of a program besides the library's own: those of the studies.
struct KernelSet {
  std::span<const EmbeddedUnit> units;
  std::span<const EmbeddedText> texts;
};

/// The library's own first.
const std::vector<KernelSet>& kernel_sets();

/// Called before main by a static initialiser; always true.
bool add_kernel_set(const KernelSet& set);

}  // namespace tessera::cuda
