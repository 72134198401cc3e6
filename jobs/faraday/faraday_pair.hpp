// SPDX-License-Identifier: Apache-2.0
/// Real and imaginary part in files: two files with related names, or HDUs of one file.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "jobs/faraday/faraday_cube_file.hpp"

namespace tessera {

/// The place of an image in FITS or NPY.
struct FaradayPlace {
  std::string path;
  std::optional<int> page;

  bool is_there() const;
};

struct FaradayPair {
  FaradayPlace real, imaginary;
  std::string stem, ending;  ///< the texts before and after the part of a name
  /// Another image that belongs to it: "FWHM" next to "RMSF_real.fits", or HDU 3 of "RMSF.fits".
  FaradayPlace beside(const std::string& part, int page) const;
};

/// Found by any of the files, or by the prefix of their names. `stem` is "FDF" or "RMSF", `ending`
/// "_dirty" or "". Throws Error(input) with the names tried.
FaradayPair find_faraday_pair(const std::string& named, const std::string& stem,
                              const std::string& ending);

std::unique_ptr<FaradayCubeSource> open_faraday(const FaradayPlace& place, ReadOptions reading,
                                                const RunSettings& settings);

}  // namespace tessera
