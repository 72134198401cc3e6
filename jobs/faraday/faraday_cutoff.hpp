// SPDX-License-Identifier: Apache-2.0
/// The residual at which a job stops cleaning: a number, a multiple of the noise, or a map.
#pragma once

#include <optional>
#include <string>

#include "jobs/faraday/faraday_clean_job.hpp"
#include "jobs/faraday/faraday_cube_file.hpp"
#include "jobs/faraday/faraday_memory.hpp"
#include "tessera/image.hpp"

namespace tessera {

/// The noise of spectra as given: a number, an image, or nothing.
struct FaradayGivenNoise {
  std::optional<double> number;
  Image image;

  bool is_known() const { return number || image; }
  /// NaN if it is not known.
  double at(int x, int y) const;
};

struct FaradayCutoff {
  FaradayCleanOptions options;  ///< of the job, cutoff and window in the units of the spectra
  Image map, window;            ///< of every pixel; empty: the option is used
  FaradayGivenNoise noise;      ///< read if a level or a map needs it
  std::string text;             ///< in words
};

/// Throws Error(usage) if there is none, or if it is a multiple of a noise that is not given.
FaradayCutoff faraday_cutoff_of(const FaradayCleanJob& job, const FaradayCubeSource& spectra,
                                FaradayMemory& memory);

}  // namespace tessera
