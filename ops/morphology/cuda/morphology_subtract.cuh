// SPDX-License-Identifier: Apache-2.0
// out = a - b, sample by sample; `out` may be one of both.
#pragma once

#include "ops/morphology/cuda/morphology_subtract_args.cuh"

namespace tessera {

template <class T>
__device__ inline T difference_by(DifferenceRule rule, T a, T b) {
  if (rule == DifferenceRule::shifted) return morphology_difference<DifferenceRule::shifted>(a, b);
  if (rule == DifferenceRule::truth) return morphology_difference<DifferenceRule::truth>(a, b);
  if (rule == DifferenceRule::i32) return morphology_difference<DifferenceRule::i32>(a, b);
  if (rule == DifferenceRule::u32) return morphology_difference<DifferenceRule::u32>(a, b);
  return morphology_difference<DifferenceRule::numbers>(a, b);
}

template <class T, MorphologySubtractKnobs K>
__device__ void morphology_subtract_rows(const MorphologySubtractArgs& args) {
  const int sample = static_cast<int>(blockIdx.x) * K.threads + static_cast<int>(threadIdx.x);
  const int column = sample / args.channels, channel = sample % args.channels;
  if (column >= args.columns) return;
  const int first = static_cast<int>(blockIdx.y) * K.rows;
  const int end = first + K.rows < args.rows ? first + K.rows : args.rows;
  const T* a = static_cast<const T*>(args.a) + column * args.a_pixel + channel;
  const T* b = static_cast<const T*>(args.b) + column * args.b_pixel + channel;
  T* out = static_cast<T*>(args.out) + column * args.out_pixel + channel;
  for (int y = first; y < end; ++y)
    out[y * args.out_row] = difference_by(args.rule, a[y * args.a_row], b[y * args.b_row]);
}

}  // namespace tessera
