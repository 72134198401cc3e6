// SPDX-License-Identifier: Apache-2.0
/// What a format can say besides pixels, and what is left of an input's metadata in it.
#pragma once

#include <string>
#include <vector>

#include "tessera/image_metadata.hpp"
#include "tessera/view.hpp"

namespace tessera {

struct MetadataKinds {
  bool orientation = false, white_is_zero = false, resolution = false, profile = false,
       exif = false, description = false;
  bool whole_resolution = false;  ///< in whole numbers of 16 bits
  long long most_bytes = 0;       ///< of EXIF data, a description; 0: any
};

struct HeldMetadata {
  ImageMetadata held;
  std::vector<std::string> lost;  ///< in words: "colour profile"
};

/// A colour profile is held only by images with its number of colours.
HeldMetadata held_metadata(const MetadataKinds& kinds, const ImageInfo& info,
                           const ImageMetadata& metadata);

}  // namespace tessera
