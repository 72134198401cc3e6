// SPDX-License-Identifier: Apache-2.0
// Exact quantiles of boxes that slide along a row.
//
// Pixels are ranks in their tile. A lane keeps a pivot, and the number of pixels of its box with
// lower ranks. When the box moves on, pixels below the lowest pivot of all lanes and those from the
// highest on are counted by ballots; the few between are handled one by one. Then the pivot walks
// along the tile's sorted list, whose positions show which pixels are in the box, until the wanted
// one is found. Nothing has to be rebuilt, wherever the quantile goes.
#pragma once

#include "ops/noise/cuda/noise_binned.cuh"
#include "ops/noise/cuda/noise_ranks.cuh"
#include "ops/noise/cuda/noise_strip.cuh"

namespace tessera {

template <class T, class Out, class Rank>
class NoiseRankSlider {
 public:
  using Key = typename NoiseKeys<T>::Key;
  static constexpr int kFew = 512;  ///< this many steps are faster than another count

  __device__ NoiseRankSlider(const NoiseSlideArgs& args, const NoiseStripPlace& place,
                             const unsigned char* slot, bool blanks)
      : strip_(args.image, args.rule, args.tiles.box_width, args.tiles.box_height, place,
               reinterpret_cast<const Rank*>(slot + args.tiles.ranks_at)),
        marks_(args.marks),
        blanks_(blanks) {
    const NoiseSlot& header = *reinterpret_cast<const NoiseSlot*>(slot);
    const unsigned char* list = slot + args.tiles.lists_at[header.list];
    keys_ = reinterpret_cast<const Key*>(list);
    places_ = reinterpret_cast<const unsigned*>(list + args.tiles.places_at);
    listed_ = header.valid;
    end_ = (listed_ + 3) / 4 * 4;
    const int column = place.column, row = place.row + strip_.lane;
    first_ = static_cast<unsigned>(row << 16 | column);
    last_ =
        noise_place(column + strip_.box_width - 1, row + strip_.box_height - 1) + kNoisePlaceGuards;
  }

  __device__ void run() {
    begin();
    for (int j = 0; j < strip_.place.width; ++j) {
      strip_.put(j, quantile(j), [&](int x, int row, const double* quantiles) {
        if (marks_ == nullptr || marks_[static_cast<long long>(row) * strip_.image.width + x] != 0)
          strip_.template store<Out>(x, row, quantiles);
      });
      if (j + 1 < strip_.place.width) slide(j);
    }
  }

 private:
  using Strip = NoiseStrip<Rank>;

  /// A pivot near the wanted rank: first at the same fraction of the tile's list, then where the
  /// boxes of most lanes indicate, because some parts of a tile may be far brighter than others.
  __device__ void begin() {
    valid_ = strip_.box_width * strip_.box_height;
    const double share = strip_.wanted_order() / (strip_.rule.by_rank ? 100 : 1);
    pivot_ = fours(share * listed_);
    for (int count = 0;; ++count) {
      count_boxes();
      const int wanted = strip_.makes && valid_ > 0 ? strip_.place_of(valid_).index - before_ : 0;
      const double apart = static_cast<double>(static_cast<int>(__reduce_add_sync(~0U, wanted))) /
                           32 * listed_ / (strip_.box_width * strip_.box_height);
      if (count == 3 || (apart < kFew && apart > -kFew)) return;
      pivot_ = fours(pivot_ + apart);
    }
  }
  __device__ unsigned fours(double rank) const {
    const double within = rank < 0 ? 0 : rank > listed_ ? listed_ : rank;
    return static_cast<unsigned>(within) / 4 * 4;
  }

  __device__ void count_boxes() {
    before_ = 0;
    if (blanks_) valid_ = 0;
    strip_.each_pixel(0, [&](unsigned rank, unsigned mask, int, bool) {
      before_ += __popc(__ballot_sync(~0U, rank < pivot_) & mask);
      if (blanks_) valid_ += __popc(__ballot_sync(~0U, rank != Strip::kNone) & mask);
    });
  }

  __device__ void slide(int j) {
    const unsigned low = __reduce_min_sync(~0U, strip_.makes ? pivot_ : ~0U);
    const unsigned high = __reduce_max_sync(~0U, strip_.makes ? pivot_ : 0U);
    strip_.each_change(
        j, low, high - low,
        [&](unsigned left, unsigned come, unsigned mask) {
          before_ += __popc(__ballot_sync(~0U, come < low) & mask) -
                     __popc(__ballot_sync(~0U, left < low) & mask);
          if (blanks_)
            valid_ += __popc(__ballot_sync(~0U, come != Strip::kNone) & mask) -
                      __popc(__ballot_sync(~0U, left != Strip::kNone) & mask);
        },
        [&](unsigned rank, int by) { before_ += rank < pivot_ - low ? by : 0; });
    ++first_;
    ++last_;
  }

  /// Which of the four from `rank` on are in the lane's box.
  __device__ unsigned in_box(unsigned rank) const {
    const NoiseFour places = *reinterpret_cast<const NoiseFour*>(places_ + rank);
    unsigned bits = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k)
      if (((places.at[k] - first_) & (last_ - places.at[k]) & kNoisePlaceGuards) ==
          kNoisePlaceGuards)
        bits |= 1U << k;
    return bits;
  }

  __device__ double quantile(int j) {
    if (!strip_.makes) return noise_nothing();
    if (blanks_ && (!strip_.enough(j, valid_) || (!strip_.rule.nomask && strip_.blank_pixel(j))))
      return noise_nothing();
    const QuantilePlace wanted = strip_.place_of(valid_);
    unsigned here = walk_to(wanted.index);
    for (int skip = wanted.index - before_; skip > 0; --skip) here &= here - 1;
    const double low = value(pivot_, here);
    if (wanted.fraction == 0) return low;
    unsigned rank = pivot_;
    for (here &= here - 1; here == 0 && rank + 4 < end_; here = in_box(rank)) rank += 4;
    return between(low, value(rank, here), wanted.fraction);
  }

  /// Moves the pivot so that the pixel with `index` others of the box before it is one of the next
  /// four; returns which of these are in the box.
  __device__ unsigned walk_to(int index) {
    while (before_ > index && pivot_ > 0) {
      pivot_ -= 4;
      before_ -= __popc(in_box(pivot_));
    }
    unsigned here = in_box(pivot_);
    for (int in = __popc(here); before_ + in <= index && pivot_ + 4 < end_; in = __popc(here)) {
      before_ += in;
      pivot_ += 4;
      here = in_box(pivot_);
    }
    return here;
  }

  /// The value at the first of the bits from `rank` on.
  __device__ double value(unsigned rank, unsigned bits) const {
    return NoiseKeys<T>::value(
        keys_[rank + static_cast<unsigned>(__ffs(static_cast<int>(bits))) - 1]);
  }

  Strip strip_;
  const unsigned char* marks_;
  bool blanks_;  ///< some pixels of the tile's region are not valid
  const Key* keys_;
  const unsigned* places_;
  int listed_;             ///< valid pixels of the tile's region
  unsigned end_;           ///< of the list, in groups of four
  unsigned first_, last_;  ///< ends of the lane's box, to be compared with positions
  unsigned pivot_;         ///< a multiple of four
  int before_;             ///< pixels of the box with ranks below the pivot
  int valid_;              ///< pixels of the box
};

template <class T, class Out, class Rank>
__device__ void noise_slide_strip(const NoiseSlideArgs& args) {
  const NoiseTiles& t = args.tiles;
  const int strips = noise_strips(t), slot = static_cast<int>(blockIdx.x) / strips;
  const unsigned char* memory = static_cast<const unsigned char*>(args.slots) + slot * t.slot_bytes;
  const int valid = reinterpret_cast<const NoiseSlot*>(memory)->valid;
  if (valid < 0) return;
  const NoiseTilePlace tile(args.image, t, args.first_tile + slot);
  const NoiseStripPlace place =
      noise_strip_place(static_cast<int>(blockIdx.x) % strips, tile.x, tile.y, t.width, tile.width,
                        tile.height, t.box_width, t.box_height, t.rows);
  if (place.width <= 0 || place.y >= args.image.made.end) return;
  NoiseRankSlider<T, Out, Rank>(args, place, memory, valid < tile.columns * tile.rows).run();
}

}  // namespace tessera
