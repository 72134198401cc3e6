// SPDX-License-Identifier: Apache-2.0
/// The item types of .npy files.
#pragma once

#include <string>

#include "core/items.hpp"

namespace tessera {

/// The items of a name such as "<f4"; throws Error(input) that lists the supported ones.
Items npy_items(const std::string& path, const std::string& descr);

}  // namespace tessera
