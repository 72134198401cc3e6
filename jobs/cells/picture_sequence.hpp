// SPDX-License-Identifier: Apache-2.0
/// Picture files as the planes of one image.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/image_file.hpp"

namespace tessera {

/// All have the first one's size and type; this is checked when each is read. Throws Error(input).
std::unique_ptr<ImageSource> open_pictures(const std::vector<std::string>& files,
                                           const ReadOptions& options);

}  // namespace tessera
