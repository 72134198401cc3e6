// SPDX-License-Identifier: Apache-2.0
/// Device memory straight from the driver, as programs took it before there were pools: taking it
/// and giving it back wait for the device. For studies of what that costs; everything else takes
/// scratch from its stream.
#pragma once

#include <cstddef>

#include "tessera/stream.hpp"

namespace tessera {

/// Throws Error(resources) when there is not so much.
Scratch plain_device_memory(int device, std::size_t bytes);

}  // namespace tessera
