// SPDX-License-Identifier: Apache-2.0
/// The two halves of the JPEG format.
#pragma once

#include "io/jpeg/jpeg.hpp"

namespace tessera {

std::unique_ptr<ImageSink> create_jpeg(const std::string& path, const ImageInfo& info,
                                       const WriteOptions& options);

}  // namespace tessera
