// SPDX-License-Identifier: Apache-2.0
/// Every box separately on a GPU: which kernel, and its launches.
#pragma once

#include <string>

#include "core/resident.hpp"
#include "ops/noise/cuda/noise_boxes_args.cuh"
#include "ops/noise/cuda/noise_cuda.hpp"

namespace tessera {

/// The kernel's arguments except images and lattice.
NoiseBoxesArgs noise_boxes_args(const NoiseProblem& problem);

/// A lattice on the device.
struct NoisePoints {
  NoisePoints(int device, const NoiseLattice& lattice)
      : columns(device, lattice.columns), rows(device, lattice.rows) {}
  Resident columns, rows;
};

class NoiseBoxesLaunch {
 public:
  explicit NoiseBoxesLaunch(const NoiseProblem& problem);
  const NoiseProblem& problem() const { return problem_; }
  std::string describe() const;

  /// Pixels of an image, in its maps' type.
  void pixels(const Piece& in, const MutablePiece& out, Stream& stream) const;
  /// Rows of a lattice in double, whether its pixels are blank or not; `out` counts its rows.
  void points(const Piece& in, const NoisePoints& lattice, const MutablePiece& out,
              Stream& stream) const;

 private:
  void launch(NoiseBoxesArgs args, const Piece& in, const MutablePiece& out, Stream& stream) const;

  NoiseProblem problem_;
  NoiseBoxesArgs args_{};  ///< without images
  int threads_;
  const GpuKernel& kernel_;
};

}  // namespace tessera
