// SPDX-License-Identifier: Apache-2.0
// Arguments of the kernel that makes every box separately.
//
//     noise_boxes_TYPE_warp   grid {points in a row, rows}, block {32}
//     noise_boxes_TYPE_block  the same, block {kNoiseBoxThreads}; both with shared memory of
//                             noise_boxes_shared_bytes
#pragma once

#include "core/piece_args.cuh"
#include "ops/noise/cuda/noise_slide_args.cuh"
#include "ops/noise/noise_values.cuh"

namespace tessera {

/// From a box's values to its results.
enum class NoiseBoxWay : unsigned char { quantiles, mad, clip, mode };

/// The anchor is the box's reach to the left and above. With `columns` and `rows` the output's
/// pixels are points of a lattice, otherwise those of the image.
struct NoiseBoxesArgs : PieceArgs {
  int box_width, box_height;
  NoiseBoxWay way;
  NoiseSlideRule rule;  ///< without orders for clip and mode
  NoiseBlanks blanks;
  unsigned long long outside;  ///< the key of pixels that the border rule does not define
  const int *columns, *rows;   ///< null: the output's own
  bool keeps;                  ///< the box's keys fit in shared memory
  Type out_type;
};

/// The key of a pixel that does not count: that of a NaN, or larger than those of integers.
template <class T>
inline constexpr
    typename NoiseKeys<T>::Key kBlankKey = static_cast<typename NoiseKeys<T>::Key>(~0ULL);

/// Keys are sorted by digits of 8 bits; there is a gap after every 32 counters, so that lanes which
/// read eight counters each have no bank conflict.
inline constexpr int kNoiseDigits = 256;
TESSERA_BOTH constexpr int noise_counter(int digit) { return digit + (digit >> 5); }
inline constexpr int kNoiseCounters = kNoiseDigits + kNoiseDigits / 32;

/// A key that is searched for: it is at least `low`, and `index` keys from there on come before it.
struct NoisePick {
  unsigned long long low;
  int index;
};
/// A quantile lies between two sorted values.
inline constexpr int kMostNoisePicks = 2 * kMostNoiseOrders;
TESSERA_BOTH constexpr int noise_picks(const NoiseSlideRule& rule) {
  return rule.by_rank ? rule.orders : rule.orders > 0 ? 2 * rule.orders : 2;
}

/// Shared memory: the exchange between the warps of a block, and the picks; their counters; the
/// positions of the box's columns and rows; its keys, if they are kept.
inline constexpr int kNoiseBoxThreads = 256, kNoiseWarp = 32;
struct NoiseTeamMemory {
  unsigned long long told[kNoiseBoxThreads / kNoiseWarp];
  NoisePick pick[kMostNoisePicks];
};
TESSERA_BOTH constexpr int noise_boxes_keys_at(const NoiseBoxesArgs& a) {
  const int words = noise_picks(a.rule) * kNoiseCounters + a.box_width + a.box_height;
  return static_cast<int>(sizeof(NoiseTeamMemory)) + (words + 1) / 2 * 8;
}
TESSERA_BOTH constexpr int noise_boxes_shared_bytes(const NoiseBoxesArgs& a, int key_bytes) {
  return noise_boxes_keys_at(a) + (a.keeps ? a.box_width * a.box_height * key_bytes : 0);
}

}  // namespace tessera
