// SPDX-License-Identifier: Apache-2.0
/// The part of the row functions that smooths.
#pragma once

#include "ops/enhance/enhance_rows.hpp"

namespace tessera {

/// Fills in weigh, smooth16 and smooth32.
void add_smooth_rows(EnhanceRows<std::uint8_t>&);
void add_smooth_rows(EnhanceRows<std::uint16_t>&);

}  // namespace tessera
