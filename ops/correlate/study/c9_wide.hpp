// SPDX-License-Identifier: Apache-2.0
/// What the paper expected of CPUs to come: multiply-adds in one instruction, and wider vectors.
#pragma once

#include <string>

namespace tessera {

/// A row of shifts: `pixels` holds four samples per pixel, `map` gets `shifts` values.
using WideSums = void (*)(const float* pixels, int side, int shifts, int dy, float* map);

/// `fused`: the paper's 128-bit vectors with fused multiply-adds; `wide`: vectors as wide as the
/// target's, of several pixels; `eight`: the same for eight neighbouring shifts at once, each with
/// its own sum.
enum class WideForm : int { fused, wide, eight };

/// Compiled for one of isa_names(). Not for use while other threads make plans.
WideSums wide_sums(WideForm form, const std::string& isa);

}  // namespace tessera
