// SPDX-License-Identifier: Apache-2.0
/// Tensor cores and bytes of words, as on GPUs. Like warps_on_cpu.hpp, include it after all other
/// headers and before .cuh files.
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

/// Words that each lane of a warp shows the others, four at a time. There are two lots of them,
/// used in turns: then one barrier is enough, and barriers are what takes time here.
struct ShownWords {
  std::array<std::array<std::array<unsigned, 6>, 32>, 2> lots{};
};
inline std::array<ShownWords, 16> shown_words;
inline thread_local int lot_of_thread = 0;

/// [lane][word]
inline const std::array<std::array<unsigned, 6>, 32>& show_words(
    const std::array<unsigned, 6>& words) {
  auto& lot = shown_words[thread_of_block.x / 32].lots[lot_of_thread];
  lot_of_thread = 1 - lot_of_thread;
  lot[thread_of_block.x % 32] = words;
  warp_of_thread().barrier.arrive_and_wait();
  return lot;
}

inline int lane_of_thread() { return static_cast<int>(thread_of_block.x % 32); }

/// Byte k of row r of the fragment of which lanes have shown word f.
template <class Words>
int fragment_byte(const Words& shown, int f, int r, int k) {
  return signed_byte_of(shown[4 * r + k / 4][f], k % 4);
}
/// Byte k of row r of 16 rows of 32 bytes, of which lanes have shown the first four words.
template <class Words>
int row_byte(const Words& shown, int r, int k) {
  return fragment_byte(shown, r / 8 + k / 16 * 2, r % 8, k % 16);
}

}  // namespace tessera::testing

namespace tessera {

inline unsigned shared_address(const void* place) {
  return static_cast<unsigned>(static_cast<const unsigned char*>(place) - testing::shared_memory);
}

inline void load_fragments(unsigned (&fragments)[4], unsigned row_address) {
  const auto& shown = testing::show_words({row_address});
  const int lane = testing::lane_of_thread();
  for (int f = 0; f < 4; ++f) {
    const unsigned address = shown[8 * f + lane / 4][0];
    if (address % 16 != 0) throw std::logic_error("ldmatrix: a row is not at a multiple of 16");
    std::memcpy(&fragments[f], testing::shared_memory + address + 4 * (lane % 4), 4);
  }
}

inline void multiply_bytes(int (&sums)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  const auto& shown = testing::show_words({a[0], a[1], a[2], a[3], b0, b1});
  const int lane = testing::lane_of_thread();
  for (int s = 0; s < 4; ++s)
    for (int k = 0; k < 32; ++k)
      sums[s] = testing::wrapped_sum(
          sums[s], testing::row_byte(shown, lane / 4 + s / 2 * 8, k) *
                       testing::fragment_byte(shown, 4 + k / 16, lane % 4 * 2 + s % 2, k % 16));
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
