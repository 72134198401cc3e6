// SPDX-License-Identifier: Apache-2.0
/// The kernel that smooths 8-bit pixels of one channel with two sums per word.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/kernel.hpp"
#include "ops/enhance/cuda/enhance_packed_args.cuh"
#include "ops/enhance/cuda/enhance_pass.hpp"

namespace tessera {

class PackedSmooth {
 public:
  /// Null if the image or the weights do not suit it, or if no kernel can be made. A pass that does
  /// not smooth only applies its curve.
  static std::unique_ptr<const PackedSmooth> find(const EnhanceProblem&, const EnhancePass&);

  bool takes(const Piece& in, const MutablePiece& out) const;
  void launch(const Piece& in, const MutablePiece& out, const std::uint16_t* curve,
              Stream& stream) const;
  std::string describe() const;

 private:
  PackedSmooth(const EnhanceProblem& problem, const Smoothing& smoothing,
               const PackedSmoothKnobs& knobs, const GpuKernel& kernel);

  PackedSmoothKnobs knobs_;
  const GpuKernel& kernel_;
  int multiprocessors_;
  PackedSmoothArgs usual_{};  ///< the same for all launches
};

}  // namespace tessera
