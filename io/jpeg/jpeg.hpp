// SPDX-License-Identifier: Apache-2.0
/// JPEG pictures, through libjpeg-turbo.
///
/// Read: baseline and progressive files with 8 bits; grey has 1 channel, YCbCr and RGB become 3.
/// Pixels are as stored. Written: u8 with 1 or 3 channels. EXIF data, resolution and colour profile
/// are read and written.
#pragma once

#include "io/formats.hpp"

namespace tessera {

Format jpeg_format();

}  // namespace tessera
