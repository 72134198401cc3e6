// SPDX-License-Identifier: Apache-2.0
/// ImageJ's layout for stacks of more than 4 GB: a directory for the first image only, and the
/// others behind it, one after the other.
#pragma once

#include <string>
#include <vector>

#include "io/tiff/tiff_page.hpp"

namespace tessera {

struct TiffImages {
  int count = 0;        ///< 0: every image has its directory
  long long bytes = 0;  ///< from one image to the next
  /// A sentence if the file ends before the last image does; empty if it does not.
  std::string missing;
};

/// `first` is the page of the first of `directories`, `description` its text. Throws Error(input)
/// for more images than max-pages allows.
TiffImages find_tiff_images(const TiffFile& file, const TiffPage& first,
                            const std::vector<long long>& directories,
                            const std::string& description, const ReadLimits& limits);

/// Page `number` of such a stack.
TiffPage tiff_image(const TiffFile& file, const TiffPage& first, const TiffImages& images,
                    int number);

}  // namespace tessera
