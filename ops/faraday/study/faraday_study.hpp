// SPDX-License-Identifier: Apache-2.0
/// The study of rotation measure synthesis: Banyer, "CPU v GPU: a tale of three astro algorithms"
/// (CAASTRO), hand-written code and BLAS, CPU and GPU, single and double, with transfers.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ops/faraday/study/faraday_rungs.hpp"
#include "study/published.hpp"
#include "study/studies.hpp"
#include "study/study_table.hpp"

namespace tessera {

inline constexpr int kFaradayPaperSide = 128;

/// Tests and times every rung wanted.
StudyResult run_faraday_study(const StudyOptions& options, const StudyProgress& progress);

/// The parts of rungs from host to host, by their names; none without a device.
using FaradayTransfers = std::map<std::string, TransferTimes>;

/// Ratios of times in one precision, with those of the talk; none if a part did not run.
std::vector<ComparedFigure> faraday_ratios(const StudyResult& result, Type type,
                                           const FaradayTransfers& transfers);

std::string faraday_tables(const StudyResult& result, const FaradayTransfers& transfers);
/// Names the fastest rungs today, in a sentence.
std::string faraday_verdict(const StudyResult& result);

}  // namespace tessera
