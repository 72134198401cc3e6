// SPDX-License-Identifier: Apache-2.0
/// What a FITS header says of its image, checked.
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

/// Throws Error(input) for what is no image of Tessera's or past the limits.
FitsImage fits_image(const std::string& path, const FitsHdu& hdu, const ReadLimits& limits);

/// HDU, BITPIX, axes, scaling, what it is of.
std::vector<FileDetail> fits_details(const FitsHdu& hdu, const FitsImage& image);

}  // namespace tessera
