// SPDX-License-Identifier: Apache-2.0
/// Where the rows that a piece of output needs are found.
#pragma once

#include <vector>

#include "tessera/border.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// For each row of `needed`: its index in the piece's view, or kNoPixel where the border gives no
/// pixel. Rows the piece holds are taken as they are; others follow the border rule. Throws
/// Error(usage) naming `operation` when the piece lacks a row.
std::vector<int> find_rows(const char* operation, Rows needed, Rows held, int image_height,
                           Border border);

}  // namespace tessera
