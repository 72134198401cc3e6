// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/study/cells_study.hpp"

namespace tessera {
namespace {

std::optional<double> ms_of(const StudyResult& result, const std::string& rung) {
  for (const StudyRow& row : result.rows)
    if (row.rung == rung) return row.ms;
  return std::nullopt;
}

}  // namespace

std::optional<double> published_of(const std::string& rung, const std::string& quantity) {
  return published_value(published_figures("cells"), rung, 0, 0, quantity);
}

std::optional<double> published_over_c(const std::string& rung) {
  if (const auto slower = published_of(rung, "slower_than_c")) return 1 / *slower;
  return published_of(rung, "over_c");
}

std::optional<double> over_c(const StudyResult& result, const std::string& rung) {
  const auto plain = ms_of(result, rung.substr(0, rung.find('.')) + ".plain");
  const auto ms = ms_of(result, rung);
  return plain && ms ? std::optional(*plain / *ms) : std::nullopt;
}

FrameRates frame_rates(const StudyResult& result, const CellsWay& way) {
  FrameRates rates;
  const auto detection = ms_of(result, way.detection), tracking = ms_of(result, way.tracking);
  if (detection && tracking) rates.by_formula = 1e3 * 10 / (*detection + 9 * *tracking);
  if (const auto film = ms_of(result, way.film)) rates.end_to_end = 1e3 / *film;
  return rates;
}

}  // namespace tessera
