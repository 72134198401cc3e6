// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/byte_isa.hpp"
#include "core/isa.hpp"
#include "ops/xengine/cpu/xengine_dot_kernel.hpp"

namespace tessera {

const std::vector<const DotKernel*>& dot_kernels() {
  static const std::vector<const DotKernel*> kernels = [] {
    std::vector<const DotKernel*> found;
    for (const DotKernel* kernel : {amx_kernel(), vnni_kernel(), avx2_kernel(), i8mm_kernel(),
                                    neon_dot_kernel(), scalar_dot_kernel()})
      if (kernel && std::ranges::count(native_byte_isas(), kernel->name) != 0)
        found.push_back(kernel);
    return found;
  }();
  return kernels;
}

const DotKernel& current_dot_kernel() {
  // The compiler may lack the intrinsics for what the CPU has: then the next best available.
  const auto& names = native_byte_isas();
  const auto rank = [&](const std::string& name) { return std::ranges::find(names, name); };
  const auto wanted = rank(current_byte_isa());
  const auto& kernels = dot_kernels();
  return **std::ranges::find_if(kernels,
                                [&](const DotKernel* k) { return rank(k->name) >= wanted; });
}

}  // namespace tessera
