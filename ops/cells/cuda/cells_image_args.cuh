// SPDX-License-Identifier: Apache-2.0
// Arguments of the kernels that make images: smooth, gicov, maxima.
#pragma once

#include "tessera/view.hpp"

namespace tessera {

/// The frames of films lie in a ring, those of one time side by side: plane (frame % slots) * films
/// + film. Planes made from some of them are numbered (frame - first) * films + film.
struct CellsRing {
  const void* data;
  int slots, films;
  int first, step;  ///< the first frame of a launch, and the step to the next
  int width, height;

  TESSERA_BOTH long long plane_pixels() const { return 1LL * width * height; }
  /// Where the frame of a plane begins, in samples.
  TESSERA_BOTH long long start(int plane) const {
    const int frame = first + plane / films * step;
    return (1LL * (frame % slots) * films + plane % films) * plane_pixels();
  }
};

/// The largest reach of a smoothing filter.
inline constexpr int kCellsMostReach = 16;

struct CellsSmoothArgs {
  CellsRing in;
  float* out;
  int reach;
  float weights[kCellsMostReach + 1];  ///< from the middle outwards
};

/// A block smooths a tile of this many pixels.
inline constexpr int kCellsTileWidth = 32, kCellsTileHeight = 32, kCellsTileThreads = 256;

/// Samples of the tile with its apron, then their sums along rows.
TESSERA_BOTH constexpr int cells_smooth_shared_bytes(int reach) {
  const int rows = kCellsTileHeight + 2 * reach;
  return 4 * rows * (kCellsTileWidth + 2 * reach + kCellsTileWidth);
}

/// Points of a circle that share a pixel: the sums of their cosines and sines, and of their
/// products.
struct alignas(16) CellsRim {
  int offset;  ///< from the centre, in pixels of the frame
  float cosine, sine;
  float unused;
  float cosine_cosine, cosine_sine_twice, sine_sine;
  float unused_too;
};

/// A rectangle of the frame.
struct CellsRegion {
  int x, y, width, height;
};

/// Scores of all centres of a region; a plane is a frame of a film.
struct CellsGicovArgs {
  const float *across, *down;  ///< gradients
  const float* floors;         ///< of scores, one plane for each plane of gradients
  long long frame_step;        ///< pixels from one searched frame to the next
  int films;                   ///< planes that lie side by side
  int width, height;           ///< of the frame
  CellsRegion region;          ///< centres whose circles lie inside the frame
  const CellsRim* rims;
  const int* rim_ends;  ///< for each radius
  int radii, samples;
  int sign;  ///< +1 or -1: only means of this sign count; 0: both
  float* scores;
  unsigned char* best;  ///< index of the radius
  int* counts;          ///< candidates per plane: none yet
};

inline constexpr int kCellsGicovWidth = 32, kCellsGicovThreads = 256, kCellsGicovRows = 4;

/// A candidate; `place` is its pixel in the region, in row order.
struct CellsCandidate {
  int place;
  int radius;  ///< index of the radius
  float score;
};

struct CellsMaximaArgs {
  const float* scores;
  const unsigned char* best;
  CellsRegion region;
  float threshold;
  int reach;  ///< of the disk
  CellsCandidate* found;
  int* counts;  ///< per plane
  int most;     ///< candidates per plane
};

}  // namespace tessera
