// SPDX-License-Identifier: Apache-2.0
/// Kernels that do nothing but run at a ceiling of the device.
#pragma once

#include "core/cuda/ceilings_args.cuh"

namespace tessera {

// Every thread runs `chains` sums that do not wait for each other: an FMA takes 4 cycles, so with
// full occupancy (16 warps per scheduler) a few chains keep every lane busy.
template <FmaKnobs K>
__device__ void fma_chains(const FmaArgs& a) {
  float sum[K.chains];
#pragma unroll
  for (int i = 0; i < K.chains; ++i) sum[i] = static_cast<float>(threadIdx.x + i);
  for (int round = 0; round < a.rounds; ++round)
#pragma unroll
    for (int step = 0; step < kFmaSteps; ++step)
#pragma unroll
      for (int i = 0; i < K.chains; ++i) sum[i] = __fmaf_rn(sum[i], a.factor, a.addend);
  float total = 0;
#pragma unroll
  for (int i = 0; i < K.chains; ++i) total += sum[i];
  a.out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

// A block copies `words` runs of as many 16-byte words as it has threads; all loads are in flight
// before the first store waits for one.
template <CopyKnobs K>
__device__ void copy_words(const CopyArgs& a) {
  const auto* from = static_cast<const float4*>(a.from);
  auto* to = static_cast<float4*>(a.to);
  const long long first = 1LL * blockIdx.x * blockDim.x * K.words + threadIdx.x;
  float4 words[K.words];
#pragma unroll
  for (int i = 0; i < K.words; ++i)
    if (first + i * blockDim.x < a.count) words[i] = from[first + i * blockDim.x];
#pragma unroll
  for (int i = 0; i < K.words; ++i)
    if (first + i * blockDim.x < a.count) to[first + i * blockDim.x] = words[i];
}

}  // namespace tessera
