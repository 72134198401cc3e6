// SPDX-License-Identifier: Apache-2.0
// The threads that make a box together, a warp or a block: sums in a fixed order, and the keys at
// several positions of the sorted list, found together by counting digits.
#pragma once

#include "ops/noise/cuda/noise_boxes_args.cuh"

namespace tessera {

/// Shared memory is an array of 8-byte words of this name.
extern __shared__ unsigned long long noise_box_memory[];

template <int kThreads>
struct NoiseTeam {
  static constexpr int kWarps = kThreads / kNoiseWarp;

  __device__ static int thread() { return static_cast<int>(threadIdx.x); }
  __device__ static int lane() { return thread() % kNoiseWarp; }
  __device__ static NoiseTeamMemory& memory() {
    return *reinterpret_cast<NoiseTeamMemory*>(noise_box_memory);
  }
  __device__ static unsigned* counters() { return reinterpret_cast<unsigned*>(&memory() + 1); }

  __device__ static void sync() {
    if constexpr (kWarps == 1)
      __syncwarp();
    else
      __syncthreads();
  }

  /// join() of the values of all threads, in a fixed order; all get the result.
  template <class Value, class Join>
  __device__ static Value all(Value value, Join join) {
#pragma unroll 1
    for (int step = 1; step < kNoiseWarp; step *= 2)
      value = join(value, __shfl_sync(~0U, value, lane() ^ step));
    if constexpr (kWarps > 1) {
      Value* told = reinterpret_cast<Value*>(memory().told);
      if (lane() == 0) told[thread() / kNoiseWarp] = value;
      __syncthreads();
      value = told[0];
#pragma unroll 1
      for (int warp = 1; warp < kWarps; ++warp) value = join(value, told[warp]);
      __syncthreads();
    }
    return value;
  }
  template <class Value>
  __device__ static Value sum(Value value) {
    return all(value, [](Value a, Value b) { return a + b; });
  }
  template <class Value>
  __device__ static Value least(Value value) {
    return all(value, [](Value a, Value b) { return a < b ? a : b; });
  }
  template <class Value>
  __device__ static Value most(Value value) {
    return all(value, [](Value a, Value b) { return a < b ? b : a; });
  }
};

/// Moves a pick to the digit that contains it: one warp, eight counters per lane.
__device__ inline void noise_find_digit(const unsigned* counters, int shift, int lane,
                                        NoisePick& pick) {
  constexpr int kEach = kNoiseDigits / kNoiseWarp;
  const int wanted = pick.index;
  int in = 0;
  for (int k = 0; k < kEach; ++k) in += static_cast<int>(counters[noise_counter(lane * kEach + k)]);
  int before = in;
#pragma unroll 1
  for (int step = 1; step < kNoiseWarp; step *= 2) {
    const int lower = __shfl_sync(~0U, before, (lane - step) & (kNoiseWarp - 1));
    if (lane >= step) before += lower;
  }
  before -= in;
  __syncwarp();  // all have read what one of them is going to change
  if (wanted < before || wanted >= before + in) return;
  int digit = lane * kEach;
#pragma unroll 1
  for (;; ++digit) {
    const int here = static_cast<int>(counters[noise_counter(digit)]);
    if (wanted < before + here) break;
    before += here;
  }
  pick.low += static_cast<unsigned long long>(digit) << shift;
  pick.index = wanted - before;
}

/// Turns the team's first `picks` picks, whose indices are set, into the keys at those positions.
/// each(use) calls use(key) for this thread's keys, which lie from `least` to `most`.
template <int kThreads, class Key, class Each>
__device__ void noise_find_keys(int picks, Key least, Key most, const Each& each) {
  using Team = NoiseTeam<kThreads>;
  NoisePick* pick = Team::memory().pick;
  unsigned* counters = Team::counters();
  if (Team::thread() < picks) pick[Team::thread()].low = least;
  int shift = 0;
#pragma unroll 1
  while (((most - least) >> shift) >= kNoiseDigits) ++shift;
  for (int apart = 1;; apart = picks) {  // at first all search the same digit
#pragma unroll 1
    for (int k = Team::thread(); k < apart * kNoiseCounters; k += kThreads) counters[k] = 0;
    Team::sync();
    each([&](Key key) {
#pragma unroll 1
      for (int p = 0; p < apart; ++p) {
        const Key digit = (key - static_cast<Key>(pick[p].low)) >> shift;
        if (digit < kNoiseDigits)
          atomicAdd(counters + p * kNoiseCounters + noise_counter(static_cast<int>(digit)), 1U);
      }
    });
    Team::sync();
#pragma unroll 1
    for (int p = Team::thread() / kNoiseWarp; p < picks; p += Team::kWarps)
      noise_find_digit(counters + (apart == 1 ? 0 : p) * kNoiseCounters, shift, Team::lane(),
                       pick[p]);
    Team::sync();
    if (shift == 0) return;
    shift = shift > 8 ? shift - 8 : 0;
  }
}

}  // namespace tessera
