// SPDX-License-Identifier: Apache-2.0
/// The one thing Tessera tells of a photograph's EXIF data.
#pragma once

#include <span>
#include <string>

namespace tessera {

/// 1 to 8 as in TIFF, or 0 where an APP1 segment has no orientation (or is damaged).
int exif_orientation(std::span<const unsigned char> segment);

/// "6: to be turned a quarter clockwise".
std::string orientation_text(int orientation);

}  // namespace tessera
