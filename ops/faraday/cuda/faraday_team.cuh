// SPDX-License-Identifier: Apache-2.0
// Collective operations of the threads of a team.
#pragma once

#include "ops/faraday/cuda/faraday_pixel.cuh"
#include "ops/faraday/cuda/faraday_team_args.cuh"

namespace tessera {

/// Integers with the same order as values of 0 and more.
__device__ inline unsigned faraday_rank(float value) { return __float_as_uint(value); }
__device__ inline unsigned long long faraday_rank(double value) {
  return static_cast<unsigned long long>(__double_as_longlong(value));
}
__device__ inline float faraday_unranked(unsigned rank) { return __uint_as_float(rank); }
__device__ inline double faraday_unranked(unsigned long long rank) {
  return __longlong_as_double(static_cast<long long>(rank));
}

__device__ inline unsigned most_of_warp(unsigned value) {
  return __reduce_max_sync(0xffffffffU, value);
}
__device__ inline unsigned long long most_of_warp(unsigned long long value) {
  const unsigned above = static_cast<unsigned>(value >> 32),
                 high = __reduce_max_sync(0xffffffffU, above),
                 low = __reduce_max_sync(0xffffffffU,
                                         above == high ? static_cast<unsigned>(value) : 0U);
  return static_cast<unsigned long long>(high) << 32 | low;
}

/// All threads of a team get the result. All of them must call.
template <int kThreads>
class FaradayTeam {
 public:
  int rank;  ///< of this thread

  __device__ explicit FaradayTeam(unsigned long long* slots)
      : rank(static_cast<int>(threadIdx.x) % kThreads), slots_(slots) {}

  __device__ void wait() const {
    if constexpr (kThreads == kFaradayWarp)
      __syncwarp();
    else
      __syncthreads();
  }

  template <class Unsigned>
  __device__ Unsigned most(Unsigned value) {
    return over_warps(most_of_warp(value), [](Unsigned a, Unsigned b) { return a > b ? a : b; });
  }
  template <class Unsigned>
  __device__ Unsigned least(Unsigned value) {
    return ~most(~value);
  }
  __device__ unsigned sum(unsigned value) {
    return over_warps(__reduce_add_sync(0xffffffffU, value),
                      [](unsigned a, unsigned b) { return a + b; });
  }

  /// The value given by the thread of rank `owner`.
  template <class Real>
  __device__ Real from(int owner, Real value) {
    if constexpr (kThreads == kFaradayWarp) {
      return __shfl_sync(0xffffffffU, value, owner);
    } else {
      unsigned long long* const slots = next_slots();
      if (rank == owner) slots[0] = faraday_rank(static_cast<double>(value));
      __syncthreads();
      return static_cast<Real>(faraday_unranked(slots[0]));
    }
  }

 private:
  static constexpr int kWarps = kThreads / kFaradayWarp;

  /// Alternates between two halves: a slow thread may still read the previous result.
  __device__ unsigned long long* next_slots() {
    turn_ ^= 1;
    return slots_ + turn_ * kWarps;
  }

  template <class Unsigned, class Together>
  __device__ Unsigned over_warps(Unsigned value, Together together) {
    if constexpr (kWarps > 1) {
      unsigned long long* const slots = next_slots();
      if (rank % kFaradayWarp == 0) slots[rank / kFaradayWarp] = value;
      __syncthreads();
      value = static_cast<Unsigned>(slots[0]);
      for (int warp = 1; warp < kWarps; ++warp)
        value = together(value, static_cast<Unsigned>(slots[warp]));
    }
    return value;
  }

  unsigned long long* slots_;
  int turn_ = 0;
};

}  // namespace tessera
