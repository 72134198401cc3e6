// SPDX-License-Identifier: Apache-2.0
// Sorts tiles: the rank of each pixel among all that the tile's boxes reach.
//
// A block sorts a tile: pairs of key and position, by digits of 8 bits, the lowest first, between
// two lists in memory. All digits of all keys are counted once. Then for each digit the block takes
// some thousand pairs at a time, sorts them in shared memory and writes them out, equal digits side
// by side: the 32 pairs of a warp find equal digits by match_any and stay in order. A digit in
// which all keys agree is skipped.
#pragma once

#include "ops/noise/cuda/noise_pixels.cuh"
#include "ops/noise/cuda/noise_ranks_args.cuh"

namespace tessera {

/// Sorted pairs, counters [warp][digit], destinations [place of the digit][digit], the beginning of
/// each digit in the current pairs, the offset to their destination, a flag for each digit, a word.
extern __shared__ unsigned long long noise_ranks_memory[];

/// The position is as wide as the key, so that a pair has no uninitialised bytes.
template <class Key>
struct alignas(2 * sizeof(Key)) NoisePair {
  Key key, place;
};

/// A tile of a launch: the beginning and size of its outputs, and the pixels they reach.
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
  static constexpr int kEach = kNoisePairBytes / static_cast<int>(sizeof(Pair));
  static constexpr int kPasses = static_cast<int>(sizeof(T));

  __device__ NoiseSort(const NoiseRanksArgs& args, int slot)
      : args_(args),
        place_(args.image, args.tiles, args.first_tile + slot),
        slot_(static_cast<unsigned char*>(args.slots) + slot * args.tiles.slot_bytes),
        lane_(static_cast<int>(threadIdx.x) % 32),
        warp_(static_cast<int>(threadIdx.x) / 32),
        warps_(static_cast<int>(blockDim.x) / 32),
        pairs_(reinterpret_cast<Pair*>(noise_ranks_memory)),
        counts_(reinterpret_cast<unsigned*>(pairs_ + kEach * 32 * warps_)),
        goes_(counts_ + warps_ * kNoiseSortDigits),
        begins_(goes_ + kPasses * kNoiseSortDigits),
        apart_(begins_ + kNoiseSortDigits),
        single_(apart_ + kNoiseSortDigits),
        word_(single_ + kPasses) {}

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

  /// Writes valid pixels to list 0, in any order, because equal pixels are interchangeable. Counts
  /// digits.
  __device__ int gather() {
    const PieceArgs& a = args_.image;
    for (int k = static_cast<int>(threadIdx.x); k < kPasses * kNoiseSortDigits;
         k += static_cast<int>(blockDim.x))
      goes_[k] = 0;
    if (threadIdx.x == 0) *word_ = 0;
    __syncthreads();
    for (int row = warp_; row < place_.rows; row += warps_) {
      const int held = noise_held_row(a, place_.y - a.anchor_y + row);
      for (int first = 0; first < place_.columns; first += 32) {
        const int column = first + lane_, x = place_.x - a.anchor_x + column;
        const bool here = column < place_.columns;
        const auto pixel = noise_pixel_at<T>(a, x, held, args_.blanks, args_.constant);
        const bool valid = here && pixel.valid;
        keep(valid, NoiseKeys<T>::of(pixel.value), column, row);
        if (here && !valid) noise_store_rank(args_.tiles, slot_, rank_at(column, row), ~0U);
      }
    }
    __syncthreads();
    return static_cast<int>(*word_);
  }

  /// Lanes with a valid pixel append it to the list.
  __device__ void keep(bool valid, Key key, int column, int row) {
    const unsigned all = __ballot_sync(~0U, valid);
    unsigned end = 0;
    if (lane_ == 0) end = atomicAdd(word_, static_cast<unsigned>(__popc(all)));
    end = __shfl_sync(~0U, end, 0);
    if (!valid) return;
    list(0)[end + before_me(all)] = {key, noise_place(column, row)};
    for (int pass = 0; pass < kPasses; ++pass)
      atomicAdd(goes_ + pass * kNoiseSortDigits + digit_of(key, 8 * pass), 1U);
  }
  __device__ unsigned before_me(unsigned lanes) const {
    return static_cast<unsigned>(__popc(lanes & ((1U << lane_) - 1)));
  }
  __device__ int rank_at(int column, int row) const { return column * args_.tiles.rows + row; }

  /// Which list is sorted at the end.
  __device__ int sort(int count) {
    for (int pass = warp_; pass < kPasses; pass += warps_) {
      bool single = false;
      unsigned* goes = goes_ + pass * kNoiseSortDigits;
      for (int digit = lane_; digit < kNoiseSortDigits; digit += 32)
        single |= goes[digit] == static_cast<unsigned>(count);
      const unsigned any = __ballot_sync(~0U, single);
      add_up(goes, goes);
      if (lane_ == 0) single_[pass] = any;
    }
    __syncthreads();
    int from = 0;
    for (int pass = 0; pass < kPasses; ++pass) {
      if (single_[pass] != 0) continue;
      for (int first = 0; first < count; first += kEach * 32 * warps_)
        move(list(from), list(1 - from), first, count, pass);
      from = 1 - from;
      __syncthreads();
    }
    return from;
  }

  __device__ static int digit_of(Key key, int shift) {
    return static_cast<int>(key >> shift) & (kNoiseSortDigits - 1);
  }

  /// A warp turns counts of digits into the number of pairs before each digit; `sums` may be
  /// `counts`.
  __device__ void add_up(const unsigned* counts, unsigned* sums) const {
    constexpr int kDigits = kNoiseSortDigits / 32;
    unsigned in[kDigits], sum = 0;
#pragma unroll
    for (int k = 0; k < kDigits; ++k) {
      in[k] = counts[lane_ * kDigits + k];
      sum += in[k];
    }
    unsigned before = sum;
    for (int step = 1; step < 32; step *= 2) {
      const unsigned lower = __shfl_sync(~0U, before, (lane_ - step) & 31);
      if (lane_ >= step) before += lower;
    }
    before -= sum;
#pragma unroll
    for (int k = 0; k < kDigits; ++k) {
      sums[lane_ * kDigits + k] = before;
      before += in[k];
    }
    __syncwarp();
  }

  /// Moves as many pairs as the block has room for, from `first` on, to the positions of their
  /// digits.
  __device__ void move(const Pair* from, Pair* to, int first, int count, int pass) {
    const int mine = first + warp_ * 32 * kEach + lane_;
    Pair pairs[kEach];
#pragma unroll
    for (int k = 0; k < kEach; ++k)
      if (mine + 32 * k < count) pairs[k] = from[mine + 32 * k];
    unsigned* counts = counts_ + warp_ * kNoiseSortDigits;
    for (int digit = lane_; digit < kNoiseSortDigits; digit += 32) counts[digit] = 0;
    __syncwarp();
    unsigned before[kEach];
#pragma unroll
    for (int k = 0; k < kEach; ++k)
      before[k] = count_up(counts, mine + 32 * k < count, digit_of(pairs[k].key, 8 * pass));
    __syncthreads();
    add_up_warps(pass);
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
      const int digit = digit_of(pairs[k].key, 8 * pass);
      if (mine + 32 * k < count) pairs_[begins_[digit] + counts[digit] + before[k]] = pairs[k];
    }
    __syncthreads();
    const int here = min(count - first, kEach * 32 * warps_);
    for (int k = static_cast<int>(threadIdx.x); k < here; k += 32 * warps_) {
      const Pair pair = pairs_[k];
      to[apart_[digit_of(pair.key, 8 * pass)] + static_cast<unsigned>(k)] = pair;
    }
  }

  /// How many of the warp's earlier pairs had this lane's digit.
  __device__ unsigned count_up(unsigned* counts, bool here, int digit) const {
    // Lanes without a pair get a value that is not a digit.
    const unsigned equal = __match_any_sync(~0U, here ? digit : kNoiseSortDigits);
    const unsigned lower = before_me(equal);
    unsigned before = 0;
    if (here) before = counts[digit] + lower;
    __syncwarp();
    if (here && lower == 0) counts[digit] += static_cast<unsigned>(__popc(equal));
    __syncwarp();
    return before;
  }

  /// Turns the counts of warps into the number of pairs of a digit in earlier warps, and those of
  /// digits into their beginnings, in shared memory and in the list.
  __device__ void add_up_warps(int pass) {
    for (int digit = static_cast<int>(threadIdx.x); digit < kNoiseSortDigits;
         digit += 32 * warps_) {
      unsigned sum = 0;
      for (int warp = 0; warp < warps_; ++warp) {
        unsigned& here = counts_[warp * kNoiseSortDigits + digit];
        const unsigned in = here;
        here = sum;
        sum += in;
      }
      apart_[digit] = sum;
    }
    __syncthreads();
    if (warp_ == 0) {
      add_up(apart_, begins_);
      for (int digit = lane_; digit < kNoiseSortDigits; digit += 32) {
        unsigned& goes = goes_[pass * kNoiseSortDigits + digit];
        const unsigned in = apart_[digit];
        apart_[digit] = goes - begins_[digit];
        goes += in;
      }
    }
    __syncthreads();
  }

  /// Separates keys and positions, and writes ranks.
  __device__ void finish(int count, const Pair* sorted, unsigned char* to) {
    Key* keys = reinterpret_cast<Key*>(to);
    unsigned* places = reinterpret_cast<unsigned*>(to + args_.tiles.places_at);
    const int threads = static_cast<int>(blockDim.x);
    const int end = (count + kNoiseListStep - 1) / kNoiseListStep * kNoiseListStep;
    for (int rank = static_cast<int>(threadIdx.x); rank < end; rank += threads) {
      const Pair pair = rank < count ? sorted[rank] : Pair{Key(0), kNoNoisePlace};
      keys[rank] = pair.key;
      places[rank] = static_cast<unsigned>(pair.place);
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
  Pair* pairs_;
  unsigned *counts_, *goes_, *begins_, *apart_, *single_, *word_;
};

template <class T>
__device__ void noise_rank_tile(const NoiseRanksArgs& args) {
  NoiseSort<T>(args, static_cast<int>(blockIdx.x)).run();
}

}  // namespace tessera
