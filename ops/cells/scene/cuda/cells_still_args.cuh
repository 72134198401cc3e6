// SPDX-License-Identifier: Apache-2.0
// Arguments of the kernels for the still scene of a film.
#pragma once

#include "ops/cells/cells_model.cuh"
#include "tessera/view.hpp"

namespace tessera {

struct CellsPlace {
  double x, y;
  double usual;  ///< unlikeness of frames and template up to here; negative if not known
};
struct CellsCanvas {
  int x, y;
};
struct CellsShift {
  float x, y;
};

/// Where frames and canvases lie, one for each film. Frame k shows the scene at x - drift(k); an
/// epoch's canvas lies in the scene at whole pixels.
struct CellsPlaces {
  CellsPlace* drifts;     ///< of frames, in a ring: (frame % frame_slots) * films + film
  CellsCanvas* canvases;  ///< of epochs, in a ring: (epoch % epoch_slots) * films + film
  int frame_slots, epoch_slots, films;

  TESSERA_BOTH long long frame(int number, int film) const {
    return 1LL * (number % frame_slots) * films + film;
  }
  TESSERA_BOTH long long epoch(int number, int film) const {
    return 1LL * (number % epoch_slots) * films + film;
  }
  /// The offset from the canvas of an epoch to a frame.
  TESSERA_BOTH CellsShift shift(int frame_number, int epoch_number, int film) const {
    const CellsPlace drift = drifts[frame(frame_number, film)];
    const CellsCanvas at = canvases[epoch(epoch_number, film)];
    return {static_cast<float>(drift.x - at.x), static_cast<float>(drift.y - at.y)};
  }
};

/// Planes of smoothed frames: plane (frame - first) * films + film.
struct CellsPlanes {
  const float* smooth;
  int first, count;  ///< frames
  int width, height;

  TESSERA_BOTH long long pixels() const { return 1LL * width * height; }
};

/// The scene on a canvas, one plane per film.
struct CellsStill {
  float* value;
  unsigned char* known;
};

/// The scene from epochs [first, end) on the canvas of epoch `at`, which begins at the drift of
/// frame `begins`, or exists already (-1).
struct CellsSceneArgs {
  CellsPlaces places;
  const float* sums;  ///< for all films, in the ring of epochs
  const unsigned char* counts;
  int width, height;
  int first, end, at, begins;
  const float* whole;  ///< not null: the scene is this frame, one plane per film
  CellsStill out;
};

/// A pixel used by registration: the template there and its gradient.
struct alignas(16) CellsDriftSample {
  float value, gx, gy;
  bool known;   ///< the gradient
  bool gentle;  ///< and it is not much steeper than most
  bool seen;    ///< the value
  bool unused;  ///< instead of a byte that nobody writes
};

/// Samples of a frame: columns and rows at a fixed step, away from the edges.
struct CellsDriftGrid {
  int across, down;

  TESSERA_BOTH static constexpr int along(int side) {
    const int inner = side - 2 * kCells.drift_margin;
    return inner > 0 ? (inner + kCells.drift_step - 1) / kCells.drift_step : 0;
  }
  TESSERA_BOTH CellsDriftGrid(int width, int height) : across(along(width)), down(along(height)) {}
  TESSERA_BOTH long long samples() const { return 1LL * across * down; }
  /// The pixel of a sample.
  TESSERA_BOTH int x(int i) const { return kCells.drift_margin + i % across * kCells.drift_step; }
  TESSERA_BOTH int y(int i) const { return kCells.drift_margin + i / across * kCells.drift_step; }
};

/// Registration adds up the samples of a film in this many parts, in order: sums do not depend on
/// the number of blocks that share them.
inline constexpr int kCellsDriftParts = 8, kCellsDriftSums = 11;
/// The sums that the blocks of a film tell each other; zero before the first launch, and after
/// each.
struct CellsDriftTalk {
  double sums[2][kCellsDriftParts][kCellsDriftSums];  ///< of even and of odd meetings
  unsigned arrived, left;                             ///< blocks
};

/// The drifts of the planes' frames, in order, relative to a template on the canvas of epoch `at`.
/// One to kCellsDriftParts blocks per film, which wait for each other.
struct CellsDriftArgs {
  CellsPlaces places;
  CellsPlanes in;
  CellsStill scene;
  CellsDriftSample* samples;  ///< room for one grid of them per film
  CellsDriftTalk* talk;       ///< one per film
  int at;
};

/// Adds every `step`-th frame to the sums of `epoch`; one thread per pixel, frames in order.
struct CellsAccumulateArgs {
  CellsPlaces places;
  CellsPlanes in;
  int step, epoch;
  bool begins;  ///< the sums do not exist yet
  float* sums;
  unsigned char* counts;
};

/// Gradients of frames minus the scene on the canvas of epoch `at`.
struct CellsSubtractArgs {
  CellsPlaces places;
  CellsPlanes in;
  CellsStill scene;  ///< null: nothing is subtracted
  int at;
  float *across, *down;
};

/// The floor of the scores of every plane, from its gradients.
struct CellsFloorArgs {
  const float *across, *down;
  int width, height;
  float* floors;
};

inline constexpr int kCellsStillThreads = 256, kCellsDriftThreads = 512;
/// A single block has much to read.
inline constexpr int kCellsFloorThreads = 1024, kCellsStandingThreads = 1024;

}  // namespace tessera
