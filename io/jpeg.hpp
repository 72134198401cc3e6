// SPDX-License-Identifier: Apache-2.0
/// JPEG pictures, through libjpeg-turbo.
#pragma once

#include "io/formats.hpp"

namespace tessera {

Format jpeg_format();

}  // namespace tessera
