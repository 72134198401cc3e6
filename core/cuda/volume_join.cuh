// SPDX-License-Identifier: Apache-2.0
// Joins the results of a filter's planes for rows of one plane of the output, in the order of the
// slices, as core/volume_block.cpp does.
#pragma once

#include "core/cuda/samples.cuh"
#include "core/cuda/volume_join_args.cuh"

namespace tessera {

template <Join join, class T>
__device__ inline T join_slices(const VolumeJoinArgs& args, long long place, T so_far) {
  for (int k = 0; k < args.count; ++k) {
    const JoinedSlice& slice = args.slices[k];
    // A value was multiplied, in double, by the host.
    so_far = slice.rows ? joined<join>(so_far, static_cast<T>(slice.factor),
                                       static_cast<const T*>(slice.rows)[place])
                        : joined<join>(so_far, T(1), static_cast<T>(slice.value));
  }
  return so_far;
}

template <class Out, class T>
__device__ inline Out joined_sample(T value) {
  if constexpr (sizeof(Out) == sizeof(T))
    return value;
  else
    return converted<Out>(value);
}

template <Join join, class T, class Out, VolumeJoinKnobs K>
__device__ void volume_join_rows(const VolumeJoinArgs& args) {
  const int samples = args.columns * args.channels;
  const int sample = static_cast<int>(blockIdx.x) * K.threads + static_cast<int>(threadIdx.x);
  if (sample >= samples) return;
  const int first = static_cast<int>(blockIdx.y) * K.rows;
  const int end = first + K.rows < args.rows ? first + K.rows : args.rows;
  T* const so_far = static_cast<T*>(args.so_far);
  Out* const out = static_cast<Out*>(args.out) + sample / args.channels * args.out_pixel +
                   sample % args.channels;
  for (int y = first; y < end; ++y) {
    const long long place = 1LL * y * samples + sample;
    const T value =
        join_slices<join>(args, place, args.begins ? nothing_joined<join, T>() : so_far[place]);
    if (args.ends)
      out[y * args.out_row] = joined_sample<Out>(value);
    else
      so_far[place] = value;
  }
}

}  // namespace tessera
