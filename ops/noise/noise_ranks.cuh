// SPDX-License-Identifier: Apache-2.0
// Tiles sorted: the rank of each pixel among all that the tile's boxes reach.
//
// A block sorts a tile: pairs of key and place, by digits of 8 bits, the lowest first, between two
// lists in memory. For a digit each warp counts those in its share of the list, the block adds the
// counts up, and each warp moves its share, 32 pairs at a time: equal digits of these find each
// other by match_any and stay in order. A digit that all keys agree in is left out.
#pragma once

#include "ops/noise/noise_pixels.cuh"
#include "ops/noise/noise_ranks_args.cuh"

namespace tessera {

/// Counters [warp][digit], a total for each digit, and a word of the block's.
extern __shared__ unsigned noise_ranks_memory[];

template <class Key>
struct alignas(2 * sizeof(Key)) NoisePair {
  Key key;
  unsigned place;
};

/// A tile of a launch: where its outputs begin, how many there are, and the pixels they reach.
struct NoiseTilePlace {
  int x, y, width, height, columns, rows;

  __device__ NoiseTilePlace(const PieceArgs& a, const NoiseTiles& t, int tile)
      : x(tile % t.across * t.width),
        y(a.made.first + tile / t.across * t.height),
        width(min(t.width, a.width - x)),
        height(min(t.height, a.made.end - y)),
        columns(width + t.box_width - 1),
        rows(height + t.box_height - 1) {}
};

__device__ inline void noise_store_rank(const NoiseTiles& t, unsigned char* slot, int at,
                                        unsigned rank) {
  if (t.rank_bytes == 2)
    reinterpret_cast<unsigned short*>(slot + t.ranks_at)[at] = static_cast<unsigned short>(rank);
  else
    reinterpret_cast<unsigned*>(slot + t.ranks_at)[at] = rank;
}

/// The block that sorts a tile.
template <class T>
class NoiseSort {
 public:
  using Key = typename NoiseKeys<T>::Key;
  using Pair = NoisePair<Key>;
  static constexpr int kAhead = 4;  ///< loads of a lane on their way at once

  __device__ NoiseSort(const NoiseRanksArgs& args, int slot)
      : args_(args),
        place_(args.image, args.tiles, args.first_tile + slot),
        slot_(static_cast<unsigned char*>(args.slots) + slot * args.tiles.slot_bytes),
        lane_(static_cast<int>(threadIdx.x) % 32),
        warp_(static_cast<int>(threadIdx.x) / 32),
        warps_(static_cast<int>(blockDim.x) / 32),
        counts_(noise_ranks_memory + warp_ * kNoiseSortDigits),
        totals_(noise_ranks_memory + warps_ * kNoiseSortDigits),
        word_(totals_ + kNoiseSortDigits) {}

  __device__ void run() {
    NoiseSlot* header = reinterpret_cast<NoiseSlot*>(slot_);
    if (!wanted()) {
      if (threadIdx.x == 0) *header = {-1, 0};
      return;
    }
    const int count = gather();
    const int from = sort(count);
    if (threadIdx.x == 0) *header = {count, 1 - from};
    finish(count, list(from), slot_ + args_.tiles.lists_at[1 - from]);
  }

 private:
  __device__ Pair* list(int which) const {
    return reinterpret_cast<Pair*>(slot_ + args_.tiles.lists_at[which]);
  }

  __device__ bool wanted() const {
    if (args_.marks == nullptr) return true;
    bool mine = false;
    for (int row = warp_; row < place_.height; row += warps_) {
      const unsigned char* marks =
          args_.marks +
          static_cast<long long>(place_.y - args_.image.made.first + row) * args_.image.width +
          place_.x;
      for (int column = lane_; column < place_.width; column += 32) mine |= marks[column] != 0;
    }
    return __syncthreads_or(mine) != 0;
  }

  /// Valid pixels to list 0, in any order: pixels that are equal may change places.
  __device__ int gather() {
    const PieceArgs& a = args_.image;
    if (threadIdx.x == 0) *word_ = 0;
    __syncthreads();
    for (int row = warp_; row < place_.rows; row += warps_) {
      const int held = noise_held_row(a, place_.y - a.anchor_y + row);
      for (int first = 0; first < place_.columns; first += 32) {
        const int column = first + lane_, x = place_.x - a.anchor_x + column;
        const bool here = column < place_.columns;
        const T value = here ? noise_value_at<T>(a, x, held, static_cast<T>(args_.constant)) : T(0);
        const bool valid = here && noise_is_there(a, x, held) && !args_.blanks(value);
        keep(valid, NoiseKeys<T>::of(value), column, row);
        if (here && !valid) noise_store_rank(args_.tiles, slot_, rank_at(column, row), ~0U);
      }
    }
    __syncthreads();
    return static_cast<int>(*word_);
  }

  /// Lanes with a valid pixel put it at the end of the list.
  __device__ void keep(bool valid, Key key, int column, int row) {
    const unsigned all = __ballot_sync(~0U, valid);
    unsigned end = 0;
    if (lane_ == 0) end = atomicAdd(word_, static_cast<unsigned>(__popc(all)));
    end = __shfl_sync(~0U, end, 0);
    if (valid) list(0)[end + before_me(all)] = {key, noise_place(column, row)};
  }
  __device__ unsigned before_me(unsigned lanes) const {
    return static_cast<unsigned>(__popc(lanes & ((1U << lane_) - 1)));
  }
  __device__ int rank_at(int column, int row) const { return column * args_.tiles.rows + row; }

  /// Which list is sorted at last.
  __device__ int sort(int count) {
    int from = 0;
    for (int shift = 0; shift < 8 * static_cast<int>(sizeof(T)); shift += 8) {
      count_digits(list(from), count, shift);
      if (!add_up(count)) continue;
      move(list(from), list(1 - from), count, shift);
      from = 1 - from;
      __syncthreads();
    }
    return from;
  }

  __device__ static int digit_of(Key key, int shift) {
    return static_cast<int>(key >> shift) & (kNoiseSortDigits - 1);
  }

  /// This warp's share of a list.
  __device__ Rows share(int count) const {
    const int each = (count + 32 * warps_ - 1) / (32 * warps_) * 32;
    return {min(count, warp_ * each), min(count, (warp_ + 1) * each)};
  }

  __device__ void count_digits(const Pair* from, int count, int shift) {
    for (int digit = lane_; digit < kNoiseSortDigits; digit += 32) counts_[digit] = 0;
    __syncwarp();
    const Rows mine = share(count);
    for (int first = mine.first + lane_; first < mine.end; first += 32 * kAhead) {
      Key keys[kAhead];
#pragma unroll
      for (int k = 0; k < kAhead; ++k)
        keys[k] = first + 32 * k < mine.end ? from[first + 32 * k].key : Key(0);
#pragma unroll
      for (int k = 0; k < kAhead; ++k)
        if (first + 32 * k < mine.end) atomicAdd(counts_ + digit_of(keys[k], shift), 1U);
    }
    __syncthreads();
  }

  /// Counts become where each warp puts its first pair of a digit. False when there is one digit.
  __device__ bool add_up(int count) {
    bool single = false;
    for (int digit = static_cast<int>(threadIdx.x); digit < kNoiseSortDigits;
         digit += static_cast<int>(blockDim.x)) {
      unsigned sum = 0;
      for (int warp = 0; warp < warps_; ++warp) {
        unsigned& here = noise_ranks_memory[warp * kNoiseSortDigits + digit];
        const unsigned in = here;
        here = sum;
        sum += in;
      }
      totals_[digit] = sum;
      single |= sum == static_cast<unsigned>(count);
    }
    if (__syncthreads_or(single) != 0) return false;
    if (warp_ == 0) add_up_totals();
    __syncthreads();
    for (int digit = lane_; digit < kNoiseSortDigits; digit += 32) counts_[digit] += totals_[digit];
    __syncwarp();
    return true;
  }

  __device__ void add_up_totals() {
    constexpr int kEach = kNoiseSortDigits / 32;
    unsigned* mine = totals_ + lane_ * kEach;
    unsigned sum = 0;
    for (int k = 0; k < kEach; ++k) sum += mine[k];
    unsigned before = sum;
    for (int step = 1; step < 32; step *= 2) {
      const unsigned lower = __shfl_sync(~0U, before, (lane_ - step) & 31);
      if (lane_ >= step) before += lower;
    }
    before -= sum;
    for (int k = 0; k < kEach; ++k) {
      const unsigned in = mine[k];
      mine[k] = before;
      before += in;
    }
  }

  __device__ void move(const Pair* from, Pair* to, int count, int shift) {
    const Rows mine = share(count);
    for (int first = mine.first; first < mine.end; first += 32 * kAhead) {
      Pair pairs[kAhead];
#pragma unroll
      for (int k = 0; k < kAhead; ++k) {
        const int at = first + 32 * k + lane_;
        pairs[k] = from[at < mine.end ? at : mine.end - 1];
      }
#pragma unroll
      for (int k = 0; k < kAhead; ++k) {
        if (first + 32 * k >= mine.end) break;
        const bool here = first + 32 * k + lane_ < mine.end;
        // Lanes past the end have a digit of their own, which is no digit.
        const int digit = here ? digit_of(pairs[k].key, shift) : kNoiseSortDigits;
        const unsigned equal = __match_any_sync(~0U, digit), before = before_me(equal);
        unsigned at = 0;
        if (here) at = counts_[digit] + before;
        __syncwarp();
        if (here && before == 0) counts_[digit] += static_cast<unsigned>(__popc(equal));
        __syncwarp();
        if (here) to[at] = pairs[k];
      }
    }
  }

  /// Keys and places apart, and ranks.
  __device__ void finish(int count, const Pair* sorted, unsigned char* to) {
    Key* keys = reinterpret_cast<Key*>(to);
    unsigned* places = reinterpret_cast<unsigned*>(to + args_.tiles.places_at);
    const int threads = static_cast<int>(blockDim.x);
    const int end = (count + kNoiseListStep - 1) / kNoiseListStep * kNoiseListStep;
    for (int rank = static_cast<int>(threadIdx.x); rank < end; rank += threads) {
      const Pair pair = rank < count ? sorted[rank] : Pair{Key(0), kNoNoisePlace};
      keys[rank] = pair.key;
      places[rank] = pair.place;
      if (rank < count)
        noise_store_rank(args_.tiles, slot_,
                         rank_at(static_cast<int>(pair.place & 0x7fffU),
                                 static_cast<int>(pair.place >> 16 & 0x7fffU)),
                         static_cast<unsigned>(rank));
    }
  }

  const NoiseRanksArgs& args_;
  NoiseTilePlace place_;
  unsigned char* slot_;
  int lane_, warp_, warps_;
  unsigned *counts_, *totals_, *word_;
};

template <class T>
__device__ void noise_rank_tile(const NoiseRanksArgs& args) {
  NoiseSort<T>(args, static_cast<int>(blockIdx.x)).run();
}

}  // namespace tessera
