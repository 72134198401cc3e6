// SPDX-License-Identifier: Apache-2.0
/// EXIF data in a TIFF: tags of a page, and directories that the page points to. Other formats hold
/// the same tags as one block of bytes, a TIFF header without pixels.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "io/tiff/tiff_directory.hpp"
#include "io/tiff/tiff_fields.hpp"
#include "tessera/image_metadata.hpp"

namespace tessera {

/// Tags that say nothing of pixels and where they lie, so that other files may have them.
struct ExifDirectory {
  struct Field {
    int tag, type;
    long long count;
    std::string values;  ///< in this machine's byte order
  };
  std::vector<Field> fields;
  std::map<int, ExifDirectory> parts;  ///< directories, by the tag that points to them

  long long bytes() const;  ///< at most, in any TIFF
};

/// Sets `exif` of a page whose other metadata is known; what cannot be read counts as others.
void add_tiff_exif(const TiffFile& file, const TiffDirectory& page, ImageMetadata& metadata);

/// All of a block of EXIF data that a TIFF can hold: thumbnails and damaged parts are left out.
ExifDirectory tiff_exif(const std::string& block);

/// Adds all of it to the fields of a page; returns the bytes of its directories, placed at
/// `offset`.
std::string add_exif(const ExifDirectory& exif, long long offset, TiffFields& page);

}  // namespace tessera
