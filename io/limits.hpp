// SPDX-License-Identifier: Apache-2.0
/// Checks of the sizes in a file's header, made before anything is allocated.
#pragma once

#include <string>

#include "tessera/image_files.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// Sizes as a header gives them, not yet checked.
struct ClaimedSize {
  long long width = 0, height = 1, channels = 1, planes = 1;
};

/// The image that a header describes; throws Error(input) that names the file and the number that
/// is out of bounds.
ImageInfo checked_info(const std::string& path, const ClaimedSize& size, Type type,
                       const ReadLimits& limits);

/// For images that must be in memory as a whole; throws Error(input) past max-pixels,
/// Error(resources) past max-bytes or the free memory.
void check_memory(const std::string& path, const ImageInfo& info, const ReadLimits& limits);

/// For compressed samples, stored in `file_bytes`; throws Error(input) past max-expansion.
void check_expansion(const std::string& path, const ImageInfo& info, long long file_bytes,
                     const ReadLimits& limits);
/// The same for bytes of any kind.
void check_expansion(const std::string& path, long long bytes, long long file_bytes,
                     const ReadLimits& limits);

/// Throws Error(input) past max-tags or max-pages; `what` is "tags" or "pages".
void check_count(const std::string& path, const char* what, long long count, long long most);

}  // namespace tessera
