// SPDX-License-Identifier: Apache-2.0
/// The orientation, the only part of a photograph's EXIF data that Tessera reports.
#pragma once

#include <span>
#include <string>

namespace tessera {

/// 1 to 8 as in TIFF, or 0 if an APP1 segment has no orientation (or is damaged).
int exif_orientation(std::span<const unsigned char> segment);

/// "6: to be turned by 90 degrees clockwise".
std::string orientation_text(int orientation);

}  // namespace tessera
