// SPDX-License-Identifier: Apache-2.0
#include "ops/xengine/xengine_dot_kernel.hpp"

namespace tessera {
const DotKernel* avx2_kernel() { return nullptr; }
}  // namespace tessera
