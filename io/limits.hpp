// SPDX-License-Identifier: Apache-2.0
/// What a file's header may ask for, checked before anything is allocated.
#pragma once

#include <string>

#include "tessera/image_files.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// Extents as a header gives them, not yet to be trusted.
struct ClaimedSize {
  long long width = 0, height = 1, channels = 1, planes = 1;
};

/// The image a header describes; throws Error(input) naming the file and the number that is out of
/// bounds.
ImageInfo checked_info(const std::string& path, const ClaimedSize& size, Type type,
                       const ReadLimits& limits);

/// For what has to be held whole; throws Error(input) past --max-pixels, Error(resources) past
/// --max-bytes or what is free.
void check_memory(const std::string& path, const ImageInfo& info, const ReadLimits& limits);

/// For compressed samples, stored in `file_bytes`; throws Error(input) past --max-expansion.
void check_expansion(const std::string& path, const ImageInfo& info, long long file_bytes,
                     const ReadLimits& limits);
/// The same for bytes of any kind.
void check_expansion(const std::string& path, long long bytes, long long file_bytes,
                     const ReadLimits& limits);

/// Throws Error(input) past --max-tags or --max-pages; `what` is "tags" or "pages".
void check_count(const std::string& path, const char* what, long long count, long long most);

}  // namespace tessera
