// SPDX-License-Identifier: Apache-2.0
/// NumPy's .npy files.
///
/// Axes are (height, width), (height, width, channels up to 4), (planes, height, width) where the
/// last is 5 or more, or (planes, height, width, channels); (width,) is one row. Both byte orders,
/// C and Fortran order.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "io/formats.hpp"

namespace tessera {

bool is_npy(std::string_view first_bytes);
std::unique_ptr<RowSource> open_npy(const std::string& path, const ReadLimits& limits);
std::unique_ptr<RowSink> create_npy(const std::string& path, const ImageInfo& info,
                                    const WriteOptions& options);

}  // namespace tessera
