// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ops/enhance/study/enhance_study.hpp"
#include "study/fastest_rungs.hpp"

namespace tessera {
namespace {

/// The paper has a time for it: not for ours, nor for 16 pixels per thread, which it only proposes.
bool is_measured_there(const std::string& rung) {
  const std::vector<PublishedFigure>& figures = published_figures("enhance");
  return std::any_of(figures.begin(), figures.end(), [&](const PublishedFigure& figure) {
    return figure.rung == rung && figure.quantity == "ms";
  });
}

template <class Wanted>
std::optional<double> fastest(const StudyResult& result, Wanted wanted) {
  const StudyRow* const row = fastest_where(result, wanted);
  return row ? row->ms : std::nullopt;
}

/// The shortest time of each step, added; none unless every step has one.
template <class Wanted>
std::optional<double> sum_of_steps(const StudyResult& result, Wanted wanted) {
  double sum = 0;
  for (int step = 0; step < kEnhanceSteps; ++step) {
    const std::string beginning = kEnhanceGroups[step] + std::string(".");
    const auto best = fastest(result, [&](const std::string& rung) {
      return rung.starts_with(beginning) && wanted(rung);
    });
    if (!best) return std::nullopt;
    sum += *best;
  }
  return sum;
}

}  // namespace

std::optional<double> published_total(const std::string& quantity) {
  return published_value(published_figures("enhance"), "-", 0, 0, quantity);
}

EnhanceTotals enhance_totals(const StudyResult& result, const ScanTransfers& transfers) {
  const auto begins = [&](const std::string& beginning) {
    return fastest(result, [&](const std::string& rung) {
      return rung.starts_with(beginning) && !std::isdigit(static_cast<unsigned char>(rung.back()));
    });
  };
  const auto is_plain = [](const std::string& rung) { return rung.ends_with(".plain"); };
  EnhanceTotals totals;
  totals.paper_gpu = sum_of_steps(
      result, [&](const std::string& rung) { return !is_plain(rung) && is_measured_there(rung); });
  totals.transfers = transfers;
  totals.steps = begins("chain.ours.cuda.steps");
  totals.fused = begins("chain.ours.cuda.fused");
  totals.pinned = begins("chain.ours.cuda.pinned");
  totals.plain = sum_of_steps(result, is_plain);
  totals.one = begins("chain.ours.one.");
  totals.all = begins("chain.ours.all.");
  return totals;
}

}  // namespace tessera
