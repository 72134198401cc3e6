// SPDX-License-Identifier: Apache-2.0
/// Tensor cores and bytes of words, as GPUs have them. As warps_on_cpu.hpp: include it last of all
/// headers, before .cuh files.
#pragma once

#include <cstdint>
#include <stdexcept>

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

/// The shared memory of the block that runs; addresses of instructions count from here.
inline unsigned char* shared_memory = nullptr;

/// Byte k of row r of a fragment, from the words of the warp's lanes.
template <class Words>
int fragment_byte(const Words& words, int r, int k) {
  return signed_byte_of(static_cast<unsigned>(words[4 * r + k / 4]), k % 4);
}

}  // namespace tessera::testing

namespace tessera {

inline unsigned shared_address(const void* place) {
  return static_cast<unsigned>(static_cast<const unsigned char*>(place) - testing::shared_memory);
}

inline void load_fragments(unsigned (&fragments)[4], unsigned row_address) {
  const int lane = static_cast<int>(testing::thread_of_block.x % 32);
  for (int f = 0; f < 4; ++f)
    fragments[f] = testing::shown_to_warp(row_address, [&](auto& addresses) {
      const auto address = static_cast<unsigned>(addresses[8 * f + lane / 4]);
      if (address % 16 != 0) throw std::logic_error("ldmatrix: a row is not at a multiple of 16");
      unsigned word = 0;
      std::memcpy(&word, testing::shared_memory + address + 4 * (lane % 4), 4);
      return word;
    });
}

/// 16 rows of 32 bytes of all lanes, from the four words each of them has.
inline std::array<std::array<int, 32>, 16> rows_of_warp(const unsigned (&a)[4]) {
  std::array<std::array<int, 32>, 16> rows{};
  for (int f = 0; f < 4; ++f)
    testing::shown_to_warp(a[f], [&](auto& words) {
      for (int r = 0; r < 8; ++r)
        for (int k = 0; k < 16; ++k)
          rows[r + f % 2 * 8][k + f / 2 * 16] = testing::fragment_byte(words, r, k);
      return 0;
    });
  return rows;
}

inline void multiply_bytes(int (&sums)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  const int lane = static_cast<int>(testing::thread_of_block.x % 32);
  const auto rows = rows_of_warp(a);
  for (int half = 0; half < 2; ++half)
    testing::shown_to_warp(half == 0 ? b0 : b1, [&](auto& words) {
      for (int s = 0; s < 4; ++s)
        for (int k = 0; k < 16; ++k)
          sums[s] = testing::wrapped_sum(
              sums[s], rows[lane / 4 + s / 2 * 8][k + 16 * half] *
                           testing::fragment_byte(words, lane % 4 * 2 + s % 2, k));
      return 0;
    });
}

}  // namespace tessera

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
