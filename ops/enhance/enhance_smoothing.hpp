// SPDX-License-Identifier: Apache-2.0
/// Weights as smooth takes them.
#pragma once

#include "ops/enhance/enhance_problem.hpp"

namespace tessera {

/// The largest side of whole weights, and the largest sum of their magnitudes: up to these, sums of
/// 16-bit samples fit 32 bits.
inline constexpr int kMostSmoothingSide = 64;
inline constexpr int kMostSmoothingSum = 65535;

/// Checks weights and finds their factors; throws Error(usage).
Smoothing make_smoothing(AnyView weights);

}  // namespace tessera
