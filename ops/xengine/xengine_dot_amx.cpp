// SPDX-License-Identifier: Apache-2.0
#include "ops/xengine/xengine_dot_kernel.hpp"

namespace tessera {
const DotKernel* amx_kernel() { return nullptr; }
}  // namespace tessera
