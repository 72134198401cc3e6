// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace tessera {

/// Bytes of the UTF-8 character at this place; 0 if there is none: a stray byte, an overlong form,
/// a surrogate, a code beyond the last.
std::size_t utf8_bytes(std::string_view text, std::size_t at);

}  // namespace tessera
