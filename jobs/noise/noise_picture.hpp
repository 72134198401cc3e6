// SPDX-License-Identifier: Apache-2.0
/// The picture of an image and its maps.
#pragma once

#include <string>
#include <vector>

#include "jobs/noise/noise_outputs.hpp"
#include "jobs/noise/noise_small.hpp"
#include "jobs/picture.hpp"

namespace tessera {

struct NoisePicture {
  const NoiseInput& input;
  const std::vector<NoiseProduct>& products;
  const NoiseSmall& small;
  const std::string& path;
  bool force = false;
};

/// The image, then all maps that are made. Maps of the sky (FITS) have row 0 at the bottom.
Picture draw_noise_picture(const NoisePicture& what);

}  // namespace tessera
