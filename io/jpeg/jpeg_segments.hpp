// SPDX-License-Identifier: Apache-2.0
/// The segments of a JPEG that describe its picture: APP1 with EXIF data, APP2 with parts of a
/// colour profile. They are read without libjpeg, which would keep any number of them in memory.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/file.hpp"
#include "tessera/image_metadata.hpp"

namespace tessera {

/// Most bytes of EXIF data in a segment.
inline constexpr long long kMostExifBytes = 65533 - 6;

/// EXIF data and the colour profile, each empty if it is missing or damaged.
ImageMetadata jpeg_metadata(const File& file);

struct JpegSegment {
  int marker;
  std::string bytes;
};

/// The segments that hold EXIF data and colour profile of a file to be written.
std::vector<JpegSegment> jpeg_segments(const ImageMetadata& metadata);

}  // namespace tessera
