// SPDX-License-Identifier: Apache-2.0
/// Bytes as letters, for data inside pages.
#pragma once

#include <span>
#include <string>

namespace tessera {

/// Three bytes become four letters; pieces of multiples of three bytes can be concatenated.
std::string base64(std::span<const unsigned char> bytes);

}  // namespace tessera
