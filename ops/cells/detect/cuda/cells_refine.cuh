// SPDX-License-Identifier: Apache-2.0
// Candidates become finds: their contours settle, those that wander off are dropped, and of two on
// the same cell the stronger stays. The steps of cells_detect.hpp.
#pragma once

#include "ops/cells/cuda/cells_follow_args.cuh"
#include "ops/cells/detect/cuda/cells_contour_warp.cuh"

namespace tessera {

/// Whether another find on the same cell is kept instead of find k; among equal ones the earlier.
__device__ inline bool cells_is_double(const CellFind<float>* finds, const int* places, int count,
                                       int k) {
  const CellFind<float> own = finds[k];
  for (int i = 0; i < count; ++i) {
    if (i == k || places[i] < 0 ||
        !same_cell(own.x - finds[i].x, own.y - finds[i].y, own.radius, finds[i].radius))
      continue;
    const float mine = cell_abs(own.score), other = cell_abs(finds[i].score);
    if (other > mine || (other == mine && places[i] < places[k])) return true;
  }
  return false;
}

/// A block makes the finds of one plane, in row order; a warp settles a contour.
__device__ inline void cells_refine(const CellsRefineArgs& a) {
  __shared__ CellsContourMemory memory[kCellsRefineThreads / 32];
  const int plane = blockIdx.x;
  const long long pixels = 1LL * a.width * a.height, room = 1LL * plane * a.finds.most;
  const long long first = plane / a.films * a.frame_step + plane % a.films * pixels;
  const SplineImage<float> image{a.across + first, a.down + first, a.width, a.height};
  const float floor = a.floors[first / pixels];
  const int count = min(a.candidate_counts[plane], a.finds.most);
  CellFind<float>* refined = a.refined + room;
  int* places = a.places + room;
  const int warp = threadIdx.x / 32;
  for (int k = warp; k < count; k += kCellsRefineThreads / 32) {
    const CellsCandidate c = a.candidates[room + k];
    CellFind<float> find{static_cast<float>(a.region.x + c.place % a.region.width),
                         static_cast<float>(a.region.y + c.place / a.region.width),
                         a.radii[c.radius], c.score, 0.0F};
    const bool settles =
        cells_settle_contour(image, a.directions.circle, floor, a.rules, memory[warp], find);
    if (threadIdx.x % 32 != 0) continue;
    refined[k] = find;
    places[k] = settles ? c.place : -1;
  }
  __syncthreads();
  bool* stays = a.stays + room;
  for (int k = threadIdx.x; k < count; k += kCellsRefineThreads)
    stays[k] = places[k] >= 0 && !cells_is_double(refined, places, count, k);
  __syncthreads();
  for (int k = threadIdx.x; k < count; k += kCellsRefineThreads) {
    if (!stays[k]) continue;
    int before = 0;
    for (int i = 0; i < count; ++i) before += stays[i] && places[i] < places[k];
    a.finds.list[room + before] = refined[k];
  }
  int kept = 0;
  for (int k = 0; k < count; ++k) kept += stays[k];
  if (threadIdx.x == 0) a.finds.counts[plane] = kept;
}

}  // namespace tessera
