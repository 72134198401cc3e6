// SPDX-License-Identifier: Apache-2.0
// The talk's kernels: one thread per pair of inputs, all pairs.
#pragma once

#include "ops/xengine/study/sums_args.cuh"

namespace tessera {

extern __shared__ int sums_memory[];

/// A thread's pair; `first` runs along a warp.
struct SumsPair {
  int first, second, channel;
  bool inside;
};
__device__ inline SumsPair pair_of_thread(const SumsArgs& a) {
  const int tiles = (a.inputs + kSumsSide - 1) / kSumsSide, place = threadIdx.x;
  const int first = blockIdx.x * kSumsSide + place % kSumsSide;
  const int second = blockIdx.y % tiles * kSumsSide + place / kSumsSide;
  return {first, second, static_cast<int>(blockIdx.y) / tiles,
          first < a.inputs && second < a.inputs};
}

__device__ inline int* sum_of(const SumsArgs& a, int channel, int i, int j) {
  return a.made + 2 * ((1LL * channel * a.inputs + i) * a.inputs + j);
}

/// Adds A_i conj(A_j), sample after sample, to the memory at `sum`. Volatile sums stay in that
/// memory: compilers would keep them in registers, which is the next rung.
template <class Int>
__device__ void add_products(const SumsArgs& a, const signed char* x, const signed char* y,
                             long long step, Int* sum) {
  for (int t = 0; t < a.samples; ++t, x += step, y += step) {
    sum[0] = sum[0] + x[0] * y[0] + x[1] * y[1];
    sum[1] = sum[1] + x[1] * y[0] - x[0] * y[1];
  }
}

/// [input][time], neighbouring threads have neighbouring i: their loads lie `samples` apart.
__device__ inline void sums_it(const SumsArgs& a) {
  const SumsPair pair = pair_of_thread(a);
  if (!pair.inside) return;
  const int i = pair.first, j = pair.second;
  const signed char* const given = a.given + 2LL * pair.channel * a.inputs * a.samples;
  volatile int* const sum = sum_of(a, pair.channel, i, j);
  sum[0] = 0;
  sum[1] = 0;
  add_products(a, given + 2LL * i * a.samples, given + 2LL * j * a.samples, 2, sum);
}

/// [time][input], neighbouring threads have neighbouring j: their loads lie side by side.
__device__ inline const signed char* first_sample(const SumsArgs& a, int channel, int input) {
  return a.given + 2 * (1LL * channel * a.samples * a.inputs + input);
}

__device__ inline void sums_ti(const SumsArgs& a) {
  const SumsPair pair = pair_of_thread(a);
  if (!pair.inside) return;
  const int i = pair.second, j = pair.first;
  volatile int* const sum = sum_of(a, pair.channel, i, j);
  sum[0] = 0;
  sum[1] = 0;
  add_products(a, first_sample(a, pair.channel, i), first_sample(a, pair.channel, j),
               2LL * a.inputs, sum);
}

/// Sums grow in shared memory, where every thread has its own two.
__device__ inline void sums_shared(const SumsArgs& a) {
  const SumsPair pair = pair_of_thread(a);
  if (!pair.inside) return;
  const int i = pair.second, j = pair.first;
  volatile int* const own = sums_memory + 2 * threadIdx.x;
  own[0] = 0;
  own[1] = 0;
  add_products(a, first_sample(a, pair.channel, i), first_sample(a, pair.channel, j),
               2LL * a.inputs, own);
  int* const sum = sum_of(a, pair.channel, i, j);
  sum[0] = own[0];
  sum[1] = own[1];
}

__device__ inline void sums_registers(const SumsArgs& a) {
  const SumsPair pair = pair_of_thread(a);
  if (!pair.inside) return;
  const int i = pair.second, j = pair.first;
  int own[2] = {0, 0};
  add_products(a, first_sample(a, pair.channel, i), first_sample(a, pair.channel, j),
               2LL * a.inputs, own);
  int* const sum = sum_of(a, pair.channel, i, j);
  sum[0] = own[0];
  sum[1] = own[1];
}

/// One thread per complex sample.
__device__ inline void make_factors(const FactorsArgs& a) {
  const long long k = 1LL * blockIdx.x * kSumsThreads + threadIdx.x;
  if (k >= a.count) return;
  const long long i = k % a.inputs, t = k / a.inputs % a.samples, c = k / a.inputs / a.samples;
  const float re = a.given[2 * k], im = a.given[2 * k + 1];
  float* const left = a.left + c * 4 * a.inputs * a.samples;
  float* const right = a.right + c * 2 * a.inputs * a.samples;
  left[2 * i * a.samples + t] = re;
  left[(2 * i + 1) * a.samples + t] = im;
  left[2 * (a.inputs + i) * a.samples + t] = im;
  left[(2 * (a.inputs + i) + 1) * a.samples + t] = -re;
  right[t * a.inputs + i] = re;
  right[(a.samples + t) * a.inputs + i] = im;
}

}  // namespace tessera
