// SPDX-License-Identifier: Apache-2.0
/// What a file's header may ask for, checked before anything is allocated.
#pragma once

#include <string>

#include "tessera/view.hpp"

namespace tessera {

struct ReadLimits {
  long long side = 1 << 20;  ///< the greatest width and height
  long long bytes = 0;       ///< the greatest size of all samples; 0: none but the machine's
};

/// Extents as a header gives them, not yet to be trusted.
struct ClaimedSize {
  long long width = 0, height = 1, channels = 1, planes = 1;
};

/// The image a header describes; throws Error(input) naming the file and the number that is out of
/// bounds.
ImageInfo checked_info(const std::string& path, const ClaimedSize& size, Type type,
                       const ReadLimits& limits);

/// Throws Error(resources) when the samples of such an image do not fit in free memory.
void check_memory(const std::string& path, const ImageInfo& info);

}  // namespace tessera
