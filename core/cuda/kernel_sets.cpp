// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/embedded_kernels.hpp"

namespace tessera::cuda {
namespace {

std::vector<KernelSet>& all_sets() {
  static auto& sets = *new std::vector<KernelSet>{{embedded_units(), embedded_kernel_texts()}};
  return sets;
}

}  // namespace

const std::vector<KernelSet>& kernel_sets() { return all_sets(); }

bool add_kernel_set(const KernelSet& set) {
  all_sets().push_back(set);
  return true;
}

}  // namespace tessera::cuda
