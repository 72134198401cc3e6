// SPDX-License-Identifier: Apache-2.0
/// The study of background and noise: Banyer, "CPU v GPU: a tale of three astro algorithms"
/// (CAASTRO): boxes that are sorted and boxes that are counted, on CPU and GPU.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ops/noise/study/noise_rungs.hpp"
#include "study/published.hpp"
#include "study/studies.hpp"
#include "study/study_table.hpp"

namespace tessera {

/// The talk's size is lost; this is ours. Its box was 64.
inline constexpr int kNoiseStudySide = 1024;

/// Tests and times every rung wanted on every box wanted.
StudyResult run_noise_study(const StudyOptions& options, const StudyProgress& progress);

/// Ratios of times, with those of the talk; none if a part did not run.
std::vector<ComparedFigure> noise_ratios(const StudyResult& result,
                                         const std::optional<TransferTimes>& transfer);

/// The tables of one case of `pixels` pixels; `transfer` is none without a device.
std::string noise_tables(const StudyResult& result, const std::optional<TransferTimes>& transfer,
                         double pixels);
/// Names the fastest rungs today and compares the GPU's lead with the talk's, in a sentence.
std::string noise_verdict(const StudyResult& result);

}  // namespace tessera
