// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "ops/faraday/study/faraday_study.hpp"
#include "study/code_lines.hpp"

namespace tessera {
namespace {

/// The least time of rungs that begin with one of the words, in one precision.
std::optional<double> fastest(const StudyResult& result, Type type,
                              const std::vector<std::string>& words) {
  std::optional<double> best;
  for (const StudyRow& row : result.rows) {
    const bool wanted = std::any_of(words.begin(), words.end(), [&](const std::string& word) {
      return row.rung.starts_with(word + ".");
    });
    if (row.ms && wanted && row.rung.ends_with(precision_name(type)) && (!best || *row.ms < *best))
      best = row.ms;
  }
  return best;
}

std::optional<double> ratio(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b ? std::optional(*a / *b) : std::nullopt;
}

}  // namespace

const std::vector<PublishedFigure>& faraday_published() {
  constexpr const char* kName = "ops/faraday/study/published.tsv";
  static const std::vector<PublishedFigure> figures = parse_published(kName, study_text(kName));
  return figures;
}

FaradayRatios faraday_ratios(const StudyResult& result, Type type,
                             const std::optional<FaradayTransfer>& transfer) {
  const auto best = [&](const std::vector<std::string>& words) {
    return fastest(result, type, words);
  };
  FaradayRatios r;
  r.hand_over_blas = ratio(best({"cpu.naive", "cpu.layout", "cpu.threads"}), best({"cpu.blas"}));
  r.hand_over_cublas = ratio(best({"gpu.naive", "gpu.tiled"}), best({"gpu.blas"}));
  if (transfer && transfer->compute > 0)
    r.copies_over_compute = (transfer->upload + transfer->download) / transfer->compute;
  r.one_over_several = ratio(best({"gpu.stream"}), best({"gpu.streams"}));
  r.cpu_over_gpu = ratio(best({"cpu.naive", "cpu.layout", "cpu.threads", "cpu.blas"}),
                         best({"gpu.stream", "gpu.streams"}));
  r.ours_over_blas_cpu = ratio(best({"cpu.blas"}), best({"cpu.ours"}));
  std::optional<double> ours;
  for (const StudyRow& row : result.rows)
    if (row.ms && row.rung.starts_with("gpu.ours.") && !row.rung.starts_with("gpu.ours.host") &&
        row.rung.ends_with(precision_name(type)) && (!ours || *row.ms < *ours))
      ours = row.ms;
  r.ours_over_blas_gpu = ratio(best({"gpu.blas"}), ours);
  return r;
}

std::string faraday_verdict(const StudyResult& result) {
  std::string text;
  for (const auto& [side, where] : {std::pair{"cpu.", "On the CPU"}, {"gpu.", "on the GPU"}}) {
    const StudyRow* best = nullptr;
    for (const StudyRow& row : result.rows)
      if (row.ms && row.rung.starts_with(side) && (!best || *row.ms < *best->ms)) best = &row;
    if (!best) continue;
    text += fmt::format("{}{} {} is fastest: {:.4g} ms", text.empty() ? "" : "; ", where,
                        best->rung, *best->ms);
    const std::string blas = std::string(side) + "blas." + best->rung.substr(best->rung.size() - 6);
    for (const StudyRow& row : result.rows)
      if (row.rung == blas && row.ms && row.rung != best->rung)
        text +=
            fmt::format(", {:.3g} times as fast as BLAS ({:.4g} ms)", *row.ms / *best->ms, *row.ms);
  }
  if (text.empty()) return "No rung ran: there is nothing to compare.";
  text.front() = 'O';
  return text + ".";
}

}  // namespace tessera
