// SPDX-License-Identifier: Apache-2.0
/// Bytes of words, as GPUs have them. As warps_on_cpu.hpp: include it last of all headers, before
/// .cuh files.
#pragma once

#include <cstdint>

#include "tests/support/warps_on_cpu.hpp"

struct alignas(8) int2 {
  int x, y;
};
struct alignas(16) int4 {
  int x, y, z, w;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};

namespace tessera::testing {

inline unsigned byte_of(unsigned word, int n) { return word >> (8 * n) & 0xff; }
inline int signed_byte_of(unsigned word, int n) {
  return static_cast<signed char>(byte_of(word, n));
}
inline int wrapped_sum(int a, int b) {
  return static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
}

}  // namespace tessera::testing

inline int __dp4a(int a, int b, int sum) {
  for (int n = 0; n < 4; ++n)
    sum = tessera::testing::wrapped_sum(
        sum, tessera::testing::signed_byte_of(static_cast<unsigned>(a), n) *
                 tessera::testing::signed_byte_of(static_cast<unsigned>(b), n));
  return sum;
}

inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  unsigned result = 0;
  for (int n = 0; n < 4; ++n) {
    const int which = static_cast<int>(selector >> (4 * n) & 7);
    result |= tessera::testing::byte_of(which < 4 ? a : b, which % 4) << (8 * n);
  }
  return result;
}
