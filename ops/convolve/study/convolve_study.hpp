// SPDX-License-Identifier: Apache-2.0
/// The study of convolution: van Werkhoven and others, "Optimizing convolution operations on GPUs
/// using adaptive tiling" (2014), and a talk on three algorithms of astronomy.
#pragma once

#include <string>
#include <vector>

#include "ops/convolve/study/convolve_case.hpp"
#include "study/rung.hpp"
#include "study/studies.hpp"

namespace tessera {

/// From the naive kernel to the product's methods.
const std::vector<Rung<ConvolveCase>>& convolve_rungs();

/// Tests and times every rung wanted on every size.
StudyResult run_convolve_study(const StudyOptions& options, const StudyProgress& progress);

/// The outcome, in a sentence.
std::string convolve_verdict(const StudyResult& result);

}  // namespace tessera
