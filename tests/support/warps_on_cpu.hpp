// SPDX-License-Identifier: Apache-2.0
/// Kernels whose threads talk to those of their warp, on the CPU. As block_on_cpu.hpp: include it
/// last of all headers, before .cuh files.
#pragma once

#include <array>
#include <cstring>
#include <memory>

#include "tests/support/block_on_cpu.hpp"

#define __host__

namespace tessera::testing {

/// The values that the threads of a warp show each other.
struct Warp {
  std::barrier<> barrier{32};
  std::array<unsigned long long, 32> shown{};
};
inline std::vector<std::unique_ptr<Warp>> warps_of_block;

/// As run_blocks, with whole warps.
inline void run_warps(Place grid, unsigned threads, const std::function<void()>& kernel) {
  warps_of_block.clear();
  for (unsigned i = 0; i < threads / 32; ++i) warps_of_block.push_back(std::make_unique<Warp>());
  run_blocks(grid, threads, kernel);
}

inline Warp& warp_of_thread() { return *warps_of_block[thread_of_block.x / 32]; }

/// The result of use() on the values that all threads of the warp show.
template <class Value, class Use>
auto shown_to_warp(Value value, Use use) {
  Warp& warp = warp_of_thread();
  unsigned long long bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  warp.shown[thread_of_block.x % 32] = bits;
  warp.barrier.arrive_and_wait();
  const auto result = use(warp.shown);
  warp.barrier.arrive_and_wait();
  return result;
}

}  // namespace tessera::testing

inline void __syncwarp() { tessera::testing::warp_of_thread().barrier.arrive_and_wait(); }

inline unsigned __reduce_max_sync(unsigned, unsigned value) {
  return tessera::testing::shown_to_warp(value, [](auto& all) {
    return static_cast<unsigned>(*std::max_element(all.begin(), all.end()));
  });
}
inline unsigned __reduce_add_sync(unsigned, unsigned value) {
  return tessera::testing::shown_to_warp(value, [](auto& all) {
    unsigned long long sum = 0;
    for (const unsigned long long one : all) sum += one;
    return static_cast<unsigned>(sum);
  });
}
inline unsigned __ballot_sync(unsigned, bool value) {
  return tessera::testing::shown_to_warp(value, [](auto& all) {
    unsigned bits = 0;
    for (unsigned i = 0; i < 32; ++i) bits |= (all[i] != 0 ? 1U : 0U) << i;
    return bits;
  });
}
template <class T>
T __shfl_sync(unsigned, T value, int from) {
  return tessera::testing::shown_to_warp(value, [&](auto& all) {
    T result;
    std::memcpy(&result, &all[static_cast<std::size_t>(from)], sizeof result);
    return result;
  });
}

inline int __ffs(int value) {
  return value == 0 ? 0 : std::countr_zero(static_cast<unsigned>(value)) + 1;
}
inline unsigned __float_as_uint(float value) { return std::bit_cast<unsigned>(value); }
inline float __uint_as_float(unsigned bits) { return std::bit_cast<float>(bits); }
inline long long __double_as_longlong(double value) { return std::bit_cast<long long>(value); }
