// SPDX-License-Identifier: Apache-2.0
/// Adaptive histogram equalisation on a GPU: the same bytes as enhance_clahe.hpp.
#pragma once

#include <string>

#include "core/kernel.hpp"
#include "ops/enhance/clahe/cuda/enhance_clahe_args.cuh"
#include "ops/enhance/clahe/enhance_clahe_shape.hpp"

namespace tessera {

/// One clahe stage of a problem. Images and pieces are in the memory of the problem's device;
/// immutable, usable by any number of streams.
class ClaheCuda {
 public:
  ClaheCuda(const EnhanceProblem& problem, const EnhanceStage& stage);

  /// Enqueues all sweeps and the result of a whole image; the host is not involved in between.
  void run(AnyView in, AnyMutableView out, Stream& stream) const;

  /// As clahe_look: adds `rows`, which are in `in`, to the results of the sweep; waits.
  void look(const StageFinding& finding, int sweep, const Piece& in, Rows rows, SweepCounts& counts,
            Stream& stream) const;
  /// As clahe_make: enqueues rows of the result after all sweeps.
  void make(const StageFinding& finding, const Piece& in, const MutablePiece& out,
            Stream& stream) const;

 private:
  struct Memory;
  const GpuKernel& kernel(const std::string& what, bool typed) const;
  ClaheArgs arguments(const Piece& in, const MutablePiece& out, Rows rows,
                      const Memory& memory) const;
  void upload(const StageFinding& finding, const Memory& memory, Stream& stream) const;
  void start(const ClaheArgs& args, Stream& stream) const;
  void count(const ClaheArgs& args, Stream& stream) const;
  void each_level(const GpuKernel& kernel, const ClaheArgs& args, Stream& stream) const;
  void each_value(const GpuKernel& kernel, int values, const ClaheArgs& args, Stream& stream) const;
  unsigned deep() const;  ///< blocks along z: planes and groups
  std::size_t groups() const { return static_cast<std::size_t>(shape_.planes) * shape_.groups; }

  EnhanceProblem problem_;
  EnhanceStage stage_;
  ClaheShape shape_;
  const GpuKernel &start_, &range_, &bins_, &results_, &count_, &curves_, &extremes_, &make_;
};

}  // namespace tessera
