// SPDX-License-Identifier: Apache-2.0
/// Bytes as letters, for what stands inside pages.
#pragma once

#include <span>
#include <string>

namespace tessera {

/// Three bytes become four letters; pieces of whole threes can stand one after the other.
std::string base64(std::span<const unsigned char> bytes);

}  // namespace tessera
