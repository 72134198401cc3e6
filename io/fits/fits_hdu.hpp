// SPDX-License-Identifier: Apache-2.0
/// Finds the HDU of a FITS file that holds the image. This does not use cfitsio: a damaged header
/// must be refused before cfitsio sees it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/fits/fits_bytes.hpp"
#include "io/fits/fits_header.hpp"
#include "io/image_file.hpp"

namespace tessera {

struct FitsHdu {
  int number = 0;  ///< 0 is the primary HDU
  FitsHeader header;
  long long data_offset = 0;
  /// A sentence on what FITS does not allow in this or an earlier header; empty if there is
  /// nothing.
  std::string odd = {};

  /// Whether it is a table that holds the tiles of a compressed image.
  bool is_tiled() const;
  bool has_image() const;
  /// "PRIMARY", "IMAGE", "BINTABLE" …
  std::string kind() const;
  /// Without the padding of the last block; throws Error(input) past 2^63.
  long long data_bytes() const;
};

/// The axes in the cards PREFIX + "NAXISn", NAXIS1 first; throws Error(input) for impossible
/// values.
std::vector<long long> fits_axes(const FitsHeader& header, const std::string& prefix = "");

/// The HDU that begins at a byte of the file; nothing if the file ends there or continues with
/// something other than an HDU.
std::optional<FitsHdu> read_hdu(FitsBytes& bytes, int number, long long offset,
                                const ReadLimits& limits);
/// Where the next one begins.
long long next_hdu_offset(const FitsHdu& hdu);

/// The HDU that options.page or options.hdu names, otherwise the first with an image.
FitsHdu find_hdu(FitsBytes& bytes, const ReadOptions& options);

}  // namespace tessera
