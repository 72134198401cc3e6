// SPDX-License-Identifier: Apache-2.0
/// An image on a device minus its background there, as in subtract_background.
#pragma once

#include "ops/noise/noise_problem.hpp"
#include "tessera/stream.hpp"

namespace tessera {

void launch_noise_subtract(const NoiseProblem& problem, AnyView in, AnyView background,
                           AnyMutableView difference, Stream& stream);

}  // namespace tessera
