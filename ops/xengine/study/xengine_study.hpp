// SPDX-License-Identifier: Apache-2.0
/// The study of the X-engine: Banyer, "CPU v GPU: a tale of three astro algorithms" (CAASTRO):
/// layouts, memory of the sums, streams, and BLAS in float compared with integers, on CPU and GPU.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "ops/xengine/study/xengine_rungs.hpp"
#include "study/published.hpp"
#include "study/studies.hpp"
#include "study/study_table.hpp"
#include "tessera/options.hpp"

namespace tessera {

/// The talk's number of inputs is lost with a picture; this is ours.
inline constexpr int kXEngineStudyInputs = 128;
inline constexpr int kXEngineStudyChannels = 64, kXEngineStudySamples = 1000;

/// Tests and times every rung wanted.
StudyResult run_xengine_study(const StudyOptions& options, const StudyProgress& progress);

/// The option that only this study has.
struct XEngineStudyOptions {
  int cycles = 1;

  static constexpr auto fields() {
    using O = XEngineStudyOptions;
    return std::tuple{field("cycles", &O::cycles,
                            "how often samples are added before the sums are read out: 10 in the "
                            "talk, 240 in its real system",
                            Range{1, 240})};
  }
};

/// The parts of "gpu.stream" and of "gpu.blas.host"; none if they did not run.
struct XEngineTransfers {
  std::optional<XEngineParts> stream, host;
};

/// Ratios of times, with those of the talk; none if a part did not run.
std::vector<ComparedFigure> xengine_ratios(const StudyResult& result,
                                           const XEngineTransfers& transfers);
std::string xengine_tables(const StudyResult& result, const XEngineTransfers& transfers);
/// Names the fastest rungs today and compares the GPU's lead with the talk's, in a sentence.
std::string xengine_verdict(const StudyResult& result);

}  // namespace tessera
