// SPDX-License-Identifier: Apache-2.0
/// Runs the text of a GPU kernel on the CPU, a thread for each of a block's, so that its indices
/// and barriers are tested where there is no GPU. Include it last of all headers, before .cuh
/// files; shared memory is `extern` there, and an array of that name here.
#pragma once

#include <algorithm>
#include <atomic>
#include <barrier>
#include <bit>
#include <cmath>
#include <functional>
#include <thread>
#include <vector>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-compare"

#define __CUDACC__
#define __device__
#define __shared__
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))

struct alignas(8) float2 {
  float x, y;
};
struct alignas(16) float4 {
  float x, y, z, w;
};

namespace tessera::testing {

struct Place {
  unsigned x = 0, y = 0;
};
inline thread_local Place thread_of_block, block_of_grid;
inline Place blocks_of_grid;
inline std::barrier<>* barrier_of_block = nullptr;

/// Calls kernel() on every thread of every block, block after block.
inline void run_blocks(Place grid, unsigned threads, const std::function<void()>& kernel) {
  std::barrier<> barrier(threads);
  barrier_of_block = &barrier;
  blocks_of_grid = grid;
  std::vector<std::thread> all;
  for (unsigned i = 0; i < threads; ++i)
    all.emplace_back([&, i] {
      thread_of_block = {i, 0};
      for (unsigned y = 0; y < grid.y; ++y)
        for (unsigned x = 0; x < grid.x; ++x) {
          block_of_grid = {x, y};
          kernel();
          barrier.arrive_and_wait();
        }
    });
  for (std::thread& thread : all) thread.join();
  barrier_of_block = nullptr;
}

/// The same for kernels whose threads do not wait for each other: one after the other, which is
/// much faster.
inline void run_each_thread(Place grid, unsigned threads, const std::function<void()>& kernel) {
  blocks_of_grid = grid;
  for (unsigned k = 0; k < grid.x * grid.y; ++k)
    for (unsigned i = 0; i < threads; ++i) {
      block_of_grid = {k % grid.x, k / grid.x};
      thread_of_block = {i, 0};
      kernel();
    }
}

}  // namespace tessera::testing

#define threadIdx ::tessera::testing::thread_of_block
#define blockIdx ::tessera::testing::block_of_grid
#define gridDim ::tessera::testing::blocks_of_grid
#define __syncthreads() ::tessera::testing::barrier_of_block->arrive_and_wait()

inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
inline double __longlong_as_double(long long bits) { return std::bit_cast<double>(bits); }
template <class T>
T atomicAdd(T* to, T value) {
  return std::atomic_ref(*to).fetch_add(value);
}
template <class T>
T __ldg(const T* from) {
  return *from;
}
using std::max;
using std::min;
