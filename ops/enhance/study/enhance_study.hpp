// SPDX-License-Identifier: Apache-2.0
/// The study of enhancement: van der Lugt, "GPU Assignment" (Parallel Programming Practical), four
/// steps of image processing on a GTX 480.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ops/enhance/study/enhance_rungs.hpp"
#include "ops/enhance/study/enhance_transfers.hpp"
#include "study/published.hpp"
#include "study/studies.hpp"

namespace tessera {

inline constexpr int kPaperWidth = 8773, kPaperHeight = 5352;

/// Tests and times every rung wanted.
StudyResult run_enhance_study(const StudyOptions& options, const StudyProgress& progress);

std::optional<double> published_total(const std::string& quantity);

/// Milliseconds of all four steps by each way; none if a part of them did not run.
struct EnhanceTotals {
  std::optional<double> paper_gpu;     ///< the fastest of the paper's kernels for each step
  ScanTransfers transfers;             ///< what a program pays besides
  std::optional<double> steps, fused;  ///< the product's methods on the GPU
  std::optional<double> pinned;        ///< the product's from and to the host
  std::optional<double> plain;         ///< the paper's CPU programs
  std::optional<double> one, all;      ///< the product's fastest on the CPU
};
EnhanceTotals enhance_totals(const StudyResult& result, const ScanTransfers& transfers);

/// The paper's other figures and the same here; nothing here if the size is not the paper's.
std::vector<ComparedFigure> enhance_compared(const StudyResult& result, const EnhanceTotals& totals,
                                             bool paper_size);

/// One table per step and one of totals, with the paper's figures next to today's if the size is
/// the paper's.
std::string enhance_tables(const StudyResult& result, const EnhanceTotals& totals);

/// How fast the paper's ladder and the product are, in a sentence.
std::string enhance_verdict(const EnhanceTotals& totals, bool paper_size);

}  // namespace tessera
