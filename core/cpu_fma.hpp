// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tessera {

/// Runs `rounds` rounds of independent f32 multiply-adds in registers, on this thread and with the
/// current SIMD target; returns the number of floating-point operations.
double run_multiply_adds(long long rounds);

}  // namespace tessera
