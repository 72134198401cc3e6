// SPDX-License-Identifier: Apache-2.0
/// Host memory that is reused, so that no loop allocates.
#pragma once

#include <cstddef>
#include <string>

#include "tessera/stream.hpp"

namespace tessera {

/// Aligned to 256 bytes, contents undefined; from any thread. Throws Error(resources) if memory
/// runs out, naming the bytes wanted.
Scratch host_scratch(std::size_t bytes);

/// Returns memory that waits for reuse to the system.
void free_idle_host_memory();

/// "3.2 GB", for messages.
std::string bytes_text(double bytes);

}  // namespace tessera
