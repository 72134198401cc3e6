// SPDX-License-Identifier: Apache-2.0
/// Adaptive histogram equalisation on the host: what its sweeps count, the curves of its tiles, its
/// pixels. Every function treats all planes and groups of channels; alpha is copied. Sweeps are
/// counted from the stage's first.
#pragma once

#include <cstddef>

#include "ops/enhance/enhance_problem.hpp"

namespace tessera {

/// How often the image is gone through before its first pixel can be made.
int clahe_sweeps(const EnhanceProblem&);
/// Values that a sweep adds up for a plane and group.
std::size_t clahe_values(const EnhanceProblem&, const EnhanceStage&, int sweep);
/// Adds `rows` of the image before the stage; `in` holds them. Any cut into rows leads
/// to the same finding.
void clahe_look(const EnhanceProblem&, const EnhanceStage&, const StageFinding&, int sweep,
                const Piece& in, Rows rows, SweepCounts& counts, const Stream& stream);
/// What a sweep's counts, now in finding.sweeps, say: after the last one finding.curve has the
/// curves of all tiles.
void clahe_finish(const EnhanceProblem&, const EnhanceStage&, int sweep, StageFinding& finding);
/// Rows of the result; `in` holds the same rows.
void clahe_make(const EnhanceProblem&, const EnhanceStage&, const StageFinding&, const Piece& in,
                const MutablePiece& out, const Stream& stream);

/// The definition, step by step over the whole image, in plain code of its own: what all the above
/// must equal byte for byte.
void clahe_reference(const EnhanceProblem&, const EnhanceStage&, AnyView in, AnyMutableView out);

}  // namespace tessera
