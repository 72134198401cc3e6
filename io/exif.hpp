// SPDX-License-Identifier: Apache-2.0
/// EXIF data of photographs: a TIFF header without pixels, which JPEG and PNG hold; a TIFF has its
/// tags and directories among its own (io/tiff/tiff_exif.hpp).
#pragma once

#include <string>
#include <string_view>

#include "tessera/image_metadata.hpp"

namespace tessera {

/// Adds what EXIF data says of a picture: orientation, description, resolution, and all of it if
/// it says more. Data that is not EXIF is left out.
void add_exif(std::string_view exif, ImageMetadata& metadata);

/// The EXIF data to write: the input's with its orientation replaced, or new data with orientation
/// and description if only these are known; empty if there is nothing to say.
std::string exif_to_write(const ImageMetadata& metadata, bool with_description);

/// "6: to be turned by 90 degrees clockwise".
std::string orientation_text(int orientation);

}  // namespace tessera
