// SPDX-License-Identifier: Apache-2.0
/// An image of a device less its background there, as subtract_background says.
#pragma once

#include "ops/noise/noise_problem.hpp"
#include "tessera/stream.hpp"

namespace tessera {

void launch_noise_subtract(const NoiseProblem& problem, AnyView in, AnyView background,
                           AnyMutableView difference, Stream& stream);

}  // namespace tessera
