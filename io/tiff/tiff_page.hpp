// SPDX-License-Identifier: Apache-2.0
/// The contents of a page of a TIFF and their places: its directory, decoded and checked.
#pragma once

#include <string>

#include "io/tiff/tiff_directory.hpp"
#include "io/tiff/tiff_samples.hpp"
#include "tessera/error.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// A page that is valid but has contents that Tessera has no type for: CMYK, complex numbers, five
/// channels.
struct UnsupportedTiff : Error {
  using Error::Error;
};

/// Blocks are tiles or strips; strips are as wide as the image.
struct TiffBlockGrid {
  bool tiled = false, separate = false;  ///< separate: a block holds one channel
  long long width = 0, height = 0;       ///< of a block
  long long across = 1, down = 1;
  int channels = 1;         ///< of the stored image
  long long row_bytes = 0;  ///< of a row of a block after decompression

  int block_channels() const { return separate ? 1 : channels; }
  int planes() const { return separate ? channels : 1; }
  long long count() const { return across * down * planes(); }
  long long index(int plane, long long down_at, long long across_at) const {
    return (plane * down + down_at) * across + across_at;
  }
};

struct TiffPage {
  TiffDirectory directory;
  ImageInfo info;  ///< one plane
  TiffCoding coding;
  TiffBlockGrid grid;
  int compression = 1, photometric = 1, predictor = 1, fill_order = 1, orientation = 1;
  bool other_version = false;  ///< a reduced picture or a mask of another page
  bool to_rgb = false;         ///< YCbCr that the JPEG codec turns into RGB
  TiffValues offsets, counts;  ///< of the blocks; counts may be missing if nothing is compressed
  long long shift = 0;         ///< bytes to add to offsets: an image without its own directory

  bool compressed() const { return compression != 1; }
  const std::string& where() const { return directory.where; }
  /// Rows of the image in the blocks of this row of blocks.
  Rows rows_of(long long down_at) const;
  /// "strip 3 (rows 48 to 63)"
  std::string name_of(long long block) const;
};

/// Throws Error(input) for a page that contradicts itself, UnsupportedTiff for a kind that cannot
/// be read.
TiffPage read_tiff_page(const TiffFile& file, long long offset, int page, const ReadLimits& limits);

/// Names for `tessera info` and messages: "LZW", "YCbCr".
std::string tiff_compression_name(int compression);
std::string tiff_photometric_name(int photometric);

}  // namespace tessera
