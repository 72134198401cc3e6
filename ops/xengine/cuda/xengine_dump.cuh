// SPDX-License-Identifier: Apache-2.0
// Sums from 32 to 64 bits, and out: averaged, ordered, converted.
#pragma once

#include "ops/xengine/cuda/xengine_dump_args.cuh"

namespace tessera {

template <class Narrow, class Wide>
__device__ inline void xengine_flush(const XEngineFlushArgs<Narrow, Wide>& a) {
  const long long k = 1LL * blockIdx.x * kXEngineDumpThreads + threadIdx.x;
  if (k < a.count) a.wide[k] = a.narrow[k] + (a.add ? a.wide[k] : Wide(0));
}

template <class Sum>
struct XEngineComplex {
  Sum re = 0, im = 0;
};

/// Integers, exact.
__device__ inline XEngineComplex<long long> xengine_sum(const XEngineDumpArgs& a, long long at,
                                                        long long) {
  XEngineComplex<long long> sum;
  if (a.narrow) sum = {a.narrow[2 * at], a.narrow[2 * at + 1]};
  if (a.wide) sum = {sum.re + a.wide[2 * at], sum.im + a.wide[2 * at + 1]};
  return sum;
}
__device__ inline XEngineComplex<double> xengine_sum(const XEngineDumpArgs& a, long long at,
                                                     double) {
  if (!a.real) return {};
  return {a.real[2 * at], a.real[2 * at + 1]};
}

template <class Out>
inline constexpr bool kXEngineSaturates = false;
template <>
inline constexpr bool kXEngineSaturates<int> = true;

/// A part in the output's type.
template <class Out, class Sum>
__device__ inline Out xengine_part(Sum value, unsigned& saturated) {
  if constexpr (kXEngineSaturates<Out>) {
    constexpr Sum kLeast = -2147483648LL, kMost = 2147483647;
    if (value < kLeast || value > kMost) ++saturated;
    value = value < kLeast ? kLeast : value > kMost ? kMost : value;
  }
  return static_cast<Out>(value);
}

/// One thread per value.
template <class Sum, class Out>
__device__ void xengine_dump(const XEngineDumpArgs& a) {
  const long long v = 1LL * blockIdx.x * kXEngineDumpThreads + threadIdx.x;
  if (v >= a.values) return;
  const XEngineSource source = xengine_source(a.order, v, a.antennas, a.polarisations);
  const int row = static_cast<int>(blockIdx.y), c = (a.first + row) * a.average;
  XEngineComplex<Sum> sum;
  for (int k = 0; k < a.average; ++k) {
    const XEngineComplex<Sum> one = xengine_sum(a, (c + k) * a.sums + source.place, Sum());
    sum = {sum.re + one.re, sum.im + one.im};
  }
  if (source.conjugated) sum.im = -sum.im;
  unsigned saturated = 0;
  const Out re = xengine_part<Out>(sum.re, saturated), im = xengine_part<Out>(sum.im, saturated);
  const long long at = row * a.values + v;
  const bool planes = a.order == XEngineOrder::register_tile;
  auto* out = static_cast<Out*>(a.out);
  out[planes ? at : 2 * at] = re;
  out[planes ? a.plane + at : 2 * at + 1] = im;
  if (saturated > 0) atomicAdd(a.saturated, static_cast<unsigned long long>(saturated));
}

}  // namespace tessera
