// SPDX-License-Identifier: Apache-2.0
/// Samples that were stored as differences to their neighbours.
#pragma once

#include <string>

#include "io/tiff/tiff_page.hpp"

namespace tessera {

/// Why the page's predictor does not fit its samples; empty if it does.
std::string wrong_predictor(const TiffPage& page);

/// Turns rows of a block that have just been decompressed into samples in this machine's byte
/// order. `swapped`: the file is in the other order.
void undo_predictor(const TiffPage& page, bool swapped, unsigned char* rows, long long count);

}  // namespace tessera
