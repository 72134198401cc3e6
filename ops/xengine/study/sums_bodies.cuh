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

/// Samples of an input, `step` bytes apart.
struct SumsSamples {
  const signed char *re, *im;
  long long step;
};

/// Adds A_i conj(A_j), sample after sample. Volatile sums stay in their memory: compilers would
/// keep them in registers, which is a rung of its own.
template <class Int>
__device__ void add_products(SumsSamples x, SumsSamples y, int samples, Int& re, Int& im) {
  for (int t = 0; t < samples; ++t) {
    re = re + *x.re * *y.re + *x.im * *y.im;
    im = im + *x.im * *y.re - *x.re * *y.im;
    x.re += x.step, x.im += x.step;
    y.re += y.step, y.im += y.step;
  }
}

__device__ inline SumsSamples samples_side_by_side(const signed char* first, long long step) {
  return {first, first + 1, step};
}

/// [input][time], neighbouring threads have neighbouring i: their loads lie `samples` apart.
__device__ inline void sums_it(const SumsArgs& a) {
  const SumsPair pair = pair_of_thread(a);
  if (!pair.inside) return;
  const int i = pair.first, j = pair.second;
  const signed char* const given = a.given + 2LL * pair.channel * a.inputs * a.samples;
  volatile int* const sum = sum_of(a, pair.channel, i, j);
  if (!a.add) {
    sum[0] = 0;
    sum[1] = 0;
  }
  add_products(samples_side_by_side(given + 2LL * i * a.samples, 2),
               samples_side_by_side(given + 2LL * j * a.samples, 2), a.samples, sum[0], sum[1]);
}

/// [time][input], neighbouring threads have neighbouring j: their loads lie side by side.
__device__ inline SumsSamples samples_in_time(const SumsArgs& a, int channel, int input) {
  return samples_side_by_side(a.given + 2 * (1LL * channel * a.samples * a.inputs + input),
                              2LL * a.inputs);
}

__device__ inline void sums_ti(const SumsArgs& a) {
  const SumsPair pair = pair_of_thread(a);
  if (!pair.inside) return;
  const int i = pair.second, j = pair.first;
  volatile int* const sum = sum_of(a, pair.channel, i, j);
  if (!a.add) {
    sum[0] = 0;
    sum[1] = 0;
  }
  add_products(samples_in_time(a, pair.channel, i), samples_in_time(a, pair.channel, j), a.samples,
               sum[0], sum[1]);
}

/// Writes the sums of a cycle, or adds them.
__device__ inline void put_sums(const SumsArgs& a, int* re_at, int* im_at, int re, int im) {
  *re_at = a.add ? *re_at + re : re;
  *im_at = a.add ? *im_at + im : im;
}

/// Sums grow in shared memory, where every thread has its own two: side by side, so that two
/// threads of a warp share every bank, or `apart` in two arrays, where none do.
template <bool kApart>
__device__ void sums_shared(const SumsArgs& a) {
  const SumsPair pair = pair_of_thread(a);
  if (!pair.inside) return;
  const int i = pair.second, j = pair.first;
  volatile int* const re = sums_memory + (kApart ? threadIdx.x : 2 * threadIdx.x);
  volatile int* const im = re + (kApart ? kSumsThreads : 1);
  *re = 0;
  *im = 0;
  add_products(samples_in_time(a, pair.channel, i), samples_in_time(a, pair.channel, j), a.samples,
               *re, *im);
  int* const sum = sum_of(a, pair.channel, i, j);
  put_sums(a, sum, sum + 1, *re, *im);
}

__device__ inline void sums_registers(const SumsArgs& a) {
  const SumsPair pair = pair_of_thread(a);
  if (!pair.inside) return;
  const int i = pair.second, j = pair.first;
  int re = 0, im = 0;
  add_products(samples_in_time(a, pair.channel, i), samples_in_time(a, pair.channel, j), a.samples,
               re, im);
  int* const sum = sum_of(a, pair.channel, i, j);
  put_sums(a, sum, sum + 1, re, im);
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

__device__ inline void make_complex(const ComplexArgs& a) {
  const long long k = 1LL * blockIdx.x * kSumsThreads + threadIdx.x;
  if (k < a.count) a.made[k] = a.given[k];
}

}  // namespace tessera
