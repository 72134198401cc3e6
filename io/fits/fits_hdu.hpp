// SPDX-License-Identifier: Apache-2.0
/// Which HDU of a FITS file has the image, and where it lies. This walk is our own: a damaged
/// header must be refused before cfitsio sees it.
#pragma once

#include <vector>

#include "io/fits/fits_bytes.hpp"
#include "io/fits/fits_header.hpp"
#include "io/image_file.hpp"

namespace tessera {

struct FitsHdu {
  int number = 0;  ///< 0 is the primary one
  FitsHeader header;
  long long data_offset = 0;

  /// A table that holds the tiles of a compressed image.
  bool is_tiled() const;
  bool has_image() const;
  /// "PRIMARY", "IMAGE", "BINTABLE" …
  std::string kind() const;
  /// Without what fills the last block; throws Error(input) past 2^63.
  long long data_bytes() const;
};

/// The axes as PREFIX + "NAXISn" give them, NAXIS1 first; throws Error(input) for what cannot be.
std::vector<long long> fits_axes(const FitsHeader& header, const std::string& prefix = "");

/// The HDU that options.page names, else the first with an image.
FitsHdu find_hdu(FitsBytes& bytes, const ReadOptions& options);

}  // namespace tessera
