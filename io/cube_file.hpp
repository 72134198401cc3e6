// SPDX-License-Identifier: Apache-2.0
/// Files that hold more than an ordinary image: FITS with all axes including those of length 1,
/// several images in one file, and a last line of history that is added when the work is done.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "io/image_file.hpp"

namespace tessera {

struct CubeToWrite {
  ImageInfo info;
  std::vector<long long>
      axes;  ///< of the FITS image, NAXIS1 first; their product is the number of samples of `info`
  WriteOptions how;
  /// Called when everything is written; returns a line of history of up to 70 characters. Empty: no
  /// line.
  std::function<std::string()> last_words;
};

/// One sink per image. Only .fits has room for more than one, as HDUs. The complete file appears
/// when all sinks are finished. Throws Error(usage).
std::vector<std::unique_ptr<ImageSink>> create_cubes(const std::string& path,
                                                     const std::vector<CubeToWrite>& cubes);

/// The same for FITS, if this build has it.
std::vector<std::unique_ptr<ImageSink>> create_fits_cubes(const std::string& path,
                                                          const std::vector<CubeToWrite>& cubes);

}  // namespace tessera
