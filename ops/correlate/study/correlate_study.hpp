// SPDX-License-Identifier: Apache-2.0
/// The study of correlation: Bordawekar, Bondhugula and Rao, "Can CPUs Match GPUs on Performance
/// with Productivity?" (IBM Research Report, 2010).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ops/correlate/study/correlate_rungs.hpp"
#include "ops/correlate/study/machine_facts.hpp"
#include "study/published.hpp"
#include "study/studies.hpp"

namespace tessera {

/// Tests and times every rung wanted.
StudyResult run_correlate_study(const StudyOptions& options, const StudyProgress& progress);

const PublishedFigure* find_published(const std::string& device, const std::string& rung,
                                      const std::string& quantity);

/// Figures of a rung: "465.74 ms Fermi table 2"; "" if its chart is lost.
std::string published_times(const std::string& rung);

/// The groups of the paper's CUDA programs that differ in the memory they use.
inline constexpr const char* kMemoryGroups[] = {"shared", "local", "row", "unrolled"};

/// Milliseconds of copying the planes to the device and the map back, ordinary memory.
double time_correlate_copies(const CorrelateCase& c, Stream& stream);

/// The paper's figures outside its tables and the same here; nothing here if the size is not the
/// paper's.
std::vector<ComparedFigure> correlate_compared(const StudyResult& result,
                                               const std::optional<double>& copies_ms,
                                               bool paper_case);

/// The paper's tables with today's figures next to them; `machine` is for table 1.
std::string correlate_tables(const StudyResult& result, const std::vector<MachineFacts>& machine);

/// Ratios of times that answer the paper: FMA, wider vectors, engines of threads.
std::vector<ComparedFigure> correlate_predictions(const StudyResult& result);

/// Whether the CPU can match the GPU, and the lines of code it takes, in a sentence.
std::string correlate_verdict(const StudyResult& result);

}  // namespace tessera
