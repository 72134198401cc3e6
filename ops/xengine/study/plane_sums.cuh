// SPDX-License-Identifier: Apache-2.0
// The talk's fastest kernel: real and imaginary parts in planes of their own, samples
// [channel][re, im][time][input], sums [channel][re, im][i][j]; and the same in registers.
#pragma once

#include "ops/xengine/study/sums_bodies.cuh"

namespace tessera {

__device__ inline SumsSamples samples_in_planes(const SumsArgs& a, int channel, int input) {
  const long long plane = 1LL * a.samples * a.inputs;
  const signed char* const re = a.given + 2 * channel * plane + input;
  return {re, re + plane, a.inputs};
}

__device__ inline void put_in_planes(const SumsArgs& a, const SumsPair& pair, int re, int im) {
  const long long plane = 1LL * a.inputs * a.inputs;
  int* const at = a.made + 2 * pair.channel * plane + 1LL * pair.second * a.inputs + pair.first;
  put_sums(a, at, at + plane, re, im);
}

/// Two arrays in shared memory.
__device__ inline void plane_sums_shared(const SumsArgs& a) {
  const SumsPair pair = pair_of_thread(a);
  if (!pair.inside) return;
  volatile int* const re = sums_memory + threadIdx.x;
  volatile int* const im = re + kSumsThreads;
  *re = 0;
  *im = 0;
  add_products(samples_in_planes(a, pair.channel, pair.second),
               samples_in_planes(a, pair.channel, pair.first), a.samples, *re, *im);
  put_in_planes(a, pair, *re, *im);
}

__device__ inline void plane_sums_registers(const SumsArgs& a) {
  const SumsPair pair = pair_of_thread(a);
  if (!pair.inside) return;
  int re = 0, im = 0;
  add_products(samples_in_planes(a, pair.channel, pair.second),
               samples_in_planes(a, pair.channel, pair.first), a.samples, re, im);
  put_in_planes(a, pair, re, im);
}

}  // namespace tessera
