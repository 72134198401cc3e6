// SPDX-License-Identifier: Apache-2.0
/// What a picture's file says besides its pixels. Tessera changes none of it: files that can hold
/// it carry it on (docs/files.md).
#pragma once

#include <string>
#include <vector>

namespace tessera {

struct ImageMetadata {
  /// 1 to 8 as in TIFF and EXIF; pixels are as stored, 1 says that they are upright.
  int orientation = 1;
  bool white_is_zero = false;   ///< a grey TIFF whose smallest value is white
  double across = 0, down = 0;  ///< pixels per inch, or per centimetre; 0: not given
  bool per_inch = true;
  std::string profile;      ///< an ICC colour profile
  std::string exif;         ///< as EXIF defines it, from its byte order on
  std::string description;  ///< ImageDescription of TIFF and EXIF, Description of PNG
  /// What the file has besides and no other file can take over, in words: "EXIF data".
  std::vector<std::string> others;

  bool operator==(const ImageMetadata&) const = default;
};

}  // namespace tessera
