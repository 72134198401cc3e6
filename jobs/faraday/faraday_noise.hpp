// SPDX-License-Identifier: Apache-2.0
/// Noise as users give it: a number, a list with one per channel, a map with one per pixel, or a
/// cube.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "jobs/faraday/faraday_cube_file.hpp"
#include "jobs/faraday/faraday_memory.hpp"
#include "tessera/image.hpp"

namespace tessera {

/// Whether a file is a list of numbers.
bool is_faraday_list(const std::string& path);

/// A cube with one value per voxel of another. Throws Error(usage) naming both shapes.
std::unique_ptr<FaradayCubeSource> open_cube_like(const std::string& path, const char* what,
                                                  const FaradayCubeSource& cube,
                                                  const ReadOptions& reading,
                                                  FaradayMemory& memory);

/// One of the three is filled, or none. Noise that is not above 0 is not known: NaN.
struct FaradayNoise {
  std::vector<double> list;
  Image map;
  std::unique_ptr<FaradayCubeSource> cube;

  FaradayNoise() = default;
  /// `text` "": none. Throws Error for files that do not fit the cube.
  FaradayNoise(const std::string& text, const FaradayCubeSource& of, const ReadOptions& reading,
               FaradayMemory& memory);

  bool known() const { return !list.empty() || map || cube; }
  /// Planes of `to` are channels, or one for all if there is a map.
  void read(Rows rows, AnyMutableView to);
};

}  // namespace tessera
