// SPDX-License-Identifier: Apache-2.0
/// Exceptions of the C++ library as sentences.
#pragma once

#include "tessera/error.hpp"

namespace tessera {

/// The exception that is being handled: an Error as it is; lack of memory and failed calls of the
/// system with their kinds; anything else is a defect, and the sentence says so. Call it in a catch
/// handler.
Error current_failure();

}  // namespace tessera
