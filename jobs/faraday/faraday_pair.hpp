// SPDX-License-Identifier: Apache-2.0
/// Real and imaginary part in files: apart under one name, or HDUs of one.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "jobs/faraday/faraday_cube_file.hpp"

namespace tessera {

/// Where an image of FITS or NPY lies.
struct FaradayPlace {
  std::string path;
  std::optional<int> page;

  bool is_there() const;
};

struct FaradayPair {
  FaradayPlace real, imaginary;
  std::string stem, ending;  ///< what the part of a name stands between
  /// Another image of the same: "FWHM" beside "RMSF_real.fits", or HDU 3 of "RMSF.fits".
  FaradayPlace beside(const std::string& part, int page) const;
};

/// By any of the files, or by what their names begin with. `stem` is "FDF" or "RMSF", `ending`
/// "_dirty" or "". Throws Error(input) naming what was looked for.
FaradayPair find_faraday_pair(const std::string& named, const std::string& stem,
                              const std::string& ending);

std::unique_ptr<FaradayCubeSource> open_faraday(const FaradayPlace& place, ReadOptions reading,
                                                const RunSettings& settings);

}  // namespace tessera
