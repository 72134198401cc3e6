// SPDX-License-Identifier: Apache-2.0
// What the host tells the kernels of cells that make images: smooth, gicov, maxima.
#pragma once

#include "tessera/view.hpp"

namespace tessera {

/// Frames of films lie in a ring, those of one time side by side: plane (frame % slots) * films +
/// film. What is made of some of them lies in plane (frame - first) * films + film.
struct CellsRing {
  const void* data;
  int slots, films;
  int first, step;  ///< the first frame of a launch, and from one to the next
  int width, height;

  TESSERA_BOTH long long plane_pixels() const { return 1LL * width * height; }
  /// Where the frame of a launch's plane begins, in samples.
  TESSERA_BOTH long long start(int plane) const {
    const int frame = first + plane / films * step;
    return (1LL * (frame % slots) * films + plane % films) * plane_pixels();
  }
};

/// The longest half of a smoothing filter.
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

/// Points of a circle that share a pixel: the sums of their cosines and sines, and of products.
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
  const float* floors;         ///< of scores, a plane each as gradients
  long long frame_step;        ///< pixels from a frame looked at to the next
  int films;                   ///< planes that lie side by side
  int width, height;           ///< of the frame
  CellsRegion region;          ///< of centres whose circles lie inside the frame
  const CellsRim* rims;
  const int* rim_ends;  ///< of each radius
  int radii, samples;
  int sign;  ///< +1 or -1: only means of this sign count; 0: both
  float* scores;
  unsigned char* best;  ///< index of the radius
  int* counts;          ///< candidates a plane: none yet
};

inline constexpr int kCellsGicovWidth = 32, kCellsGicovThreads = 256, kCellsGicovRows = 4;

/// A candidate; `place` is its pixel of the region in row order.
struct CellsCandidate {
  int place;
  int radius;  ///< its index
  float score;
};

struct CellsMaximaArgs {
  const float* scores;
  const unsigned char* best;
  CellsRegion region;
  float threshold;
  int reach;  ///< of the disk
  CellsCandidate* found;
  int* counts;  ///< a plane
  int most;     ///< candidates a plane
};

}  // namespace tessera
