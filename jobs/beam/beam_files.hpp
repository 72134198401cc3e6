// SPDX-License-Identifier: Apache-2.0
/// The files of a job on beams, looked at before anything is written.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "jobs/beam/beam_job.hpp"

namespace tessera {

/// One input: its beams in arcsec, its pixels and the meaning of its values.
struct BeamInput {
  std::string path, output;
  std::vector<std::optional<Beam>> beams;  ///< one per plane; nothing: the plane becomes blank
  SkySteps pixel;                          ///< arcsec
  BeamFlux flux = BeamFlux::per_beam;
  int without_beam = 0, beyond_cutoff = 0;
};

/// All inputs with their outputs. Throws Error for files without a beam or pixel size, for values
/// in an unknown unit, and for outputs that exist or coincide.
std::vector<BeamInput> beam_inputs(const BeamJob& job);

/// The beam to reach. Throws Error(usage) naming the file and channel that cannot reach it.
Beam target_beam(const BeamJob& job, const std::vector<BeamInput>& inputs);

}  // namespace tessera
