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

/// The largest gain of some rungs over the naive one on the same case; 0 if none ran.
struct Gain {
  double times = 0;
  std::string rung, case_name;
};
Gain largest_gain(const StudyResult& result, const std::vector<std::string>& rungs);

/// The paper's figures besides its table 1, and the same here; nothing here if the image is not as
/// large as the paper's. Sizes that did not run have lines only in a run of all sizes.
std::vector<ComparedFigure> convolve_compared(const StudyResult& result, bool paper_case,
                                              bool all_sizes);

/// The paper's table 1 at the sizes at which one of its passes ran; "" if none did.
std::string table_1_text(const StudyResult& result);

/// The outcome, in a sentence: the paper's last rungs and ours over the naive one.
std::string convolve_verdict(const StudyResult& result);

}  // namespace tessera
