// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "io/ms/ms_interface.h"

namespace tessera {

/// The functions of libtessera_casacore.so, which is opened now if it has not been. Throws
/// Error(failure) that begins with `what` if it is not installed, cannot be opened or is of another
/// version.
const TesseraMsPlugin& ms_plugin(const std::string& what);

}  // namespace tessera
