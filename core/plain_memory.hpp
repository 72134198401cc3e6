// SPDX-License-Identifier: Apache-2.0
/// Device memory directly from the driver, as programs allocated it before there were pools:
/// allocating and freeing wait for the device. Used to study that cost; everything else takes
/// scratch memory from its stream.
#pragma once

#include <cstddef>

#include "tessera/stream.hpp"

namespace tessera {

/// Throws Error(resources) if there is not that much.
Scratch plain_device_memory(int device, std::size_t bytes);

}  // namespace tessera
