// SPDX-License-Identifier: Apache-2.0
// Stages of samples that are already in the order tensor cores need: 16 samples, 32 bytes, of each
// input side by side. They are copied piece by piece without passing through registers.
#pragma once

#include "core/cuda/async_copy.cuh"
#include "ops/xengine/cuda/xengine_tile_work.cuh"

namespace tessera {

/// Im of two samples (re, im, re, im), added up.
__device__ inline int add_imaginary(unsigned samples, int sum) {
  return __dp4a(static_cast<int>(samples), 0x01000100, sum);
}
__device__ inline int add_imaginary(uint4 samples, int sum) {
  sum = add_imaginary(samples.y, add_imaginary(samples.x, sum));
  return add_imaginary(samples.w, add_imaginary(samples.z, sum));
}

/// Work that a team of kThreads threads does together. A thread always has the same half of the
/// same inputs' 32 bytes, so it can sum what it has copied without the others: sums of the columns'
/// imaginary parts.
template <int kThreads>
class GroupedLoader {
 public:
  using Form = PairForm;
  static constexpr int kParts = 2;  ///< threads that hold a part of a column's sum
  static constexpr int kLag = 3;    ///< stages in flight while more are requested

  __device__ GroupedLoader(const XEngineTileArgs& args, int thread)
      : args_(args), half_(thread % 2), first_row_(thread / 2) {}

  __device__ void begin(const TileWork& work) {
    work_ = work;
#pragma unroll
    for (int tile = 0; tile < 2; ++tile)
#pragma unroll
      for (int n = 0; n < kRows; ++n) {
        const int row = row_of(n);
        const HalfTile inputs = work.inputs<kInputBytes>(args_, tile, row / kHalfTile);
        there_[tile][n] = row % kHalfTile < inputs.rows;
        from_[tile][n] =
            inputs.from + (there_[tile][n] ? row % kHalfTile * kInputBytes + half_ * 16 : 0);
      }
#pragma unroll
    for (int n = 0; n < kRows; ++n) sums_[n] = 0;
  }

  /// Requests a stage.
  __device__ void fetch(long long stage, unsigned char* memory) {
    const long long groups = args_.length / 16;
#pragma unroll
    for (int tile = 0; tile < 2; ++tile) {
      const long long first = work_.first_sample(stage, tile) / 16;
#pragma unroll
      for (int g = 0; g < kGroups; ++g)
#pragma unroll
        for (int n = 0; n < kRows; ++n) {
          const bool copies = there_[tile][n] && first + g < groups;
          async_copy16_or_zeros(memory + Form::place(tile, 2 * g + half_, row_of(n)),
                                from_[tile][n] + (copies ? (first + g) * args_.time_step : 0),
                                copies);
        }
    }
    async_commit();
  }

  /// Also if nothing more was fetched: all stages except the last kBehind have arrived.
  template <int kBehind>
  __device__ void wait() {
    async_wait_behind<kBehind>();
  }
  __device__ void fetch_nothing() { async_commit(); }

  /// After wait(): a stage is in place, as far as this thread fetched it.
  __device__ void land(unsigned char* memory) {
#pragma unroll
    for (int tile = 0; tile < 2; ++tile) {
      if (!work_.has_columns(tile)) continue;
#pragma unroll
      for (int n = 0; n < kRows; ++n)
#pragma unroll
        for (int g = 0; g < kGroups; ++g)
          sums_[n] = add_imaginary(
              *reinterpret_cast<const uint4*>(memory + Form::place(tile, 2 * g + half_, row_of(n))),
              sums_[n]);
    }
  }

  /// To [part][column].
  __device__ void write_sums(int* parts) const {
#pragma unroll
    for (int n = 0; n < kRows; ++n) parts[half_ * kTileInputs + row_of(n)] = sums_[n];
  }

 private:
  static constexpr int kInputBytes = 32, kGroups = kStageSamples / 16;
  static constexpr int kRows = 2 * kTileInputs / kThreads;  ///< of which a thread has one half
  __device__ int row_of(int n) const { return first_row_ + n * (kThreads / 2); }

  const XEngineTileArgs& args_;
  const unsigned char* from_[2][kRows];
  bool there_[2][kRows];
  int sums_[kRows];
  TileWork work_{};
  int half_, first_row_;
};

}  // namespace tessera
