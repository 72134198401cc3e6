// SPDX-License-Identifier: Apache-2.0
/// Adaptive histogram equalisation on the host: the counts of its sweeps, the curves of its tiles,
/// its pixels. Every function handles all planes and groups of channels; alpha is copied. Sweeps
/// are counted from the first of the stage.
#pragma once

#include <cstddef>

#include "ops/enhance/enhance_problem.hpp"

namespace tessera {

/// The number of sweeps over the image before its first pixel can be made.
int clahe_sweeps(const EnhanceProblem&);
/// Whether that sweep of floats finds their range: the largest of its numbers counts, not their
/// sum.
bool clahe_measures_range(const EnhanceProblem&, const EnhanceStage&, int sweep);
/// Counts of a sweep per plane and group.
std::size_t clahe_values(const EnhanceProblem&, const EnhanceStage&, int sweep);
/// Adds `rows` of the image before the stage, which are in `in`. However the image is cut into
/// rows, the finding is the same.
void clahe_look(const EnhanceProblem&, const EnhanceStage&, const StageFinding&, int sweep,
                const Piece& in, Rows rows, SweepCounts& counts, const Stream& stream);
/// Evaluates a sweep's counts, now in finding.sweeps: after the last sweep finding.curve has the
/// curves of all tiles, which threads share.
void clahe_finish(const EnhanceProblem&, const EnhanceStage&, int sweep, StageFinding& finding,
                  int threads = 1);
/// Rows of the result; the same rows are in `in`.
void clahe_make(const EnhanceProblem&, const EnhanceStage&, const StageFinding&, const Piece& in,
                const MutablePiece& out, const Stream& stream);

/// The definition, step by step over the whole image, in separate plain code: all the above must
/// equal it byte for byte.
void clahe_reference(const EnhanceProblem&, const EnhanceStage&, AnyView in, AnyMutableView out);

}  // namespace tessera
