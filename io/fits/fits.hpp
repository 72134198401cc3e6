// SPDX-License-Identifier: Apache-2.0
/// FITS images, through cfitsio.
#pragma once

#include "io/formats.hpp"

namespace tessera {

Format fits_format();

}  // namespace tessera
