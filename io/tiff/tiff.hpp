// SPDX-License-Identifier: Apache-2.0
/// TIFF files, through libtiff.
#pragma once

#include "io/formats.hpp"

namespace tessera {

Format tiff_format();

}  // namespace tessera
