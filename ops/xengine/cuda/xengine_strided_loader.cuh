// SPDX-License-Identifier: Apache-2.0
// Stages of samples whose inputs are contiguous and whose times are steps apart: transposed as they
// are loaded, 8 times of 8 inputs per thread.
#pragma once

#include "ops/xengine/cuda/xengine_grouped_loader.cuh"

namespace tessera {

/// 8 inputs of one time, or as many as there are.
__device__ inline uint4 load_octet(const unsigned char* from, int inputs) {
  if (inputs >= 8) return __ldg(reinterpret_cast<const uint4*>(from));
  unsigned words[4] = {0, 0, 0, 0};
#pragma unroll
  for (int i = 0; i < 8; ++i)
    if (i < inputs)
      words[i / 2] |= static_cast<unsigned>(reinterpret_cast<const unsigned short*>(from)[i])
                      << (i % 2 * 16);
  return {words[0], words[1], words[2], words[3]};
}

/// Times of one of two inputs that share words, from the rows of two times, four words each.
template <int kSelector>
__device__ inline uint4 turn_octet(const unsigned (&rows)[8]) {
  return {__byte_perm(rows[0], rows[1], kSelector), __byte_perm(rows[2], rows[3], kSelector),
          __byte_perm(rows[4], rows[5], kSelector), __byte_perm(rows[6], rows[7], kSelector)};
}

/// As GroupedLoader. Neighbouring threads have neighbouring inputs: 256 bytes of one time.
template <int kThreads>
class StridedLoader {
 public:
  using Form = OctetForm;
  static constexpr int kParts = kStagePieces * kThreads / kTileInputs;
  static constexpr int kLag = 1;  ///< registers hold one stage

  __device__ StridedLoader(const XEngineTileArgs& args, int thread)
      : args_(args),
        octet_(thread % 16),
        piece_(thread / 16 % kStagePieces),
        first_tile_(thread / kTileInputs) {}

  __device__ void begin(const TileWork& work) {
    work_ = work;
#pragma unroll
    for (int n = 0; n < kTiles; ++n) {
      const HalfTile inputs = work.inputs<2>(args_, tile_of(n), octet_ / 8);
      inputs_[n] = inputs.rows - octet_ % 8 * 8;
      from_[n] = inputs.from + octet_ % 8 * kPieceBytes;
    }
#pragma unroll
    for (int i = 0; i < 8; ++i) sums_[i] = 0;
  }

  __device__ void fetch(long long stage, unsigned char*) {
#pragma unroll
    for (int n = 0; n < kTiles; ++n) {
      const long long first = work_.first_sample(stage, tile_of(n)) + piece_ * 8;
#pragma unroll
      for (int t = 0; t < 8; ++t)
        rows_[n][t] = inputs_[n] > 0 && first + t < args_.length
                          ? load_octet(from_[n] + (first + t) * args_.time_step, inputs_[n])
                          : uint4{0, 0, 0, 0};
    }
  }

  template <int>
  __device__ void wait() {}
  __device__ void fetch_nothing() {}

  __device__ void land(unsigned char* memory) {
#pragma unroll
    for (int n = 0; n < kTiles; ++n) {
      unsigned char* const to = memory + Form::place(tile_of(n), piece_, octet_ * 8);
      const uint4(&r)[8] = rows_[n];
      const bool adds = work_.has_columns(tile_of(n));
      land_pair(to, {r[0].x, r[1].x, r[2].x, r[3].x, r[4].x, r[5].x, r[6].x, r[7].x}, 0, adds);
      land_pair(to, {r[0].y, r[1].y, r[2].y, r[3].y, r[4].y, r[5].y, r[6].y, r[7].y}, 2, adds);
      land_pair(to, {r[0].z, r[1].z, r[2].z, r[3].z, r[4].z, r[5].z, r[6].z, r[7].z}, 4, adds);
      land_pair(to, {r[0].w, r[1].w, r[2].w, r[3].w, r[4].w, r[5].w, r[6].w, r[7].w}, 6, adds);
    }
  }

  __device__ void write_sums(int* parts) const {
    const int part = first_tile_ * kStagePieces + piece_;
#pragma unroll
    for (int i = 0; i < 8; ++i) parts[part * kTileInputs + octet_ * 8 + i] = sums_[i];
  }

 private:
  static constexpr int kTiles = 2 * kTileInputs / kThreads;  ///< of which a thread has a part
  __device__ int tile_of(int n) const { return first_tile_ + n; }

  /// Two inputs.
  __device__ void land_pair(unsigned char* to, const unsigned (&words)[8], int input, bool adds) {
    const uint4 even = turn_octet<0x5410>(words), odd = turn_octet<0x7632>(words);
    *reinterpret_cast<uint4*>(to + input * kPieceBytes) = even;
    *reinterpret_cast<uint4*>(to + (input + 1) * kPieceBytes) = odd;
    if (!adds) return;
    sums_[input] = add_imaginary(even, sums_[input]);
    sums_[input + 1] = add_imaginary(odd, sums_[input + 1]);
  }

  const XEngineTileArgs& args_;
  const unsigned char* from_[kTiles];
  uint4 rows_[kTiles][8];
  int inputs_[kTiles];
  int sums_[8];
  TileWork work_{};
  int octet_, piece_, first_tile_;
};

}  // namespace tessera
