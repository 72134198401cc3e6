// SPDX-License-Identifier: Apache-2.0
/// Puts the samples of a block into another order and into plain two's complement.
#pragma once

#include "io/voltages/voltage_file.hpp"

namespace tessera {

/// Integers become two's complement, the real part of ci4 becomes the high half of its byte,
/// invalid samples become zero. `out` has room for everything that `to` addresses.
void gather_voltages(const VoltageInfo& info, const VoltageBlock& block, const VoltageLayout& to,
                     unsigned char* out);

}  // namespace tessera
