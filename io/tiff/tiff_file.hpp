// SPDX-License-Identifier: Apache-2.0
/// Declarations that the parts of the TIFF format share: reading, writing and details.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/image_file.hpp"
#include "io/tiff/tiff_page.hpp"

namespace tessera {

/// For `tessera info`: compression, layout, byte order and other details of a page.
std::vector<FileDetail> tiff_details(const TiffFile& file, const TiffPage& page);

/// Tag 296: 1 none, 2 inch, 3 centimetre.
int tiff_resolution_unit(const TiffFile& file, const TiffPage& page);

/// Orientation, resolution, colour profile, EXIF data and description of a page; descriptions of
/// stacks (OME-XML, ImageJ) say what is no longer true of other files and count as others.
ImageMetadata tiff_metadata(const TiffFile& file, const TiffPage& page);

/// "64x64 u8", and whether a page is another version of one.
std::string tiff_kind(const TiffPage& page);

std::unique_ptr<ImageSink> create_tiff(const std::string& path, const ImageInfo& info,
                                       const WriteOptions& options);

}  // namespace tessera
