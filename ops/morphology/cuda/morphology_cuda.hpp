// SPDX-License-Identifier: Apache-2.0
/// Shared by the CUDA methods of erode and dilate: knobs, kernels, arguments, staging.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/piece_launch.hpp"
#include "ops/morphology/cuda/morphology_args.cuh"
#include "ops/morphology/cuda/morphology_packed.hpp"
#include "ops/morphology/morphology_problem.hpp"

namespace tessera {

/// Keys of the tuning tables.
inline constexpr const char* kMorphologyDirectSite = "morphology_direct@1";
inline constexpr const char* kMorphologySeparableSite = "morphology_separable@1";

/// The kernel of a unit ("morphology_direct") with these knobs, compiled at run time.
KernelName morphology_tile_kernel(const MorphologyProblem& problem, const std::string& unit,
                                  const MorphologyKnobs& knobs);
/// Knobs from a table; the usual ones if these cannot run.
MorphologyKnobs with_table(const MorphologyProblem& problem, const Knobs& tuned);

class MorphologyCuda : public MorphologyRunner {
 public:
  /// `unit`: "morphology_direct"; its body is UNIT_tile<bytes, max, knobs>, its site UNIT@1.
  MorphologyCuda(const MorphologyProblem& problem, const char* unit);

  std::string describe() const override;
  void run(const Piece& in, const MutablePiece& out, Stream& stream) const override;

 protected:
  /// Device images in, device images out, with the method's own kernels: for cases that packed
  /// words do not handle.
  virtual void launch(const Piece& in, const MutablePiece& out, Stream& stream) const = 0;

  const MorphologyProblem& problem() const { return problem_; }
  int tile_height() const { return knobs_.block_y * knobs_.rows; }
  MorphologyArgs arguments(const Piece& in, const MutablePiece& out) const;
  const GpuKernel& kernel(const std::string& unit, const std::string& stem, const std::string& body,
                          const char* args, bool tuned) const;

  /// Calls `one` with the image of each launch, limited to as many rows and planes as a grid can
  /// have. The rows and planes of `out` are cut accordingly; launch it with launch_grid.
  static void for_each_launch(MorphologyArgs image, const Piece& in, const MutablePiece& out,
                              int tile_height,
                              const std::function<void(const MorphologyArgs&, int planes)>& one);
  template <class Args>
  void launch_grid(Stream& stream, const Args& args, int planes) const {
    const MorphologyArgs& a = args.image;
    kernel_.launch(
        stream,
        {blocks_for(a.out_width, knobs_.block_x), blocks_for(a.made.count(), tile_height()),
         static_cast<unsigned>(planes * a.channels)},
        {static_cast<unsigned>(knobs_.block_x), static_cast<unsigned>(knobs_.block_y), 1}, 0, args);
  }

 private:
  MorphologyProblem problem_;
  MorphologyKnobs knobs_;
  const GpuKernel& kernel_;
  std::optional<MorphologyPacked> packed_;
};

}  // namespace tessera
