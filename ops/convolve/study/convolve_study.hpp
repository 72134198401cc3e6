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

using ConvolveRung = Rung<ConvolveCase>;

/// On the GPU, from the naive kernel to the product's methods.
const std::vector<ConvolveRung>& convolve_rungs();
/// On the CPU: programs of the paper and the talk, with threads and vectors, and the product.
const std::vector<ConvolveRung>& convolve_cpu_rungs();
bool is_of_one_core(const std::string& rung);

/// One of the product's methods, with the flops of its kind per pixel and its own error bound. Its
/// traffic is at least the image and the result. A method that refuses is absent.
PreparedRung product_rung(const ConvolveCase& problem, Backend backend, const std::string& method);

/// The tile factors of rung 7 over the filters, in a sentence; "" if fewer than two were run.
std::string adaptation_text(const StudyResult& result, const std::optional<LadderLimits>& limits);

/// Tests and times every rung wanted on every size.
StudyResult run_convolve_study(const StudyOptions& options, const StudyProgress& progress);

/// The outcome, in a sentence.
std::string convolve_verdict(const StudyResult& result);

}  // namespace tessera
