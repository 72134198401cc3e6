// SPDX-License-Identifier: Apache-2.0
/// Down to where a job cleans: a number, so many times the noise, or a map.
#pragma once

#include <string>

#include "jobs/faraday/faraday_clean_job.hpp"
#include "jobs/faraday/faraday_cube_file.hpp"
#include "jobs/faraday/faraday_memory.hpp"
#include "tessera/image.hpp"

namespace tessera {

struct FaradayCutoff {
  FaradayCleanOptions options;  ///< of the job, cutoff and window in the units of the spectra
  Image map;                    ///< of every pixel; empty: the option counts
  std::string text;             ///< in words
};

/// Throws Error(usage) where there is none, or no noise for one that counts in it.
FaradayCutoff faraday_cutoff_of(const FaradayCleanJob& job, const FaradayCubeSource& spectra,
                                FaradayMemory& memory);

}  // namespace tessera
