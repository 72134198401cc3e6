// SPDX-License-Identifier: Apache-2.0
// Words of four bytes with adjacent samples: four of u8, two of u16, one key of f32.
//
// Pairs of 16 bits are compared by one instruction (sm_90), groups of four 8-bit values by six. So
// bytes are kept as two words of pairs: the bytes at even positions, moved up by one, and those at
// odd positions unchanged. A pair's order is that of its upper byte; the byte below it never
// reaches a result.
#pragma once

#include "ops/morphology/cuda/morphology_tile.cuh"

namespace tessera {

/// A word, in the form that is compared at once.
template <int kBytes>
struct Parts {
  static constexpr int kCount = kBytes == 1 ? 2 : 1, kLanes = kBytes == 4 ? 1 : 2;
  unsigned v[kCount];
};

/// Samples of images to keys and back.
template <int kBytes, bool kMax>
__device__ inline unsigned key_word(unsigned samples) {
  if constexpr (kBytes == 4)
    return static_cast<unsigned>(to_key<4, kMax>(samples));
  else
    return samples;
}
template <int kBytes, bool kMax>
__device__ inline unsigned sample_word(unsigned keys) {
  if constexpr (kBytes == 4)
    return from_key<4, kMax>(static_cast<int>(keys));
  else
    return keys;
}

template <int kBytes>
__device__ inline Parts<kBytes> parts_of(unsigned keys) {
  if constexpr (kBytes == 1)
    return {{keys << 8, keys}};
  else
    return {{keys}};
}
template <int kBytes>
__device__ inline unsigned joined(const Parts<kBytes>& parts) {
  if constexpr (kBytes == 1)
    return __byte_perm(parts.v[0], parts.v[1], 0x7351);
  else
    return parts.v[0];
}

/// Parts that never win.
template <int kBytes, bool kMax>
__device__ inline Parts<kBytes> losing_parts() {
  if constexpr (kBytes == 4)
    return {{static_cast<unsigned>(losing_key<4, kMax>())}};
  else
    return parts_of<kBytes>(kMax ? 0U : ~0U);
}

template <bool kMax, int kBytes>
__device__ inline Parts<kBytes> best_of(const Parts<kBytes>& a, const Parts<kBytes>& b) {
  Parts<kBytes> best;
#pragma unroll
  for (int p = 0; p < Parts<kBytes>::kCount; ++p)
    if constexpr (kBytes == 4)
      best.v[p] =
          static_cast<unsigned>(best_of<kMax>(static_cast<int>(a.v[p]), static_cast<int>(b.v[p])));
    else
      best.v[p] = kMax ? __vmaxu2(a.v[p], b.v[p]) : __vminu2(a.v[p], b.v[p]);
  return best;
}

/// The word that begins `shift` samples after the row's word k. Words past the row's end are
/// undefined: their samples are not used.
template <int kBytes, int kWords>
__device__ inline Parts<kBytes> shifted(const Parts<kBytes> (&row)[kWords], int k, int shift) {
  using P = Parts<kBytes>;
  Parts<kBytes> result;
#pragma unroll
  for (int p = 0; p < P::kCount; ++p) {
    const int part = (p + shift) % P::kCount, lanes = (p + shift) / P::kCount;
    const int here = k + lanes / P::kLanes;
    const unsigned low = row[here < kWords ? here : kWords - 1].v[part];
    const unsigned high = row[here + 1 < kWords ? here + 1 : kWords - 1].v[part];
    result.v[p] = lanes % P::kLanes ? __byte_perm(low, high, 0x5432) : low;
  }
  return result;
}

}  // namespace tessera
