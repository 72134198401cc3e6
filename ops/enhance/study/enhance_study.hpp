// SPDX-License-Identifier: Apache-2.0
/// The study of enhancement: van der Lugt, "GPU Assignment" (Parallel Programming Practical), four
/// steps of image processing on a GTX 480.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/machine.hpp"
#include "ops/enhance/study/enhance_rungs.hpp"
#include "study/published.hpp"
#include "study/studies.hpp"

namespace tessera {

inline constexpr int kPaperWidth = 8773, kPaperHeight = 5352;

/// Every rung wanted: tested, timed.
StudyResult run_enhance_study(const StudyOptions& options, const StudyProgress& progress);

/// What the paper printed.
const std::vector<PublishedFigure>& enhance_published();
std::optional<double> published_total(const std::string& quantity);

/// Milliseconds of all four steps, in the ways there are; none where a part of them did not run.
struct EnhanceTotals {
  std::optional<double> paper_gpu;     ///< the fastest of the paper's kernels for each step
  std::optional<double> transfers;     ///< scan to the device and result back, page-locked
  std::optional<double> steps, fused;  ///< the product's methods on the GPU
  std::optional<double> pinned;        ///< the product's from and to the host
  std::optional<double> plain;         ///< the paper's CPU programs
  std::optional<double> one, all;      ///< the product's fastest on the CPU
};
EnhanceTotals enhance_totals(const StudyResult& result, const DeviceCeilings& device,
                             long long pixels);

/// A table a step and one of totals, the paper's figures beside today's where the size is the
/// paper's.
std::string enhance_tables(const StudyResult& result, const EnhanceTotals& totals);

/// How far the paper's ladder went and how much further one can go, in a sentence.
std::string enhance_verdict(const EnhanceTotals& totals, bool paper_size);

}  // namespace tessera
