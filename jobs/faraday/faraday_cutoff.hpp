// SPDX-License-Identifier: Apache-2.0
/// The residual at which a job stops cleaning: a number, a multiple of the noise, or a map.
#pragma once

#include <string>

#include "jobs/faraday/faraday_clean_job.hpp"
#include "jobs/faraday/faraday_cube_file.hpp"
#include "jobs/faraday/faraday_memory.hpp"
#include "tessera/image.hpp"

namespace tessera {

struct FaradayCutoff {
  FaradayCleanOptions options;  ///< of the job, cutoff and window in the units of the spectra
  Image map, window;            ///< of every pixel; empty: the option is used
  std::string text;             ///< in words
};

/// Throws Error(usage) if there is none, or if it is a multiple of a noise that is not given.
FaradayCutoff faraday_cutoff_of(const FaradayCleanJob& job, const FaradayCubeSource& spectra,
                                FaradayMemory& memory);

}  // namespace tessera
