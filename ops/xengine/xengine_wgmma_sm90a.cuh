// SPDX-License-Identifier: Apache-2.0
// Tiles by wgmma: Hopper's tensor cores. One group of four warps fetches, two multiply, 64 rows
// each: rows are fragments in registers, which can be turned there, columns are read by the tensor
// cores from shared memory, where they lie once for both.
#pragma once

#include "core/cuda/warp_group.cuh"
#include "ops/xengine/xengine_tile_pipeline.cuh"
#include "ops/xengine/xengine_wgmma_memory.cuh"

namespace tessera {

/// Of 65536 registers those that multiply have 184 each, 128 of them sums; those that fetch turn
/// two octets of samples in 64.
inline constexpr int kFetchRegisters = 136, kMultiplyRegisters = 184;

/// The group that fetches: stages of all tiles of the block, and the sums of columns.
template <class Loader>
__device__ inline void fetch_tiles(const XEngineTileArgs& a, const WgmmaMemory& m) {
  constexpr int kLag = Loader::kLag;
  static_assert(kLag < kWgmmaStages);
  const int thread = static_cast<int>(threadIdx.x) % kWarpGroup;
  const long long tiles = count_tiles(a.channels, a.inputs), stages = count_stages(a);
  Loader loader(a, thread);
  StageTurn asked, landed;
  unsigned parity = 0;
  for (long long tile = blockIdx.x; tile < tiles; tile += gridDim.x, parity ^= 1) {
    loader.begin(TileWork::number(a, tile));
    for (long long s = 0; s < stages + kLag; ++s) {
      if (s >= kLag) {
        loader.template wait<kLag - 1>();
        loader.land(m.stage(landed.slot));
        show_to_engines();
        arrive_as_warp(m.full(landed.slot));
        landed.next();
      }
      if (s >= stages) {
        loader.fetch_nothing();
        continue;
      }
      wait_for_phase(m.empty(asked.slot), asked.parity ^ 1);
      loader.fetch(s, m.stage(asked.slot));
      asked.next();
    }
    loader.write_sums(m.parts());
    wait_for_team(1, kWarpGroup);
    const int sum = column_sum<Loader::kParts>(m.parts(), thread);
    wait_for_phase(m.sums_used(), parity ^ 1);
    m.column_sums()[thread] = sum;
    arrive_as_warp(m.sums_there());
  }
}

/// A group that multiplies 64 rows by 64 or 128 columns.
template <int kColumns>
class WgmmaProduct {
 public:
  __device__ WgmmaProduct(const XEngineTileArgs& a, const WgmmaMemory& memory, int thread)
      : args(a),
        m(memory),
        group(thread / kWarpGroup),
        warp(thread % kWarpGroup / 32),
        lane(thread % 32) {}

  /// All stages of a tile.
  __device__ void multiply(const TileWork& work, int column_half, StageTurn& turn) {
    const int row = group * kHalfTile + warp * 16 + lane % 16;
    const unsigned rows_at = static_cast<unsigned>(stage_place(0, lane / 16, row));
    const unsigned columns_at =
        static_cast<unsigned>(stage_place(work.stage_tiles() - 1, 0, column_half * kHalfTile));
#pragma unroll
    for (int n = 0; n < kColumns / 2; ++n) re[n] = im[n] = 0;
    for (long long left = count_stages(args); left > 0; --left) {
      wait_for_phase(m.full(turn.slot), turn.parity);
      const unsigned stage = shared_address(m.stage(turn.slot));
      const unsigned long long columns = describe_rows(stage + columns_at, kPieceStep, kOctetStep);
      multiply_stage(stage + rows_at, columns);
      arrive_as_warp(m.empty(turn.slot));
      turn.next();
    }
  }

  __device__ void store(const TileWork& work, int first_half) const {
#pragma unroll
    for (int half = 0; half < kColumns / kHalfTile; ++half) {
      const TileQuarter quarter(args, work, group, first_half + half);
      quarter.store_octets<8>(warp * 16 + lane / 4, lane % 4 * 2, re + half * 32, im + half * 32,
                              m.column_sums() + (first_half + half) * kHalfTile);
    }
  }

 private:
  /// Four steps of 32 bytes. Products of a step run while fragments of the next are fetched, into
  /// the other lot. Nothing is under way from stage to stage: the compiler would serialise all
  /// products, as threads may go different ways while they wait for a barrier (C7518). The other
  /// group's products fill the gap. Sums begin at zero, not by telling the first product to
  /// overwrite: registers that are read undefined live on from tile to tile (C7512).
  __device__ void multiply_stage(unsigned rows, unsigned long long columns) {
    unsigned plain[2][4], turned[2][4];
#pragma unroll
    for (int step = 0; step < kStagePieces / 2; ++step) {
      const int lot = step % 2;
      load_fragments(plain[lot], rows + step * 2 * kPieceStep);
#pragma unroll
      for (int k = 0; k < 4; ++k) turned[lot][k] = turn_samples(plain[lot][k]);
      fence_group();
      multiply_group(re, plain[lot], columns + step * 2 * kPieceStep / 16);
      multiply_group(im, turned[lot], columns + step * 2 * kPieceStep / 16);
      commit_group();
      if (step + 1 < kStagePieces / 2) wait_for_groups<1>();
    }
    wait_for_groups<0>();
  }

  const XEngineTileArgs& args;
  const WgmmaMemory& m;
  int group, warp, lane;  ///< of two groups, of the group, of the warp
  int re[kColumns / 2], im[kColumns / 2];
};

template <int kColumns>
__device__ inline void make_rows(const XEngineTileArgs& a, const WgmmaMemory& m,
                                 const TileWork& work, int column_half, StageTurn& turn,
                                 unsigned parity) {
  WgmmaProduct<kColumns> product(a, m, static_cast<int>(threadIdx.x));
  product.multiply(work, column_half, turn);
  wait_for_phase(m.sums_there(), parity);
  product.store(work, column_half);
  arrive_as_warp(m.sums_used());
}

/// On the diagonal the first group has half the columns; of two channels each group has its own.
__device__ inline void multiply_tiles(const XEngineTileArgs& a, const WgmmaMemory& m) {
  const int group = static_cast<int>(threadIdx.x) / kWarpGroup;
  const long long tiles = count_tiles(a.channels, a.inputs);
  StageTurn turn;
  unsigned parity = 0;
  for (long long tile = blockIdx.x; tile < tiles; tile += gridDim.x, parity ^= 1) {
    const TileWork work = TileWork::number(a, tile);
    if (work.makes(group, 0) && work.makes(group, 1))
      make_rows<kTileInputs>(a, m, work, 0, turn, parity);
    else
      make_rows<kHalfTile>(a, m, work, work.makes(group, 0) ? 0 : 1, turn, parity);
  }
}

template <bool kGrouped>
__device__ inline void xengine_wgmma_tiles(const XEngineTileArgs& a) {
  extern __shared__ uint4 xengine_tile_memory[];
  const WgmmaMemory memory{reinterpret_cast<unsigned char*>(xengine_tile_memory)};
  memory.begin();
  if (threadIdx.x >= 2 * kWarpGroup) {
    keep_registers<kFetchRegisters>();
    fetch_tiles<typename LoaderOf<kGrouped, kWarpGroup>::Type>(a, memory);
  } else {
    take_registers<kMultiplyRegisters>();
    multiply_tiles(a, memory);
  }
}

}  // namespace tessera
