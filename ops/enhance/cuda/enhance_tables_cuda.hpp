// SPDX-License-Identifier: Apache-2.0
/// The findings of a run of enhance, on the device: counts, curves and limits of its stages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/kernel.hpp"
#include "ops/enhance/enhance_problem.hpp"

namespace tessera {

/// Makes curves from counts.
class EnhanceCurveKernels {
 public:
  explicit EnhanceCurveKernels(const EnhanceProblem&);
  const GpuKernel &clear, &curves;
};

/// Belongs to one stream, like its memory.
class EnhanceTables {
 public:
  /// Room for all stages that count; `counted_with` as in EnhancePasses.
  EnhanceTables(const EnhanceProblem& problem, const std::vector<int>& counted_with,
                Stream& stream);

  std::uint64_t* counts(int stage) const;  ///< `levels` values per plane and group
  std::uint16_t* curve(int stage) const;
  /// All counts become 0, and passes from now on count.
  void clear(const EnhanceCurveKernels& kernels, Stream& stream);
  bool counting() const { return counting_; }
  /// Enqueues the curves of all stages that share the stage's counts.
  void make_curves(const EnhanceCurveKernels& kernels, int stage, Stream& stream) const;
  /// Curves that are known already; `state` must outlive the passes that read it directly.
  void upload(const EnhanceState::Impl& state, Stream& stream);
  /// Findings from before the run; null if the run makes them.
  const EnhanceState::Impl* known() const { return known_; }
  /// Adds a stage's counts; waits for the device.
  void add_counts(int stage, SweepCounts& counts, Stream& stream) const;
  /// Waits for the device.
  void download(std::vector<StageFinding>& findings, Stream& stream) const;

 private:
  struct Place {
    std::size_t counts = 0, curve = 0, limits = 0;  ///< bytes into the memory
    int groups = 0;                                 ///< for all planes; 0: the stage counts nothing
  };
  const Place& place(int stage) const { return places_[static_cast<std::size_t>(stage)]; }
  std::byte* at(std::size_t bytes) const { return memory_.as<std::byte>() + bytes; }
  int* limits(int stage) const;

  const EnhanceProblem& problem_;
  const std::vector<int>& counted_with_;
  std::vector<Place> places_;
  std::size_t counts_bytes_ = 0;  ///< those of all stages come first
  Scratch memory_;
  bool counting_ = false;
  const EnhanceState::Impl* known_ = nullptr;
};

}  // namespace tessera
