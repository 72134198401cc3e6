// SPDX-License-Identifier: Apache-2.0
// Mode binned: the range of each tile, and its pixels as bin numbers.
//
// A block finds the range: the quartiles of every fourth pixel of every fourth row, digit by digit
// from the highest, as defined by noise_bins_of_tile. Other blocks transpose 32 by 32 pixels each,
// read by rows and written by columns.
#pragma once

#include "ops/noise/cuda/noise_codes_args.cuh"
#include "ops/noise/cuda/noise_pixels.cuh"

namespace tessera {

/// Counters of digits, data shared by the block, and sampled keys; or pixels to be transposed.
extern __shared__ unsigned long long noise_range_memory[];

/// The block that finds a tile's range.
template <class T>
class NoiseRange {
 public:
  using Key = typename NoiseKeys<T>::Key;
  static constexpr int kDigits = 256;
  static constexpr int kRoom =
      (kNoiseRangeSharedBytes - kDigits * 4 - 64) / static_cast<int>(sizeof(Key));

  __device__ NoiseRange(const NoiseCodesArgs& args, int slot)
      : args_(args),
        shared_(noise_range_memory),
        counts_(reinterpret_cast<unsigned*>(noise_range_memory + 8)),
        keys_(reinterpret_cast<Key*>(noise_range_memory + 8 + kDigits / 2)) {
    const NoiseCodeTiles& t = args.tiles;
    const PieceArgs& a = args.image;
    const int tile = args.first_tile + slot;
    const int x = tile % t.across * kNoiseTile, y = (t.first_row + tile / t.across) * kNoiseTile;
    columns_ = {max(0, x - a.anchor_x),
                min(a.width, x + kNoiseTile + t.box_width - 1 - a.anchor_x)};
    rows_ = {max(0, y - a.anchor_y), min(a.height, y + kNoiseTile + t.box_height - 1 - a.anchor_y)};
  }

  __device__ NoiseBins find() {
    count_ = 0;
#pragma unroll 1
    for (int step = kNoiseRangeStep; step > 0 && count_ < kEnoughForNoiseRange;
         step -= kNoiseRangeStep - 1)
      sample(step);
    const int bins = args_.bin_count;
    NoiseBins none{0, 0, 0, bins};
    if (count_ == 0) return none;
    double low = 0, middle = 0, high = 0;
#pragma unroll 1
    for (int quarter = 1; quarter < 4; ++quarter) {  // one copy of the code that finds them
      const double value = quantile(0.25 * quarter);
      (quarter == 1 ? low : quarter == 2 ? middle : high) = value;
    }
    const double sigma = (high - low) / kQuartilesToSigma, range = kNoiseRangeSigmas * sigma;
    const NoiseBins found{middle - range / 2, range / bins, bins / range, bins};
    return found.low - found.low == 0 && normal(found.width) && normal(found.per_unit) ? found
                                                                                       : none;
  }

 private:
  __device__ static bool normal(double value) {
    return value >= 2.2250738585072014e-308 && value - value == 0;
  }

  /// Every step-th pixel of every step-th row: keys are kept if they fit, and all are counted.
  __device__ void sample(int step) {
    const auto first = [&](int from) { return (from + step - 1) / step * step; };
    step_ = step;
    first_x_ = first(columns_.first);
    first_y_ = first(rows_.first);
    across_ = (columns_.end - first_x_ + step - 1) / step;
    pixels_ = across_ * ((rows_.end - first_y_ + step - 1) / step);
    kept_ = false;
    __syncthreads();
    if (threadIdx.x == 0) shared_[0] = 0;
    __syncthreads();
    unsigned* count = reinterpret_cast<unsigned*>(shared_);
    const bool fits = pixels_ <= kRoom;
    each([&](Key key) {
      const unsigned at = atomicAdd(count, 1U);
      if (fits) keys_[at] = key;
    });
    __syncthreads();
    count_ = static_cast<int>(*count);
    kept_ = fits;
    __syncthreads();
  }

  /// use(key) for this thread's part of the sample.
  template <class Use>
  __device__ void each(const Use& use) const {
    const PieceArgs& a = args_.image;
    if (kept_) {
      for (int k = static_cast<int>(threadIdx.x); k < count_; k += kNoiseRangeThreads)
        use(keys_[k]);
      return;
    }
    for (int k = static_cast<int>(threadIdx.x); k < pixels_; k += kNoiseRangeThreads) {
      const int x = first_x_ + k % across_ * step_, y = first_y_ + k / across_ * step_;
      const T value = static_cast<const T*>(a.in)[(y - a.held.first) * a.in_row + x * a.in_pixel];
      if (!args_.blanks(value)) use(NoiseKeys<T>::of(value));
    }
  }

  __device__ double quantile(double order) {
    const QuantilePlace place = quantile_place(order, count_);
    const Key low = key_at(place.index);
    const double value = NoiseKeys<T>::value(low);
    if (place.fraction == 0) return value;
    return between(value, NoiseKeys<T>::value(key_after(low, place.index)), place.fraction);
  }

  /// The key with `index` others before it.
  __device__ Key key_at(int index) {
    Key found = 0;
#pragma unroll 1
    for (int shift = 8 * static_cast<int>(sizeof(Key)) - 8; shift >= 0; shift -= 8) {
      for (int k = static_cast<int>(threadIdx.x); k < kDigits; k += kNoiseRangeThreads)
        counts_[k] = 0;
      __syncthreads();
      each([&](Key key) {
        const Key digit = (key - found) >> shift;  // too large by the number of keys below `found`
        if (digit < kDigits) atomicAdd(counts_ + digit, 1U);
      });
      __syncthreads();
      if (threadIdx.x < 32) find_digit(index);
      __syncthreads();
      found += static_cast<Key>(shared_[1]) << shift;
      index -= static_cast<int>(shared_[2]);
    }
    return found;
  }

  /// A warp finds the digit of the key at `index`: shared_[1], and in [2] the number below.
  __device__ void find_digit(int index) {
    constexpr int kEach = kDigits / 32;
    const int lane = static_cast<int>(threadIdx.x);
    int in = 0;
    for (int k = 0; k < kEach; ++k) in += static_cast<int>(counts_[lane * kEach + k]);
    int before = in;
    for (int step = 1; step < 32; step *= 2) {
      const int lower = __shfl_sync(~0U, before, (lane - step) & 31);
      if (lane >= step) before += lower;
    }
    before -= in;
    if (index < before || index >= before + in) return;
    int digit = lane * kEach;
    while (before + static_cast<int>(counts_[digit]) <= index)
      before += static_cast<int>(counts_[digit++]);
    shared_[1] = static_cast<unsigned long long>(digit);
    shared_[2] = static_cast<unsigned long long>(before);
  }

  /// The key after the one at `index`.
  __device__ Key key_after(Key key, int index) {
    if (threadIdx.x == 0) {
      shared_[3] = 0;
      shared_[4] = ~0ULL;
    }
    __syncthreads();
    unsigned* not_above = reinterpret_cast<unsigned*>(shared_ + 3);
    each([&](Key one) {
      if (one <= key)
        atomicAdd(not_above, 1U);
      else
        atomicMin(shared_ + 4, static_cast<unsigned long long>(one));
    });
    __syncthreads();
    return static_cast<int>(*not_above) > index + 1 ? key : static_cast<Key>(shared_[4]);
  }

  const NoiseCodesArgs& args_;
  unsigned long long* shared_;
  unsigned* counts_;
  Key* keys_;
  Rows columns_, rows_;
  int step_, first_x_, first_y_, across_, pixels_, count_;
  bool kept_;
};

template <class T>
__device__ void noise_range_tile(const NoiseCodesArgs& args) {
  const int slot = static_cast<int>(blockIdx.x);
  const NoiseBins bins = NoiseRange<T>(args, slot).find();
  if (threadIdx.x == 0) args.bins[slot] = bins;
}

template <class T>
__device__ void noise_codes_tile(const NoiseCodesArgs& args) {
  unsigned short(*turned)[kNoiseCodesSide + 2] =
      reinterpret_cast<unsigned short(*)[kNoiseCodesSide + 2]>(noise_range_memory);
  const NoiseCodeTiles& t = args.tiles;
  const PieceArgs& a = args.image;
  const int slot = static_cast<int>(blockIdx.z), tile = args.first_tile + slot;
  const NoiseBins bins = args.bins[slot];
  if (bins.per_unit == 0) return;
  const int column = static_cast<int>(blockIdx.x) * kNoiseCodesSide,
            row = static_cast<int>(blockIdx.y) * kNoiseCodesSide;
  const int x = tile % t.across * kNoiseTile - a.anchor_x + column,
            y = (t.first_row + tile / t.across) * kNoiseTile - a.anchor_y + row;
  const int lane = static_cast<int>(threadIdx.x), warp = static_cast<int>(threadIdx.y);
#pragma unroll 1
  for (int k = warp; k < kNoiseCodesSide; k += kNoiseCodesSide / 4) {
    const auto pixel = noise_pixel_at<T>(a, x + lane, noise_held_row(a, y + k), args.blanks, 0);
    const int bin = bins.of(static_cast<double>(pixel.value));
    turned[lane][k] = pixel.valid ? static_cast<unsigned short>(bin) : kNoNoiseCode;
  }
  __syncthreads();
  unsigned short* codes = reinterpret_cast<unsigned short*>(
      static_cast<unsigned char*>(args.slots) + slot * t.slot_bytes);
#pragma unroll
  for (int k = warp; k < kNoiseCodesSide; k += kNoiseCodesSide / 4)
    if (column + k < t.columns && row + lane < t.rows)
      codes[static_cast<long long>(column + k) * t.rows + row + lane] = turned[k][lane];
}

}  // namespace tessera
