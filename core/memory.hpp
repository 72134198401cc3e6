// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace tessera {

/// Bytes of host memory that this process may still take: MemAvailable, or less if a cgroup limits
/// it.
std::size_t available_memory();

}  // namespace tessera
