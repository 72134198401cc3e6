// SPDX-License-Identifier: Apache-2.0
/// The option upright: an image whose file says how it is to be turned, turned.
#pragma once

#include <memory>

#include "io/image_file.hpp"

namespace tessera {

/// `source` itself if its pixels are upright already. An image that is only mirrored or turned by
/// 180 degrees is read row by row; otherwise planes are held in memory, one at a time: throws
/// Error(resources) if that exceeds the limits.
std::unique_ptr<ImageSource> upright_source(std::unique_ptr<ImageSource> source,
                                            const std::string& path, const ReadLimits& limits);

}  // namespace tessera
