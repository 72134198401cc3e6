// SPDX-License-Identifier: Apache-2.0
// Binned quantiles of boxes that slide along a row.
//
// Pixels are numbers of bins. A warp counts some bins about its quantile for each of its 32 rows,
// and how many pixels are below them; a lane knows the bin that its quantile was in last, and how
// many are below that. A row whose quantile leaves the counted bins is looked at by all lanes, with
// a histogram of its own; when that is so for many, the warp counts about another bin.
#pragma once

#include "ops/noise/noise_strip.cuh"

namespace tessera {

/// Where a quantile lies: `before` pixels below the bin, `in` of them in it.
struct NoiseBinPlace {
  int bin, before, in;
};

class NoiseBinSlider {
 public:
  static constexpr int kMany = 4, kRest = 8;  ///< rows that leave, and columns since last time

  __device__ NoiseBinSlider(const NoiseBinnedArgs& args, const NoiseStripPlace& place,
                            const unsigned short* codes, const NoiseBins& bins)
      : strip_(args.image, args.rule, args.tiles.box_width, args.tiles.box_height, place, codes),
        marks_(args.marks),
        bins_(bins) {
    const int used = noise_slide_shared_bytes(args.rule.orders, args.tiles.box_height);
    unsigned* memory = reinterpret_cast<unsigned*>(noise_slide_memory) + used / 4;
    counts_ = memory + strip_.order * kNoiseCountedBins * 32 + strip_.lane;
    histogram_ = memory + args.rule.orders * kNoiseCountedBins * 32 + strip_.order * kNoiseSoloBins;
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
  /// No quantile is infinite: this one has to be made exactly.
  __device__ static double to_be_exact() {
    NoiseKeys<double>::Bits bits;
    bits.key = 0x7ff0000000000000ULL;
    return bits.value;
  }

  __device__ void begin() {
    valid_ = 0;
    strip_.each_pixel(0, [&](unsigned code, unsigned mask, int) {
      valid_ += __popc(__ballot_sync(~0U, code != kNoNoiseCode) & mask);
    });
    first_ = 0;
    bin_ = before_ = rest_ = 0;
    counting_ = false;
  }

  /// The middle one of some lanes.
  __device__ static int some_lane(unsigned lanes) {
    for (int left = __popc(lanes) / 2; left > 0; --left) lanes &= lanes - 1;
    return __ffs(static_cast<int>(lanes)) - 1;
  }

  __device__ int index() const { return strip_.place_of(valid_).index; }

  /// Counts bins about this one.
  __device__ void count_about(int j, int bin) {
    first_ = static_cast<unsigned>(
        max(0, min(bin - kNoiseCountedBins / 2, bins_.count - kNoiseCountedBins)));
    bin_ = before_ = rest_ = 0;
    counting_ = true;
    for (int k = 0; k < kNoiseCountedBins; ++k) counts_[32 * k] = 0;
    strip_.each_pixel(j, [&](unsigned code, unsigned mask, int row) {
      before_ += __popc(__ballot_sync(~0U, code < first_) & mask);
      strip_.each_hit(code, first_, kNoiseCountedBins, row,
                      [&](unsigned at, int) { ++counts_[32 * at]; });
    });
  }

  __device__ void slide(int j) {
    strip_.each_change(
        j, first_, kNoiseCountedBins,
        [&](unsigned left, unsigned come, unsigned mask) {
          before_ += __popc(__ballot_sync(~0U, come < first_) & mask) -
                     __popc(__ballot_sync(~0U, left < first_) & mask);
          valid_ += __popc(__ballot_sync(~0U, come != kNoNoiseCode) & mask) -
                    __popc(__ballot_sync(~0U, left != kNoNoiseCode) & mask);
        },
        [&](unsigned at, int by) {
          counts_[32 * at] += static_cast<unsigned>(by);
          before_ += static_cast<int>(at) < bin_ ? by : 0;
        });
    ++rest_;
  }

  /// Moves the lane's bin to where its quantile is; false when that is not among those counted.
  __device__ bool counted(NoiseBinPlace& place) {
    if (!counting_) return false;
    const int wanted = index();
    while (before_ > wanted && bin_ > 0) before_ -= count_of(--bin_);
    while (bin_ < kNoiseCountedBins && before_ + count_of(bin_) <= wanted)
      before_ += count_of(bin_++);
    if (before_ > wanted || bin_ == kNoiseCountedBins) return false;
    place = {static_cast<int>(first_) + bin_, before_, count_of(bin_)};
    return true;
  }
  __device__ int count_of(int bin) const { return static_cast<int>(counts_[32 * bin]); }

  __device__ double quantile(int j) {
    const bool wanted =
        strip_.makes && strip_.enough(j, valid_) && (strip_.rule.nomask || !strip_.blank_pixel(j));
    NoiseBinPlace place{};
    unsigned lost = __ballot_sync(~0U, wanted && !counted(place));
    bool recount = !counting_ || (__popc(lost) >= kMany && rest_ >= kRest);
    while (lost != 0) {
      const int lane = recount ? some_lane(lost) : __ffs(static_cast<int>(lost)) - 1;
      const NoiseBinPlace found = alone(j, lane);
      if (lane == strip_.lane) place = found;
      lost &= ~(1U << lane);
      if (!recount) continue;
      count_about(j, found.bin);
      recount = false;
      lost = __ballot_sync(~0U, wanted && !counted(place));
    }
    if (!wanted) return noise_nothing();
    if (place.bin == 0 || place.bin == bins_.count - 1) return to_be_exact();
    return bins_.quantile(place.bin, strip_.wanted_order() * (valid_ - 1), place.before, place.in);
  }

  /// The quantile of one lane's box, by a histogram of coarse bins and one of those within.
  __device__ NoiseBinPlace alone(int j, int lane) {
    const int wanted = __shfl_sync(~0U, index(), lane);
    int shift = 0;
    while ((bins_.count - 1) >> shift >= kNoiseSoloBins) ++shift;
    NoiseBinPlace place{};
    for (unsigned first = 0;; shift = 0) {
      count_alone(j, lane, first, shift);
      const NoiseBinPlace found = find(wanted - place.before);
      place = {static_cast<int>(first) + (found.bin << shift), place.before + found.before,
               found.in};
      if (shift == 0) return place;
      first = static_cast<unsigned>(place.bin);
    }
  }

  /// (code - first) >> shift of the lane's box to the histogram, as far as it has such bins.
  __device__ void count_alone(int j, int lane, unsigned first, int shift) {
    __syncwarp();
    for (int k = strip_.lane; k < kNoiseSoloBins; k += 32) histogram_[k] = 0;
    __syncwarp();
    strip_.each_pixel(j, [&](unsigned code, unsigned mask, int) {
      const bool in_box = (__shfl_sync(~0U, mask, lane) >> strip_.lane & 1U) != 0;
      const unsigned bin = (code - first) >> shift;
      if (in_box && code != kNoNoiseCode && bin < kNoiseSoloBins) atomicAdd(histogram_ + bin, 1U);
    });
    __syncwarp();
  }

  /// The bin of the histogram where the value at `wanted` is. All lanes have it.
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
    for (int k = 0; k < kEach; ++k) {
      place.in = static_cast<int>(mine[k]);
      if (wanted < place.before + place.in || k + 1 == kEach) break;
      place.before += place.in;
      ++place.bin;
    }
    const int owner = __ffs(static_cast<int>(owners)) - 1;
    return {__shfl_sync(~0U, place.bin, owner), __shfl_sync(~0U, place.before, owner),
            __shfl_sync(~0U, place.in, owner)};
  }

  NoiseStrip<unsigned short> strip_;
  unsigned char* marks_;
  NoiseBins bins_;
  unsigned* counts_;     ///< of the lane, one every 32
  unsigned* histogram_;  ///< of the warp
  unsigned first_;       ///< bin that is counted
  int bin_;              ///< where the quantile was last, from `first_` on
  int before_;           ///< pixels of the box below it
  int valid_;            ///< pixels of the box
  int rest_;             ///< columns since the last count
  bool counting_;        ///< there was one
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
  const int strips = noise_binned_strips(), slot = static_cast<int>(blockIdx.x) / strips;
  const int tile = args.first_tile + slot;
  const int x = tile % t.across * kNoiseTile, y = (t.first_row + tile / t.across) * kNoiseTile;
  const NoiseStripPlace place = noise_strip_place(
      static_cast<int>(blockIdx.x) % strips, x, y, kNoiseTile, min(kNoiseTile, a.width - x),
      min(kNoiseTile, a.height - y), t.box_height, t.rows);
  if (place.width <= 0 || place.y >= a.made.end || place.y + 32 <= a.made.first) return;
  const NoiseBins bins = args.bins[slot];
  if (bins.per_unit == 0) return noise_mark_strip(args, place);
  const unsigned char* codes = static_cast<const unsigned char*>(args.slots) + slot * t.slot_bytes;
  NoiseBinSlider(args, place, reinterpret_cast<const unsigned short*>(codes), bins)
      .template run<Out>();
}

}  // namespace tessera
