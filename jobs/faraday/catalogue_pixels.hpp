// SPDX-License-Identifier: Apache-2.0
/// Faraday spectra of single pixels of a cube: what their peaks are and what they owe to their
/// channels.
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "jobs/faraday/faraday_channels.hpp"
#include "jobs/faraday/faraday_memory.hpp"
#include "jobs/faraday/faraday_strips.hpp"
#include "jobs/progress.hpp"

namespace tessera {

/// Values of a pixel, NaN if it has no data.
struct CataloguePixel {
  Point at{0, 0};
  std::array<double, Names<FaradayMap>::list.size()> maps = {};  ///< in the order of FaradayMap
  double fwhm = std::numeric_limits<double>::quiet_NaN();
  /// Second moment of the components of RM-CLEAN, rad/m^2; NaN: not cleaned, or there are none.
  double width = std::numeric_limits<double>::quiet_NaN();
  double noise_chan = std::numeric_limits<double>::quiet_NaN();  ///< the median of its channels
  double low = 0, high = 0;  ///< the first and last frequency that it has, Hz
  int channels = 0;          ///< that count

  double value(FaradayMap map) const { return maps[static_cast<std::size_t>(map)]; }
};

struct CataloguePixelsOf {
  FaradayVoxelInput& voxels;
  const FaradayJobChannels& channels;
  const FaradayOptions& options;
  bool fit_rmsf = false;
  std::optional<FaradayCleanOptions> clean = {};
};

struct CataloguePixels {
  std::string ran, clean_ran;  ///< plans in words
  std::vector<CataloguePixel> pixels;
};

/// In the order given. Rows of the cubes that hold none of them are not read.
CataloguePixels measure_pixels(const CataloguePixelsOf& of, const std::vector<Point>& pixels,
                               FaradayMemory& memory, const Progress& progress);

}  // namespace tessera
