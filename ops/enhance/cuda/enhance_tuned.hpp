// SPDX-License-Identifier: Apache-2.0
/// Kernels of enhance that have knobs, and where tables are asked for them.
#pragma once

#include "core/kernel.hpp"
#include "ops/enhance/cuda/enhance_packed_args.cuh"
#include "ops/enhance/cuda/enhance_pass.hpp"
#include "tune/table.hpp"

namespace tessera {

inline constexpr const char* kEnhanceGreySite = "enhance.grey@1";
inline constexpr const char* kEnhanceSmoothSite = "enhance.smooth@1";

/// Knobs from a table; those it lacks keep their values.
GreyKnobs with_table(GreyKnobs knobs, const Knobs& tuned);
PackedSmoothKnobs with_table(PackedSmoothKnobs knobs, const Knobs& tuned);

/// Whether a pass, if its pixels are contiguous, uses the kernel that makes grey and counts.
bool enhance_makes_grey(const EnhancePass& pass);
KernelName enhance_grey_kernel(const EnhanceProblem& problem, const EnhancePass& pass,
                               const GreyKnobs& knobs);

/// Whether a pass, if its pixels are contiguous, uses the kernel for packed words: its image and
/// weights suit it. For unusual weights there is a kernel only with a run-time compiler.
bool enhance_packs_words(const EnhanceProblem& problem, const EnhancePass& pass);
PackedSmoothKnobs usual_packed_knobs(const EnhanceProblem& problem, const EnhancePass& pass);
/// `compiled`: at run time, for these knobs and weights of any size.
KernelName enhance_packed_kernel(const EnhanceProblem& problem, const EnhancePass& pass,
                                 const PackedSmoothKnobs& knobs, bool compiled);

}  // namespace tessera
