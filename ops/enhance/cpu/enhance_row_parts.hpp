// SPDX-License-Identifier: Apache-2.0
/// Parts of the row functions in separate files: each fills in some of them.
#pragma once

#include "ops/enhance/cpu/enhance_rows.hpp"

namespace tessera {

/// compare, count_ranges
void add_guess_rows(EnhanceRows<std::uint8_t>&);
void add_guess_rows(EnhanceRows<std::uint16_t>&);
/// follow
void add_curve_rows(EnhanceRows<std::uint8_t>&);
void add_curve_rows(EnhanceRows<std::uint16_t>&);
/// weigh, smooth16, smooth32
void add_smooth_rows(EnhanceRows<std::uint8_t>&);
void add_smooth_rows(EnhanceRows<std::uint16_t>&);

}  // namespace tessera
