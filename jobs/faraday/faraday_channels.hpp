// SPDX-License-Identifier: Apache-2.0
/// Frequencies, weights and noise of a job's channels.
#pragma once

#include <limits>
#include <string>

#include "jobs/faraday/faraday_synth_job.hpp"

namespace tessera {

/// Properties of the channels, known before a pixel is transformed.
struct FaradayJobChannels {
  FaradayAxes axes;
  int dead = 0;
  double noise = std::numeric_limits<double>::quiet_NaN();  ///< of the spectra, by theory
  std::string note;
};

/// From the lists that the job names, else from the header of Q; channels without a voxel do not
/// count. Throws Error for lists of the wrong length, and if no voxel is finite.
FaradayJobChannels faraday_channels_of(const FaradaySynthJob& job, FaradayInput& input);

}  // namespace tessera
