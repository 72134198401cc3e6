// SPDX-License-Identifier: Apache-2.0
// Binned quantiles of boxes that slide along a row.
//
// Pixels are bin numbers. A lane counts some bins around its quantile; it knows the bin that last
// contained the quantile and how many pixels are below. When boxes move on, pixels below and above
// the bins that the lanes count are handled by ballots, others one by one. A lane whose quantile
// leaves its bins gets new ones, from a histogram of its box that all lanes make together. If that
// happens to many lanes, all move on by half their bins; if that does not help, all boxes are
// counted again.
#pragma once

#include "ops/noise/cuda/noise_strip.cuh"

namespace tessera {

/// The position of a quantile: `before` pixels are below the bin. The bins of the histogram that
/// found it begin with this one.
struct NoiseBinPlace {
  int bin, before, histogram;
};

class NoiseBinSlider {
 public:
  static constexpr int kMany = 4, kRest = 8;  ///< lanes that are lost, and columns since last time

  __device__ NoiseBinSlider(const NoiseBinnedArgs& args, const NoiseStripPlace& place,
                            const unsigned short* codes, const NoiseBins& bins)
      : strip_(args.image, args.rule, args.tiles.box_width, args.tiles.box_height, place, codes),
        marks_(args.marks),
        bins_(bins),
        counted_(noise_counted_bins(bins.count, args.tiles.box_width * args.tiles.box_height)) {
    const int used = noise_slide_shared_bytes(args.rule.orders, args.tiles.box_height);
    unsigned* memory = reinterpret_cast<unsigned*>(noise_slide_memory) + used / 4 +
                       strip_.order * (counted_ * 32 + kNoiseSoloBins);
    histogram_ = memory;
    counts_ = memory + kNoiseSoloBins + strip_.lane;
  }

  template <class Out>
  __device__ void run() {
    begin();
    for (int j = 0; j < strip_.place.width; ++j) {
      strip_.put(j, quantile(j), [&](int x, int row, const double* quantiles) {
        bool exact = false;
        for (int k = 0; k < strip_.rule.orders; ++k)
          exact |= quantiles[k * kNoiseStripStep * kNoiseStripColumn] == to_be_exact();
        marks_[static_cast<long long>(row) * strip_.image.width + x] = exact ? 1 : 0;
        if (!exact) strip_.template store<Out>(x, row, quantiles);
      });
      if (j + 1 < strip_.place.width) slide(j);
    }
  }

 private:
  /// No quantile is infinite: this output has to be computed exactly.
  __device__ static double to_be_exact() {
    NoiseKeys<double>::Bits bits;
    bits.key = 0x7ff0000000000000ULL;
    return bits.value;
  }

  __device__ void begin() {
    first_ = 0;
    bin_ = before_ = rest_ = 0;
    counting_ = false;
    valid_ = 0;
    strip_.each_pixel(0, [&](unsigned code, unsigned mask, int, bool) {
      valid_ += __popc(__ballot_sync(~0U, code != kNoNoiseCode) & mask);
    });
  }

  /// The middle one among some lanes.
  __device__ static int some_lane(unsigned lanes) {
    for (int left = __popc(lanes) / 2; left > 0; --left) lanes &= lanes - 1;
    return __ffs(static_cast<int>(lanes)) - 1;
  }

  __device__ int index() const { return strip_.place_of(valid_).index; }

  /// The first of the bins that have this one in their middle.
  __device__ int about(int bin) const {
    return max(0, min(bin - counted_ / 2, bins_.count - counted_));
  }

  /// All lanes count again, with bins moved by this many.
  __device__ void count_again(int j, int further) {
    first_ = max(0, min(first_ + further, bins_.count - counted_));
    bin_ = before_ = rest_ = 0;
    counting_ = true;
    for (int k = 0; k < counted_; ++k) counts_[32 * k] = 0;
    const unsigned low = lowest();
    strip_.each_hit(
        j, low, span(low),
        [&](unsigned code, unsigned mask) {
          before_ += __popc(__ballot_sync(~0U, code < low) & mask);
        },
        [&](unsigned code, int by) { take(code + low, by); });
  }

  /// All lanes drop half of their bins, and count others at the other end.
  __device__ void move_on(int j, bool up) {
    const int half = counted_ / 2;
    const bool moves = up ? first_ + half <= bins_.count - counted_ : first_ >= half;
    if (moves) {
      while (up && bin_ < half) before_ += count_of(bin_++);
      while (!up && bin_ > half) before_ -= count_of(--bin_);
      bin_ += up ? -half : half;
      first_ += up ? half : -half;
      for (int k = 0; k < half; ++k) {
        counts_[32 * (up ? k : k + half)] = counts_[32 * (up ? k + half : k)];
        counts_[32 * (up ? k + half : k)] = 0;
      }
    }
    const unsigned low = lowest();
    const int fresh = up ? half : 0;
    strip_.each_hit(
        j, low, span(low), [](unsigned, unsigned) {},
        [&](unsigned code, int) {
          const int at = static_cast<int>(code + low) - first_;
          if (moves && at >= fresh && at < fresh + half) ++counts_[32 * at];
        });
  }

  /// The bins that any lane counts.
  __device__ unsigned lowest() const {
    return __reduce_min_sync(~0U, strip_.makes ? static_cast<unsigned>(first_) : ~0U);
  }
  __device__ unsigned span(unsigned low) const {
    return __reduce_max_sync(~0U, strip_.makes ? static_cast<unsigned>(first_) : 0U) +
           static_cast<unsigned>(counted_) - low;
  }

  /// A pixel of the lane's box enters or leaves.
  __device__ void take(unsigned code, int by) {
    const int at = static_cast<int>(code) - first_;
    if (static_cast<unsigned>(at) < static_cast<unsigned>(counted_))
      counts_[32 * at] += static_cast<unsigned>(by);
    before_ += at < bin_ ? by : 0;
  }

  __device__ void slide(int j) {
    const unsigned low = lowest();
    strip_.each_change(
        j, low, span(low),
        [&](unsigned left, unsigned come, unsigned mask) {
          before_ += __popc(__ballot_sync(~0U, come < low) & mask) -
                     __popc(__ballot_sync(~0U, left < low) & mask);
          valid_ += __popc(__ballot_sync(~0U, come != kNoNoiseCode) & mask) -
                    __popc(__ballot_sync(~0U, left != kNoNoiseCode) & mask);
        },
        [&](unsigned code, int by) { take(code + low, by); });
    ++rest_;
  }

  /// Moves the lane's bin to where its quantile is; false if that is not among those counted.
  __device__ bool settled() {
    if (!counting_) return false;
    const int wanted = index();
    while (before_ > wanted && bin_ > 0) before_ -= count_of(--bin_);
    while (bin_ < counted_ && before_ + count_of(bin_) <= wanted) before_ += count_of(bin_++);
    return before_ <= wanted && bin_ < counted_;
  }
  __device__ int count_of(int bin) const { return static_cast<int>(counts_[32 * bin]); }

  __device__ double quantile(int j) {
    const bool wanted =
        strip_.makes && strip_.enough(j, valid_) && (strip_.rule.nomask || !strip_.blank_pixel(j));
    unsigned lost = __ballot_sync(~0U, wanted && !settled());
    if (counting_ && __popc(lost) >= kMany) {
      move_on(j, 2 * __popc(__ballot_sync(~0U, bin_ == counted_) & lost) > __popc(lost));
      lost = __ballot_sync(~0U, wanted && !settled());
    }
    bool again = !counting_ || (__popc(lost) >= kMany && rest_ >= kRest);
    while (lost != 0) {
      const int lane = again ? some_lane(lost) : __ffs(static_cast<int>(lost)) - 1;
      const NoiseBinPlace place = alone(j, lane);
      lost &= ~(1U << lane);
      if (!again) {
        if (lane == strip_.lane) count_as(place);
        continue;
      }
      count_again(j, about(place.bin) - __shfl_sync(~0U, first_, lane));
      again = false;
      lost = __ballot_sync(~0U, wanted && !settled());
    }
    if (!wanted) return noise_nothing();
    const int bin = first_ + bin_;
    if (bin == 0 || bin == bins_.count - 1) return to_be_exact();
    return bins_.quantile(bin, strip_.wanted_order() * (valid_ - 1), before_, count_of(bin_));
  }

  /// This lane counts the bins around its quantile, which is here, from the histogram of its box.
  __device__ void count_as(const NoiseBinPlace& place) {
    const int last = place.histogram + kNoiseSoloBins - counted_;
    first_ = max(place.histogram, min(about(place.bin), last));
    bin_ = place.bin - first_;
    before_ = place.before;
    for (int k = 0; k < counted_; ++k) counts_[32 * k] = histogram_[first_ - place.histogram + k];
  }

  /// The quantile of one lane's box, by a histogram of coarse bins and one of the bins around it.
  __device__ NoiseBinPlace alone(int j, int lane) {
    const int wanted = __shfl_sync(~0U, index(), lane);
    int shift = 0, below = 0, first = 0;
    while ((bins_.count - 1) >> shift >= kNoiseSoloBins) ++shift;
    for (;; shift = 0) {
      count_alone(j, lane, static_cast<unsigned>(first), shift);
      NoiseBinPlace place = find(wanted - below);
      if (shift == 0) return {first + place.bin, below + place.before, first};
      const int begin = max(0, place.bin - (kNoiseSoloBins / 2 >> shift));
      int between = 0;
      for (int k = begin + strip_.lane; k < place.bin; k += 32)
        between += static_cast<int>(histogram_[k]);
      below = place.before - __reduce_add_sync(~0U, between);
      first = begin << shift;
    }
  }

  /// Adds (code - first) >> shift of the lane's box to the histogram, for the bins that it has.
  __device__ void count_alone(int j, int lane, unsigned first, int shift) {
    __syncwarp();
    for (int k = strip_.lane; k < kNoiseSoloBins; k += 32) histogram_[k] = 0;
    __syncwarp();
    strip_.each_pixel(j, [&](unsigned code, unsigned mask, int, bool) {
      const bool in_box = (__shfl_sync(~0U, mask, lane) >> strip_.lane & 1U) != 0;
      const unsigned bin = (code - first) >> shift;
      if (in_box && code != kNoNoiseCode && bin < kNoiseSoloBins) atomicAdd(histogram_ + bin, 1U);
    });
    __syncwarp();
  }

  /// The bin of the histogram that contains the value at `wanted`. All lanes get it.
  __device__ NoiseBinPlace find(int wanted) const {
    constexpr int kEach = kNoiseSoloBins / 32;
    const unsigned* mine = histogram_ + strip_.lane * kEach;
    int in = 0;
    for (int k = 0; k < kEach; ++k) in += static_cast<int>(mine[k]);
    int before = in;
    for (int step = 1; step < 32; step *= 2) {
      const int lower = __shfl_sync(~0U, before, (strip_.lane - step) & 31);
      if (strip_.lane >= step) before += lower;
    }
    before -= in;
    const unsigned owners = __ballot_sync(~0U, before <= wanted && wanted < before + in);
    NoiseBinPlace place{strip_.lane * kEach, before, 0};
    for (int k = 0; k + 1 < kEach; ++k) {
      const int here = static_cast<int>(mine[k]);
      if (wanted < place.before + here) break;
      place.before += here;
      ++place.bin;
    }
    const int owner = __ffs(static_cast<int>(owners)) - 1;
    return {__shfl_sync(~0U, place.bin, owner), __shfl_sync(~0U, place.before, owner), 0};
  }

  NoiseStrip<unsigned short> strip_;
  unsigned char* marks_;
  NoiseBins bins_;
  int counted_;          ///< bins that a lane counts
  unsigned* histogram_;  ///< of the warp
  unsigned* counts_;     ///< of the lane, one every 32
  int first_;            ///< bins that are counted
  int bin_;              ///< the last position of the quantile, from `first_` on
  int before_;           ///< pixels of the box below it
  int valid_;            ///< pixels of the box
  int rest_;             ///< columns since all lanes last counted
  bool counting_;        ///< there was such a count
};

/// Outputs of a strip that has no bins.
__device__ inline void noise_mark_strip(const NoiseBinnedArgs& args, const NoiseStripPlace& place) {
  for (int k = static_cast<int>(threadIdx.x); k < 32 * place.width; k += 32 * args.rule.orders) {
    const int y = place.y + k / place.width;
    if (args.image.made.contains(y))
      args.marks[static_cast<long long>(y - args.image.made.first) * args.image.width + place.x +
                 k % place.width] = 1;
  }
}

template <class Out>
__device__ void noise_binned_strip(const NoiseBinnedArgs& args) {
  const NoiseCodeTiles& t = args.tiles;
  const PieceArgs& a = args.image;
  const int strips = noise_binned_strips(t.box_width), slot = static_cast<int>(blockIdx.x) / strips;
  const int tile = args.first_tile + slot;
  const int x = tile % t.across * kNoiseTile, y = (t.first_row + tile / t.across) * kNoiseTile;
  const NoiseStripPlace place = noise_strip_place(
      static_cast<int>(blockIdx.x) % strips, x, y, kNoiseTile, min(kNoiseTile, a.width - x),
      min(kNoiseTile, a.height - y), t.box_width, t.box_height, t.rows);
  if (place.width <= 0 || place.y >= a.made.end || place.y + 32 <= a.made.first) return;
  const NoiseBins bins = args.bins[slot];
  if (bins.per_unit == 0) return noise_mark_strip(args, place);
  const unsigned char* codes = static_cast<const unsigned char*>(args.slots) + slot * t.slot_bytes;
  NoiseBinSlider(args, place, reinterpret_cast<const unsigned short*>(codes), bins)
      .template run<Out>();
}

}  // namespace tessera
