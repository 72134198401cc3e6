// SPDX-License-Identifier: Apache-2.0
// Arguments of the kernels that find and follow cells.
#pragma once

#include "ops/cells/cells_standing.cuh"
#include "ops/cells/cuda/cells_image_args.cuh"
#include "ops/cells/detect/cells_contour.cuh"
#include "ops/cells/follow/cells_shape.cuh"
#include "ops/cells/scene/cuda/cells_still_args.cuh"

namespace tessera {

/// Directions of snaxels and of a circle's points: computed by the host, so that all paths use the
/// same values.
struct CellsDirections {
  StarDirections<float> star;
  CirclePoints<float> circle;
};

/// The finds of a plane, after refinement.
struct CellsFinds {
  CellFind<float>* list;  ///< `most` per plane
  int* counts;
  int most;
};

struct CellsRefineArgs {
  CellsDirections directions;
  const float *across, *down, *floors;
  long long frame_step;  ///< as in CellsGicovArgs
  int films, width, height;
  CellsRegion region;
  const CellsCandidate* candidates;
  const int* candidate_counts;
  const float* radii;
  ContourRules<float> rules;
  CellFind<float>* refined;  ///< room for as many per plane as there are candidates
  int* places;               ///< likewise
  bool* stays;
  CellsFinds finds;
};

inline constexpr int kCellsRefineThreads = 512;

/// A circle of the scene, and what it is filled with. `absent` has a bit for each epoch that does
/// not show it, counted from the first one of the scene.
struct CellsStanding {
  CellFind<float> circle;
  unsigned absent;
  CellFill fill;
};

/// The scene `out` is `median`, made from epochs [first, end) on the canvas of epoch `at`, without
/// the cells among its circles; `before` is the scene of the epoch before, null if there is none.
struct CellsFillArgs {
  CellsPlaces places;
  CirclePoints<float> points;
  const float* sums;  ///< as in CellsSceneArgs
  const unsigned char* counts;
  int width, height;
  int first, end, at;
  CellsStill median, before, out;
  CellsFinds finds;  ///< circles of the median, one plane per film
  const CellSlot<float>* slots;
  int slot_count;                       ///< per film
  const TypicalSlopes<float>* typical;  ///< of the cells in each film's first frame
  CellsStanding* standing;              ///< room for all finds
};

/// The slopes that standing cells are compared with before cells are followed: of finds in each
/// film's first frame.
struct CellsFirstArgs {
  CirclePoints<float> points;
  CellsFinds finds;  ///< one plane per film
  CellsStill scene;  ///< on the first frame's canvas
  int width, height, films;
  TypicalSlopes<float>* slopes;
};

/// A film's cells between frames.
struct CellsFilmLife {
  int tracks;         ///< tracks begun so far
  unsigned finished;  ///< blocks done with this frame
  int frames_done;    ///< frames that the film's life has processed
};

/// Some frames of every film: blocks share the slots. After each frame the last block of a film
/// runs its life, and the others wait for it. So with more than one frame all blocks must be
/// resident at once.
struct CellsFollowArgs {
  CellsDirections directions;
  LifeRules<float> rules;
  const float *across, *down, *floors;  ///< first frame's planes, one per film, then the next
  int width, height;
  int frame, frames;  ///< number of the first frame, and how many
  int slots, films;
  int vx, vy;                    ///< signs of the flow
  CellSlot<float>* slots_of[2];  ///< `slots` per film, before frames with even and with odd numbers
  CellsFilmLife* lives;
  CellsFinds finds;              ///< for all times, one plane per film
  int find_times[kCells.epoch];  ///< for every frame; -1: there was no detection
  CellsPlaces places;
  CellsStill scene;  ///< on the canvas of epoch `at`; null: nothing was subtracted
  int at;
  CellRow<float>* rows;  ///< `slots` per film and frame; track 0: a free slot
};

inline constexpr int kCellsSide = 2 * kCells.window + 1;
/// Threads for a window when each holds `strip` pixels of a column in registers.
constexpr int cells_threads_for(int strip) {
  return (kCellsSide * ((kCellsSide + strip - 1) / strip) + 31) / 32 * 32;
}
inline constexpr int kCellsStrip = cells_threads_for(4) <= 1024 ? 4 : 8;
inline constexpr int kCellsWindowThreads = cells_threads_for(kCellsStrip);
static_assert(kCellsWindowThreads <= 1024, "a block has one thread per strip of a window");

/// Data shared by a block: the window's gradients, the field and its directions. `field_across`
/// first holds the field's second copy.
struct CellsWindowMemory {
  float across[kCellsSide * kCellsSide], down[kCellsSide * kCellsSide];
  float field[kCellsSide * kCellsSide];
  float field_across[kCellsSide * kCellsSide], field_down[kCellsSide * kCellsSide];
  float warp_most[32];
  int warp_place[32];
};

/// Shared memory of a block: the window, and one bit per slot whose outline is removed from it. At
/// the end of a frame, as many slots as fit.
TESSERA_BOTH constexpr int cells_follow_shared_bytes(int slots) {
  return static_cast<int>(sizeof(CellsWindowMemory)) + (slots + 31) / 32 * 4;
}

}  // namespace tessera
