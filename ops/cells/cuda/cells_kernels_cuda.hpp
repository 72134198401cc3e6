// SPDX-License-Identifier: Apache-2.0
/// The kernels of cells for one problem, each behind a function that launches it.
#pragma once

#include <string>

#include "core/kernel.hpp"
#include "core/resident.hpp"
#include "ops/cells/cells_parts.hpp"
#include "ops/cells/cuda/cells_follow_args.cuh"
#include "ops/cells/scene/cuda/cells_still_args.cuh"

namespace tessera {

/// Blocks of a launch along one axis.
constexpr unsigned count_of(long long value) { return static_cast<unsigned>(value); }

/// The gradients that detection reads: planes of films lie side by side, and those of later frames
/// follow at a fixed distance in pixels.
struct CellsLook {
  const float *across, *down, *floors;
  int frames, films;
  long long frame_step;
};

/// Memory and results of detection, for a given number of planes.
struct CellsDetectMemory {
  CellsDetectMemory(const CellsProblem& problem, int planes, Stream& stream);
  Scratch scores, best, candidates, candidate_counts, refined, places, stays, finds, find_counts;
  int most;  ///< candidates per plane

  /// The finds of one time, one plane per film.
  CellsFinds finds_at(int time, int films) const;
  /// The finds of the first planes, one list for each; waits for them.
  std::vector<std::vector<CellDetection>> download(int planes, Stream& stream) const;
};

/// Immutable, may be used by any number of streams.
class CellsKernels {
 public:
  explicit CellsKernels(const CellsProblem& problem);

  /// Whether circles fit into the frame anywhere.
  bool can_detect(CellsCrop where) const;

  void smooth(const CellsRing& frames, int count, float* out, Stream& stream) const;
  void scene(const CellsSceneArgs& args, Stream& stream) const;
  void first_slopes(CellsFirstArgs args, Stream& stream) const;
  /// The scene without the cells that stand in it.
  void fill(CellsFillArgs args, Stream& stream) const;
  void drift(const CellsDriftArgs& args, Stream& stream) const;
  void accumulate(const CellsAccumulateArgs& args, Stream& stream) const;
  void subtract(const CellsSubtractArgs& args, Stream& stream) const;
  void floors(const CellsFloorArgs& args, int planes, Stream& stream) const;
  /// Scores and their maxima, then finds, stored as those of planes `first` and after.
  void detect(const CellsLook& look, CellsCrop where, const CellsDetectMemory& memory, int first,
              Stream& stream) const;
  void scores(const CellsLook& look, CellsCrop region, const CellsDetectMemory& memory,
              Stream& stream) const;
  void maxima(int planes, CellsCrop region, const CellsDetectMemory& memory, Stream& stream) const;
  void refine(const CellsLook& look, CellsCrop region, const CellsDetectMemory& memory, int first,
              Stream& stream) const;
  /// Whether several frames of this many films can be followed in one launch: its blocks wait for
  /// each other, so all must be on the device at once.
  bool follows_groups(int films) const;
  /// Fills in the arguments that all launches share.
  void follow(CellsFollowArgs args, Stream& stream) const;

 private:
  const GpuKernel& kernel(const std::string& unit, const std::string& entry,
                          const std::string& body, const std::string& args, int threads) const;
  const GpuKernel& smoothing() const;

  CellsProblem problem_;
  CellsSmoothArgs smooth_args_{};
  CellsDirections directions_;
  LifeRules<float> rules_;
  int vx_ = 0, vy_ = 0;
  Resident rims_, rim_ends_, radii_;
  const GpuKernel &smooth_, &scene_, &drift_, &accumulate_, &first_, &standing_, &fill_, &subtract_,
      &floor_, &gicov_, &maxima_, &refine_, &follow_;
};

}  // namespace tessera
