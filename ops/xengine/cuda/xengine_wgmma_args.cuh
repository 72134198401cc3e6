// SPDX-License-Identifier: Apache-2.0
// The shape of blocks that multiply with wgmma.
#pragma once

#include "ops/xengine/cuda/xengine_tile_args.cuh"

namespace tessera {

/// Two groups of four warps multiply, 64 rows each; a third fetches.
inline constexpr int kWarpGroup = 128, kWgmmaThreads = 3 * kWarpGroup;
/// Stages in shared memory: one being multiplied, up to three in flight, one spare.
inline constexpr int kWgmmaStages = 5;
/// A stage is full, a stage is empty; sums of columns are ready, and have been used.
inline constexpr int kWgmmaBarriers = 2 * kWgmmaStages + 2;
inline constexpr int kWgmmaPartsAt = kWgmmaStages * kStageBytes;
inline constexpr int kWgmmaSumsAt = kWgmmaPartsAt + kColumnPartBytes;
inline constexpr int kWgmmaBarriersAt = kWgmmaSumsAt + kColumnSumBytes;
inline constexpr int kWgmmaSharedBytes = kWgmmaBarriersAt + 8 * kWgmmaBarriers;
static_assert(kWgmmaSharedBytes <= 227 * 1024);

}  // namespace tessera
