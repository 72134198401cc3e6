// SPDX-License-Identifier: Apache-2.0
/// The study of cells: Boyer, Tarjan, Acton and Skadron, "Accelerating Leukocyte Tracking Using
/// CUDA: A Case Study in Leveraging Manycore Coprocessors" (IPDPS 2009).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ops/cells/study/cells_costs.hpp"
#include "ops/cells/study/cells_rungs.hpp"
#include "study/published.hpp"
#include "study/studies.hpp"

namespace tessera {

/// Tests and times every rung wanted; on a GPU its time is divided into parts.
StudyResult run_cells_study(const StudyOptions& options, const StudyProgress& progress);

std::optional<double> published_of(const std::string& rung, const std::string& quantity);

/// How many times as fast as C a rung was in the paper, which gives it in several forms.
std::optional<double> published_over_c(const std::string& rung);

/// How many times as fast as the plain program of its stage.
std::optional<double> over_c(const StudyResult& result, const std::string& rung);

/// A way through a whole film: the rungs of its detection, of its tracking, and of both together.
struct CellsWay {
  const char *title, *detection, *tracking, *film;
};
inline constexpr CellsWay kCellsWays[] = {
    {"C, one thread", "detect.plain", "track.plain", "film.plain"},
    {"OpenMP, all threads", "detect.openmp", "track.openmp", "film.openmp"},
    {"CUDA, the paper's last", "detect.one-pass", "track.persistent", "film.cuda"},
    {"ours, one thread", "detect.ours.one", "track.ours.one", "film.ours.one"},
    {"ours, all threads", "detect.ours.all", "track.ours.all", "film.ours.all"},
    {"ours, CUDA", "detect.ours.cuda", "track.ours.cuda", "film.ours.cuda"}};

/// Frames per second by the paper's (D + 9T) / 10, and of a whole film, from frames to tracks.
struct FrameRates {
  std::optional<double> by_formula, end_to_end;
};
FrameRates frame_rates(const StudyResult& result, const CellsWay& way);

/// One table per stage and one of frames per second, with the paper's figures next to today's.
std::string cells_tables(const StudyResult& result);

/// The paper's other figures and the same here; nothing here unless the film is the study's own.
/// Then what calls of the device cost, if that was measured.
std::vector<ComparedFigure> cells_compared(const StudyResult& result, bool paper_case,
                                           const CellsCosts& costs = {});

/// How fast films are followed, in a sentence.
std::string cells_verdict(const StudyResult& result);

}  // namespace tessera
