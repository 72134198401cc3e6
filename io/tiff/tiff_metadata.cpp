// SPDX-License-Identifier: Apache-2.0
#include <tiffio.h>

#include <string_view>

#include "io/tiff/tiff_exif.hpp"
#include "io/tiff/tiff_file.hpp"

namespace tessera {
namespace {

/// Colour profiles have some hundred kilobytes at most, descriptions in words less.
constexpr long long kMostProfile = 16LL << 20, kMostDescription = 64LL << 10;

std::string profile_of(const TiffFile& file, const TiffPage& page) {
  const TiffEntry* entry = page.directory.find(TIFFTAG_ICCPROFILE);
  if (!entry || tiff_type_bytes(entry->type) != 1 || entry->count < 1 ||
      entry->count > kMostProfile)
    return "";
  std::string bytes(static_cast<std::size_t>(entry->count), '\0');
  if (file.file().read_some(entry->offset, bytes.data(), entry->count) != entry->count) return "";
  return bytes;
}

void add_resolution(const TiffFile& file, const TiffPage& page, ImageMetadata& metadata) {
  const int unit = tiff_resolution_unit(file, page);
  const double across = tiff_rational(file, page.directory, TIFFTAG_XRESOLUTION);
  const double down = tiff_rational(file, page.directory, TIFFTAG_YRESOLUTION);
  if (unit == RESUNIT_NONE || across <= 0 || down <= 0) return;
  metadata.across = across;
  metadata.down = down;
  metadata.per_inch = unit == RESUNIT_INCH;
}

void add_description(const TiffFile& file, const TiffPage& page, ImageMetadata& metadata) {
  std::string text =
      tiff_text(file, page.directory, TIFFTAG_IMAGEDESCRIPTION, kMostDescription + 1);
  if (text.find("<OME") != std::string::npos)
    metadata.others.emplace_back("description of a stack (OME-XML)");
  else if (text.starts_with("ImageJ="))
    metadata.others.emplace_back("description of a stack (ImageJ)");
  else if (static_cast<long long>(text.size()) > kMostDescription)
    metadata.others.emplace_back("description");
  else if (!text.starts_with("{\"shape\"") && text != "{}")  // tifffile's, true of that file alone
    metadata.description = std::move(text);
}

}  // namespace

ImageMetadata tiff_metadata(const TiffFile& file, const TiffPage& page) {
  ImageMetadata metadata;
  if (page.orientation >= ORIENTATION_TOPLEFT && page.orientation <= ORIENTATION_LEFTBOT)
    metadata.orientation = page.orientation;
  metadata.white_is_zero = page.photometric == PHOTOMETRIC_MINISWHITE;
  add_resolution(file, page, metadata);
  metadata.profile = profile_of(file, page);
  add_description(file, page, metadata);
  add_tiff_exif(file, page.directory, metadata);
  return metadata;
}

}  // namespace tessera
