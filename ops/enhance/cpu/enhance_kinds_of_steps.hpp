// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/enhance/enhance_problem.hpp"

namespace tessera {

/// The steps of u8 and u16 images, and of f32 and f64 images.
EnhanceRunnerPointer make_integer_steps(const EnhanceProblem&);
EnhanceRunnerPointer make_float_steps(const EnhanceProblem&);

}  // namespace tessera
