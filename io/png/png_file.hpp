// SPDX-License-Identifier: Apache-2.0
/// The two halves of the PNG format.
#pragma once

#include "io/png/png.hpp"

namespace tessera {

std::unique_ptr<ImageSink> create_png(const std::string& path, const ImageInfo& info,
                                      const WriteOptions& options);

}  // namespace tessera
