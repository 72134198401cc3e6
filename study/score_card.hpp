// SPDX-License-Identifier: Apache-2.0
/// What the papers and the talk concluded about CPUs and GPUs, in one table, with today's answer.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "study/studies.hpp"
#include "tessera/options.hpp"

namespace tessera {

/// Programs of one kind: those of the paper, or the product's.
struct ScoreSide {
  std::string programs;  ///< "paper" or "ours"
  std::optional<double> cpu_ms, gpu_ms, copies_ms;
  std::string cpu_rung, gpu_rung, copies_rung;
  std::optional<int> cpu_lines, gpu_lines;
  std::optional<double> ratio, ratio_with_copies;  ///< CPU over GPU

  static constexpr auto fields() {
    using S = ScoreSide;
    return std::tuple{
        field("programs", &S::programs, "paper: its programs, run here; ours: the product"),
        field("cpu_ms", &S::cpu_ms, "the fastest on the CPU"),
        field("gpu_ms", &S::gpu_ms, "the fastest on the GPU, data in its memory"),
        field("copies_ms", &S::copies_ms, "the fastest from and to the host"),
        field("cpu_rung", &S::cpu_rung, "its name"),
        field("gpu_rung", &S::gpu_rung, "its name"),
        field("copies_rung", &S::copies_rung, "its name"),
        field("cpu_lines", &S::cpu_lines,
              "lines of code of cpu_rung, of the paper's programs only"),
        field("gpu_lines", &S::gpu_lines, "the same of gpu_rung, or of copies_rung"),
        field("ratio", &S::ratio, "CPU over GPU"),
        field("ratio_with_copies", &S::ratio_with_copies, "CPU over GPU from and to the host")};
  }
};

struct ScoreRow {
  std::string question, study, published, price, effort, figure, answer;
  std::vector<ScoreSide> sides;

  static constexpr auto fields() {
    using R = ScoreRow;
    return std::tuple{field("question", &R::question, "what was compared"),
                      field("study", &R::study, "the study that repeats it"),
                      field("published", &R::published, "the conclusion there"),
                      field("price", &R::price, "of the processors there, if given"),
                      field("effort", &R::effort, "of the programs there, if given"),
                      field("sides", &R::sides, "the paper's programs, and ours"),
                      field("figure", &R::figure, "the figure that was asked about, here"),
                      field("answer", &R::answer, "today's conclusion")};
  }
};

struct ScoreCard {
  std::string device, cpu, no_device_reason;
  std::vector<ScoreRow> rows;

  static constexpr auto fields() {
    using C = ScoreCard;
    return std::tuple{field("device", &C::device, "the GPU"), field("cpu", &C::cpu, "the CPU"),
                      field("no_device_reason", &C::no_device_reason, "why there is no GPU"),
                      field("rows", &C::rows, "one per conclusion")};
  }
  std::string describe() const;
};

/// Runs the rungs of a study that its rows need, or reads them; none: it has no rows to read.
using ScoreSource =
    std::function<std::optional<StudyResult>(const std::string& study, const StudyOptions&)>;

/// `recorded`: the results are of another machine, which may have had a GPU.
ScoreCard score_card(const ScoreSource& source, bool recorded);

}  // namespace tessera
