// SPDX-License-Identifier: Apache-2.0
/// Kernels compiled at run time for an element, which work on words of packed samples. Both CUDA
/// methods use them if that pays, and otherwise their own kernels for any element; the bytes are
/// the same.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/kernel.hpp"
#include "ops/morphology/cuda/morphology_packed_args.cuh"
#include "ops/morphology/morphology_problem.hpp"

namespace tessera {

/// An element in the form such a kernel takes.
struct PackedPlan {
  PackedElement element{};
  std::vector<PackedTerm> terms;
  PackedKnobs knobs;
  int shared_bytes = 0;
};

/// Empty if the type, the element or its tile do not fit; `most_shared`: bytes available to a
/// block.
std::optional<PackedPlan> plan_packed(const MorphologyProblem& problem, int most_shared);

/// Fewer rows per thread if the image would otherwise give a multiprocessor few blocks.
void fit_to_image(PackedPlan& plan, const MorphologyProblem& problem, int multiprocessors);

/// The source that is compiled.
KernelName packed_kernel_name(const MorphologyProblem& problem, const PackedPlan& plan);

class MorphologyPacked {
 public:
  /// Empty if it does not pay.
  static std::optional<MorphologyPacked> find(const MorphologyProblem& problem);

  /// Whether channels are adjacent.
  bool takes(const Piece& in, const MutablePiece& out) const;
  void launch(const MorphologyArgs& image, const Piece& in, const MutablePiece& out,
              Stream& stream) const;
  std::string describe() const;

 private:
  MorphologyPacked(const MorphologyProblem& problem, PackedPlan plan);

  int device_, channels_;
  PackedPlan plan_;
  const GpuKernel* kernel_;
};

}  // namespace tessera
