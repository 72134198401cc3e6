// SPDX-License-Identifier: Apache-2.0
/// The image that a FITS header describes, checked.
#pragma once

#include <vector>

#include "io/fits/fits_hdu.hpp"
#include "io/fits/fits_samples.hpp"

namespace tessera {

struct FitsImage {
  FitsNumbers numbers;
  std::vector<long long> axes;  ///< NAXIS1 first
  ImageInfo info;
};

/// Throws Error(input) if Tessera cannot hold the image or it exceeds the limits.
FitsImage fits_image(const std::string& path, const FitsHdu& hdu, const ReadLimits& limits);

/// HDU, BITPIX, axes, scaling, compression, object and unit.
std::vector<FileDetail> fits_details(const FitsHdu& hdu, const FitsImage& image);

}  // namespace tessera
