// SPDX-License-Identifier: Apache-2.0
/// NumPy's .npy files.
///
/// Axes are (height, width), (height, width, channels up to 4), (planes, height, width) if the last
/// is 5 or more, or (planes, height, width, channels); (width,) is one row. Both byte orders, C and
/// Fortran order.
#pragma once

#include "io/formats.hpp"

namespace tessera {

Format npy_format();

}  // namespace tessera
