// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "ops/cells/study/cells_study.hpp"

namespace tessera {
namespace {

constexpr double kRealTime = 30;  // frames per second of the paper's films

/// "detection is 30 times as fast as C (the paper: 29.7)"; "" if it did not run.
std::string beside_paper(const StudyResult& result, const char* rung, const char* what) {
  const auto here = over_c(result, rung), there = published_over_c(rung);
  return here && there ? fmt::format("{} is {:.3g} times as fast as C (the paper: {:.4g})", what,
                                     *here, *there)
                       : "";
}

std::string joined(const std::string& a, const std::string& b, const char* between) {
  return a.empty() || b.empty() ? a + b : a + between + b;
}

std::string ladder_text(const StudyResult& result) {
  const std::string text =
      joined(beside_paper(result, "detect.one-pass", "the paper's last detection"),
             beside_paper(result, "track.persistent", "its last tracking"), " and ");
  return text.empty() ? joined(beside_paper(result, "detect.openmp", "OpenMP's detection"),
                               beside_paper(result, "track.openmp", "its tracking"), " and ")
                      : text;
}

std::string film_text(const StudyResult& result) {
  const CellsWay* fastest = nullptr;
  double most = 0;
  for (const CellsWay& way : kCellsWays)
    if (const auto rate = frame_rates(result, way).end_to_end; rate && *rate > most) {
      fastest = &way;
      most = *rate;
    }
  if (!fastest) return "";
  std::string text =
      fmt::format("a film is followed at {:.3g} frames/s ({}), {:.3g} times real time", most,
                  fastest->title, most / kRealTime);
  // The paper has rates by its formula only.
  if (const auto rate = frame_rates(result, *fastest).by_formula)
    text += fmt::format("; by the paper's (D + 9T)/10 it is {:.3g}, on its GTX 280 it was {:.1f}",
                        *rate, published_of("-", "cuda_frames_a_second").value_or(0));
  return text;
}

}  // namespace

std::string cells_verdict(const StudyResult& result) {
  std::string text = joined(ladder_text(result), film_text(result), "; ");
  if (text.empty()) return "Neither a ladder nor a film ran: there is nothing to compare.";
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text + ".";
}

}  // namespace tessera
