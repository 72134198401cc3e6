// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tessera/view.hpp"
#include "tests/support/poison.hpp"

namespace tessera::testing {

/// FNV-1a over all samples of a view, row by row.
inline std::uint64_t hash_of(AnyView view) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const unsigned char byte : bytes_of_view(view)) hash = (hash ^ byte) * 0x100000001b3;
  return hash;
}

}  // namespace tessera::testing
