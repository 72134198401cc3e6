// SPDX-License-Identifier: Apache-2.0
/// Frequencies, weights and noise of a job's channels.
#pragma once

#include <string>
#include <vector>

#include "jobs/faraday/faraday_synth_job.hpp"
#include "jobs/faraday/faraday_voxels.hpp"

namespace tessera {

/// Properties of the channels, known before a pixel is transformed.
struct FaradayJobChannels {
  FaradayAxes axes;
  int dead = 0;
  std::vector<double> sigma;  ///< noise of channels; empty: not known, or it differs between pixels
  std::string note;
};

/// From a list of frequencies, which must agree with the files if there is one per channel (they
/// are sorted) unless others are allowed; "": those that the cube states.
std::vector<double> faraday_frequencies(const std::string& list, const FaradayCubeSource& cube,
                                        bool allow_others);

/// From the lists that the job names, else from the header of Q; channels without a voxel do not
/// count. Afterwards `voxels` can be read. Throws Error for lists of the wrong length, and if no
/// voxel is finite.
FaradayJobChannels faraday_channels_of(const FaradaySynthJob& job, FaradayVoxelInput& voxels);

}  // namespace tessera
