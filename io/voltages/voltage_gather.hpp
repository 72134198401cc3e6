// SPDX-License-Identifier: Apache-2.0
/// Samples of a block put into another order, as they are meant.
#pragma once

#include "io/voltages/voltage_file.hpp"

namespace tessera {

/// Integers become two's complement, the real part of ci4 the high half of its byte, invalid
/// samples zero. `out` has room for all that `to` reaches.
void gather_voltages(const VoltageInfo& info, const VoltageBlock& block, const VoltageLayout& to,
                     unsigned char* out);

}  // namespace tessera
