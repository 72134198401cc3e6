// SPDX-License-Identifier: Apache-2.0
/// The rungs of the study of enhancement. Names begin with the step: "grey.four" has four pixels
/// per thread; "grey.plain" is the paper's CPU program; "grey.ours.cuda" the product's step on a
/// GPU, "grey.ours.one" and "grey.ours.all" with one thread and with all.
#pragma once

#include <string>
#include <vector>

#include "ops/enhance/study/enhance_case.hpp"
#include "study/rung.hpp"

namespace tessera {

using EnhanceRung = Rung<EnhanceCase>;

/// The paper's CUDA programs, and ours.
const std::vector<EnhanceRung>& enhance_cuda_rungs();

/// The paper's CPU programs, and ours.
const std::vector<EnhanceRung>& enhance_cpu_rungs();

/// The product's steps and its chain of all.
std::vector<EnhanceRung> our_enhance_cuda_rungs();
std::vector<EnhanceRung> our_enhance_cpu_rungs();

/// Steps with a table each, in order; "chain" is all of them.
inline constexpr const char* kEnhanceGroups[] = {"grey", "histogram", "contrast", "smooth",
                                                 "chain"};
inline constexpr int kEnhanceSteps = 4;

/// Bytes per pixel that a step must move: read once, written once. The chain must go through
/// the image twice: grey before contrast knows its limits, and smoothing after.
inline constexpr int kBytesAPixel[] = {4, 1, 2, 2, 6};

/// Whether it runs on one thread of the CPU.
bool is_of_one_thread(const std::string& rung);

/// The path of a file of the ladder.
std::string enhance_ladder_file(const std::string& beginning);

}  // namespace tessera
