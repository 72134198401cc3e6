// SPDX-License-Identifier: Apache-2.0
// Tiles by wgmma: Hopper's tensor cores. One group of four warps fetches, two multiply, 64 rows
// each: rows are fragments in registers, where they can be turned; columns are read by the tensor
// cores from shared memory, which holds one copy for both.
#pragma once

#include "core/cuda/warp_group.cuh"
#include "ops/xengine/cuda/xengine_tile_pipeline.cuh"
#include "ops/xengine/cuda/xengine_wgmma_memory.cuh"

namespace tessera {

/// A block begins with 168 registers per thread for its three groups, and only these can be
/// redistributed: a group that asks for more waits forever. Sums take 128 of the registers of a
/// group that multiplies. A loader that transposes samples holds two octets of them in 64, and then
/// too few are left to let products run on from stage to stage (the compiler would serialise them
/// all, C7512).
inline constexpr int kThreeThreadsRegisters = 3 * 168;
template <class Loader>
inline constexpr int kFetchRegisters = Loader::Form::kSwizzled ? 72 : 152;
template <class Loader>
inline constexpr int kMultiplyRegisters = Loader::Form::kSwizzled ? 216 : 176;

/// The group that fetches: stages of all tiles of the block, and the sums of columns.
template <class Loader>
__device__ inline void fetch_tiles(const XEngineTileArgs& a, const WgmmaMemory& m) {
  constexpr int kLag = Loader::kLag;
  static_assert(kLag < kWgmmaStages);
  const int thread = static_cast<int>(threadIdx.x) % kWarpGroup;
  const long long tiles = count_tiles(a.channels, a.inputs);
  Loader loader(a, thread);
  StageTurn asked, landed;
  unsigned parity = 0;
  for (long long tile = blockIdx.x; tile < tiles; tile += gridDim.x, parity ^= 1) {
    const TileWork work = TileWork::number(a, tile);
    const long long stages = count_stages(a, work);
    loader.begin(work);
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
    wait_for_team(1, kWarpGroup);  // all have added up the parts of the previous tile
    loader.write_sums(m.parts());
    wait_for_team(1, kWarpGroup);
    const int sum = column_sum<Loader::kParts>(m.parts(), thread);
    wait_for_phase(m.sums_used(), parity ^ 1);
    m.column_sums()[thread] = sum;
    arrive_as_warp(m.sums_there());
  }
}

/// The descriptor that tells the tensor cores where the columns of a stage are.
template <class Form>
__device__ inline unsigned long long describe(unsigned address) {
  if constexpr (Form::kSwizzled)
    return describe_swizzled_rows(address);
  else
    return describe_rows(address, Form::kPieceStep, Form::kOctetStep);
}

/// A group that multiplies 64 rows by 64 or 128 columns.
template <class Form, int kColumns>
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
    const unsigned rows_at = static_cast<unsigned>(Form::place(0, lane / 16, row));
    const unsigned columns_at = static_cast<unsigned>(Form::place(0, 0, column_half * kHalfTile));
#pragma unroll
    for (int n = 0; n < kColumns / 2; ++n) re[n] = im[n] = 0;
    const int products = work.stage_products();
    for (long long left = count_stages(args, work), all = left; left > 0; --left) {
      wait_for_phase(m.full(turn.slot), turn.parity);
      const unsigned stage = shared_address(m.stage(turn.slot));
      for (int product = 0; product < products; ++product)
        multiply_stage(
            stage + rows_at + work.rows_half(product) * kStageTileBytes,
            describe<Form>(stage + columns_at + work.columns_half(product) * kStageTileBytes));
      // If products run on, those of the previous stage are complete, not these.
      if (!kRunsOn || left < all) arrive_as_warp(m.empty(kRunsOn ? turn.before() : turn.slot));
      turn.next();
    }
    if (!kRunsOn) return;
    wait_for_groups<0>();
    arrive_as_warp(m.empty(turn.before()));
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
  static constexpr bool kRunsOn = Form::kSwizzled;

  /// Four steps of 32 bytes. Products of a step run while fragments of the next are fetched into
  /// the other set. Sums are set to zero instead of letting the first product overwrite them:
  /// registers that are read undefined stay live from tile to tile (C7512).
  __device__ void multiply_stage(unsigned rows, unsigned long long columns) {
    constexpr int kSteps = kStagePieces / 2;
    static_assert(kSteps % 2 == 0, "the next stage begins with the other set");
#pragma unroll
    for (int step = 0; step < kSteps; ++step) {
      const int lot = step % 2;
      load_fragments(plain[lot], rows + step * Form::kPairStep);
#pragma unroll
      for (int k = 0; k < 4; ++k) turned[lot][k] = turn_samples(plain[lot][k]);
      fence_group();
      multiply_group(re, plain[lot], columns + step * Form::kPairStep / 16);
      multiply_group(im, turned[lot], columns + step * Form::kPairStep / 16);
      commit_group();
      if (kRunsOn || step + 1 < kSteps) wait_for_groups<1>();
    }
    if (!kRunsOn) wait_for_groups<0>();
  }

  const XEngineTileArgs& args;
  const WgmmaMemory& m;
  int group, warp, lane;  ///< of two groups, of the group, of the warp
  int re[kColumns / 2], im[kColumns / 2];
  unsigned plain[2][4], turned[2][4];
};

template <class Form, int kColumns>
__device__ inline void make_rows(const XEngineTileArgs& a, const WgmmaMemory& m,
                                 const TileWork& work, int column_half, StageTurn& turn,
                                 unsigned parity) {
  WgmmaProduct<Form, kColumns> product(a, m, static_cast<int>(threadIdx.x));
  product.multiply(work, column_half, turn);
  wait_for_phase(m.sums_there(), parity);
  product.store(work, column_half);
  arrive_as_warp(m.sums_used());
}

/// On the diagonal the first group has half the columns; with two channels each group has its own.
template <class Form>
__device__ inline void multiply_tiles(const XEngineTileArgs& a, const WgmmaMemory& m) {
  const int group = static_cast<int>(threadIdx.x) / kWarpGroup;
  const long long tiles = count_tiles(a.channels, a.inputs);
  StageTurn turn;
  unsigned parity = 0;
  for (long long tile = blockIdx.x; tile < tiles; tile += gridDim.x, parity ^= 1) {
    const TileWork work = TileWork::number(a, tile);
    if (work.makes(group, 0) && work.makes(group, 1))
      make_rows<Form, kTileInputs>(a, m, work, 0, turn, parity);
    else
      make_rows<Form, kHalfTile>(a, m, work, work.makes(group, 0) ? 0 : 1, turn, parity);
  }
}

template <bool kGrouped>
__device__ inline void xengine_wgmma_tiles(const XEngineTileArgs& a) {
  extern __shared__ uint4 xengine_tile_memory[];
  const WgmmaMemory memory{reinterpret_cast<unsigned char*>(xengine_tile_memory)};
  memory.begin();
  using Loader = typename LoaderOf<kGrouped, kWarpGroup>::Type;
  static_assert(kFetchRegisters<Loader> + 2 * kMultiplyRegisters<Loader> <= kThreeThreadsRegisters);
  if (threadIdx.x >= 2 * kWarpGroup) {
    keep_registers<kFetchRegisters<Loader>>();
    fetch_tiles<Loader>(a, memory);
  } else {
    take_registers<kMultiplyRegisters<Loader>>();
    multiply_tiles<typename Loader::Form>(a, memory);
  }
}

}  // namespace tessera
