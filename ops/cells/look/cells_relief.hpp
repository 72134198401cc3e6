// SPDX-License-Identifier: Apache-2.0
/// Pictures with relief, as of differential interference contrast: what is bright on one side and
/// dark on the other is the slope of something round, and becomes round again by integration along
/// the direction of the light.
#pragma once

#include <optional>
#include <vector>

#include "ops/cells/cells_problem.hpp"
#include "ops/cells/frames/cells_samples.hpp"
#include "tessera/convolve.hpp"

namespace tessera {

/// The direction from the bright to the dark sides in radians, if a few of the frames show relief:
/// many circles have one of the other sign next to them, in a common direction, and integrated
/// frames have circles of one sign instead.
std::optional<double> measure_relief(const CellsProblem& problem, const CellsSamples& samples,
                                     Stream& stream);

/// Integrates frames.
class CellsRelief {
 public:
  CellsRelief(Size frame, double direction);
  /// One plane per film, in any memory; the result is on the host, in float.
  Image integrated(AnyView frames, Stream& stream) const;

 private:
  Convolve plan_;
};

}  // namespace tessera
