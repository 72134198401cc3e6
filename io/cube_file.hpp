// SPDX-License-Identifier: Apache-2.0
/// Image files that an ordinary image has no words for: FITS with all its axes, those of length 1
/// too, several images in one file, and a last word in the history when the work is done.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "io/image_file.hpp"

namespace tessera {

struct CubeToWrite {
  ImageInfo info;
  std::vector<long long> axes;  ///< of a FITS, NAXIS1 first: as many numbers as `info` has
  WriteOptions how;
  /// Asked when all is written: a line of history of up to 70 characters. Empty: none.
  std::function<std::string()> last_words;
};

/// A sink an image. More than one: .fits alone has room for them, as HDUs. The file appears, whole,
/// when all sinks are finished. Throws Error(usage).
std::vector<std::unique_ptr<ImageSink>> create_cubes(const std::string& path,
                                                     const std::vector<CubeToWrite>& cubes);

/// The same for FITS, where it is built in.
std::vector<std::unique_ptr<ImageSink>> create_fits_cubes(const std::string& path,
                                                          const std::vector<CubeToWrite>& cubes);

}  // namespace tessera
