// SPDX-License-Identifier: Apache-2.0
/// The study of the X-engine: Banyer, "CPU v GPU: a tale of three astro algorithms" (CAASTRO):
/// layouts, memory of the sums, streams, and BLAS in float compared with integers, on CPU and GPU.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ops/xengine/study/xengine_rungs.hpp"
#include "study/published.hpp"
#include "study/studies.hpp"
#include "study/study_table.hpp"

namespace tessera {

/// The talk's number of inputs is lost with a picture; this is ours.
inline constexpr int kXEngineStudyInputs = 128;

/// Tests and times every rung wanted.
StudyResult run_xengine_study(const StudyOptions& options, const StudyProgress& progress);

/// Ratios of times, with those of the talk; none if a part did not run.
std::vector<ComparedFigure> xengine_ratios(const StudyResult& result,
                                           const std::optional<TransferTimes>& transfer);

/// `transfer` is none without a device.
std::string xengine_tables(const StudyResult& result, const std::optional<TransferTimes>& transfer);
/// Names the fastest rungs today and compares the GPU's lead with the talk's, in a sentence.
std::string xengine_verdict(const StudyResult& result);

}  // namespace tessera
