// SPDX-License-Identifier: Apache-2.0
// Shared memory of a block that multiplies with wgmma, and how its groups of warps take turns.
#pragma once

#include "core/cuda/mbarrier.cuh"
#include "ops/xengine/cuda/xengine_wgmma_args.cuh"

namespace tessera {

/// Cycles through the stages; its parity changes with every round.
struct StageTurn {
  int slot = 0;
  unsigned parity = 0;
  __device__ void next() {
    if (++slot < kWgmmaStages) return;
    slot = 0;
    parity ^= 1;
  }
  /// The previous slot.
  __device__ int before() const { return slot > 0 ? slot - 1 : kWgmmaStages - 1; }
};

struct WgmmaMemory {
  unsigned char* memory;

  __device__ unsigned char* stage(int slot) const { return memory + slot * kStageBytes; }
  __device__ int* parts() const { return reinterpret_cast<int*>(memory + kWgmmaPartsAt); }
  __device__ int* column_sums() const { return reinterpret_cast<int*>(memory + kWgmmaSumsAt); }
  __device__ PhaseBarrier* full(int slot) const { return barriers() + slot; }
  __device__ PhaseBarrier* empty(int slot) const { return barriers() + kWgmmaStages + slot; }
  __device__ PhaseBarrier* sums_there() const { return barriers() + 2 * kWgmmaStages; }
  __device__ PhaseBarrier* sums_used() const { return sums_there() + 1; }

  /// Each warp arrives once: four that fetch, eight that multiply.
  __device__ void begin() const {
    if (threadIdx.x == 0) {
      for (int slot = 0; slot < kWgmmaStages; ++slot) {
        begin_phases(full(slot), 4);
        begin_phases(empty(slot), 8);
      }
      begin_phases(sums_there(), 4);
      begin_phases(sums_used(), 8);
    }
    __syncthreads();
  }

 private:
  __device__ PhaseBarrier* barriers() const {
    return reinterpret_cast<PhaseBarrier*>(memory + kWgmmaBarriersAt);
  }
};

/// For all threads of the warp.
__device__ inline void arrive_as_warp(PhaseBarrier* barrier) {
  __syncwarp();
  if (threadIdx.x % 32 == 0) arrive_at(barrier);
}

}  // namespace tessera
