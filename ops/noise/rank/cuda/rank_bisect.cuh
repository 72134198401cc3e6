// SPDX-License-Identifier: Apache-2.0
// Footprints of any shape and size: the largest key that no more than `place` others are less
// than, bit by bit. Every bit reads all values.
#pragma once

#include "ops/noise/rank/cuda/rank_values.cuh"

namespace tessera {

/// use(key) for the footprint's pixels around one output that count.
template <class T, class Use>
__device__ void each_rank_key(const RankThread<T>& thread, const RankArgs& args, int y,
                              const Use& use) {
  const PieceArgs& a = thread.a;
  for (int k = 0; k < args.count; ++k) {
    const RankPixel at = args.pixels[k];
    const int from = border_index(args.plane + at.plane, args.planes, a.border);
    const int row = from == kNoPixel ? kNoPixel : noise_held_row(a, y - a.anchor_y + at.y);
    const auto key = thread.key_at(thread.column_of(at.x), row, (from - args.plane) * a.in_plane);
    if (key != RankThread<T>::kNothing) use(key);
  }
}

template <class T, RankKnobs K>
__device__ void rank_bisect_column(const RankArgs& args) {
  using Key = typename RankThread<T>::Key;
  constexpr int kBits = 8 * sizeof(T);
  const RankThread<T> thread(args, K.threads, K.rows);
  if (!thread.has_work()) return;
  for (int y = thread.row; y < thread.row + K.rows && y < args.made.end; ++y) {
    int valid = 0;
    each_rank_key(thread, args, y, [&](Key) { ++valid; });
    const int place = valid > 0 ? thread.place(valid) : 0;
    Key key = 0;
    for (int bit = kBits - 1; bit >= 0; --bit) {
      const Key limit = key | static_cast<Key>(Key(1) << bit);
      int less = 0;
      each_rank_key(thread, args, y, [&](Key other) { less += other < limit; });
      if (less <= place) key = limit;
    }
    thread.store(y, key, valid);
  }
}

}  // namespace tessera
