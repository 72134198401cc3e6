// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace tessera {

/// Bytes of host memory this process may still take: MemAvailable, or less if a cgroup says so.
std::size_t available_memory();

}  // namespace tessera
