// SPDX-License-Identifier: Apache-2.0
/// PNG pictures, through libpng.
///
/// Read: all colour types and depths. A palette becomes RGB, or RGBA if it has transparency; 1, 2
/// and 4 bits of grey become u8 over the whole range; 16 bits become u16. Written: u8 and u16 with
/// 1 to 4 channels (grey, grey and alpha, RGB, RGBA).
#pragma once

#include "io/formats.hpp"

namespace tessera {

Format png_format();

}  // namespace tessera
