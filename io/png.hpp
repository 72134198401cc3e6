// SPDX-License-Identifier: Apache-2.0
/// PNG pictures, through libpng.
///
/// Read: all colour types and depths. A palette becomes RGB, or RGBA where it has transparency; 1,
/// 2 and 4 bits of grey become u8 over the whole range; 16 bits become u16. Written: u8 and u16
/// with 1 to 4 channels (grey, grey and alpha, RGB, RGBA).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "io/formats.hpp"

namespace tessera {

bool is_png(std::string_view first_bytes);
std::unique_ptr<RowSource> open_png(const std::string& path, const ReadLimits& limits);
std::unique_ptr<RowSink> create_png(const std::string& path, const ImageInfo& info,
                                    const WriteOptions& options);

}  // namespace tessera
