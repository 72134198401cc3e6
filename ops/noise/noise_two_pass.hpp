// SPDX-License-Identifier: Apache-2.0
/// Noise of an image minus its background: two runners of one method, and a subtraction between
/// them.
#pragma once

#include "ops/noise/noise_problem.hpp"

namespace tessera {

/// The method's own runner, or with `two_pass` one that runs it twice.
NoiseRunnerPointer make_noise_runner(const NoiseProblem& problem, const NoiseMethod& method);

/// The first pass: for the background, which is its plane 0, its only one if that saves time.
NoiseProblem first_pass(const NoiseProblem& problem);
/// The second pass: for the noise, which is its last plane, of an image of the map's type, whose
/// blanks are NaN.
NoiseProblem second_pass(const NoiseProblem& problem);

/// The difference of views of one size, rounded once to the map's type; NaN where `in` is blank.
/// `background` may lie on the host when the others do not. On a device it is work of the stream;
/// on the host it waits for the stream first and returns when done.
void subtract_background(const NoiseProblem& problem, AnyView in, AnyView background,
                         AnyMutableView difference, Stream& stream);

}  // namespace tessera
