// SPDX-License-Identifier: Apache-2.0
// The outcome of the ladder, in sentences.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "ops/convolve/study/convolve_study.hpp"
#include "study/published.hpp"

namespace tessera {
namespace {

const StudyRow* timed_row(const StudyResult& result, const std::string& name,
                          const std::string& rung) {
  for (const StudyRow& row : result.rows)
    if (row.case_name == name && row.rung == rung && row.ms) return &row;
  return nullptr;
}

std::string over_naive_text(const StudyResult& result) {
  const Gain there = largest_gain(result, {"8", "9"}), ours = largest_gain(result, {"10"});
  std::string text;
  if (there.times > 0)
    text = fmt::format(
        "The paper's last rungs are at most {:.2f} times as fast as the naive one "
        "(rung {} at {}; the paper: 9.14 on a GTX680, 8.3 on a K20)",
        there.times, there.rung, there.case_name);
  if (ours.times > 0)
    text +=
        fmt::format("{} at most {:.2f} times (rung {} at {})", text.empty() ? "Ours are" : "; ours",
                    ours.times, ours.rung, ours.case_name);
  return text;
}

// For a run on the CPU alone.
std::string over_loop_text(const StudyResult& result) {
  const StudySummary* most = nullptr;
  for (const StudySummary& line : result.summary)
    if (line.over_first && (!most || *line.over_first > *most->over_first)) most = &line;
  if (!most) return "";
  return fmt::format(
      "The best rung is at most {:.2f} times as fast as the loop of figure 1a on one thread (rung "
      "{} at {})",
      *most->over_first, most->best, most->case_name);
}

// "; at 3x3 rung 8 is 12.1 times as fast as cuFFT padded as in the paper (18.96 on a GTX680)"
std::string over_cufft_text(const StudyResult& result) {
  std::string text;
  for (const PublishedFigure& figure : published_figures("convolve")) {
    if (figure.quantity != "over_fft") continue;
    const std::string name = fmt::format("{}x{}", figure.filter_width, figure.filter_height);
    const StudyRow *const ladder = timed_row(result, name, figure.rung), *const cufft = timed_row(
                                                                             result, name, "cufft");
    if (ladder && cufft)
      text += fmt::format(
          "; at {} rung {} is {:.2f} times as fast as cuFFT padded as in the paper ({} on a {})",
          name, figure.rung, *cufft->ms / *ladder->ms, figure.text, figure.device);
  }
  return text;
}

// "; at 5x5, unrolled, all threads active is 1.3 times as fast as one element each (1.27 on …)"
std::string over_one_element_text(const StudyResult& result) {
  const auto& figures = published_figures("convolve");
  const StudyRow *const all = timed_row(result, "5x5", "3.unrolled"), *const one =
                                                                          timed_row(result, "5x5",
                                                                                    "4.unrolled");
  const auto published_all = published_value(figures, "3.unrolled", 5, 5, "gflops"),
             published_one = published_value(figures, "4.unrolled", 5, 5, "gflops");
  if (!all || !one || !published_all || !published_one) return "";
  return fmt::format(
      "; at 5x5, unrolled, a tile with all threads active is {:.2f} times as fast as one element "
      "per thread ({:.2f} on a GTX480)",
      *one->ms / *all->ms, *published_all / *published_one);
}

// The fastest rung of a case on the CPU or the GPU that filters any filter, both ways.
std::optional<double> fastest_ms(const StudyResult& result, const std::string& name, bool on_cpu) {
  std::optional<double> best;
  for (const StudyRow& row : result.rows) {
    const bool whole =
        !row.rung.starts_with('s') && !is_rung_or_its_threads(row.rung, "cpu.separable");
    if (row.case_name == name && row.ms && whole && row.rung.starts_with("cpu.") == on_cpu)
      best = std::min(*row.ms, best.value_or(*row.ms));
  }
  return best;
}

// "; the GPU is 40 to 90 times as fast as the CPU (the talk: 7)"
std::string over_cpu_text(const StudyResult& result) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const StudySummary& line : result.summary) {
    const auto cpu = fastest_ms(result, line.case_name, true),
               gpu = fastest_ms(result, line.case_name, false);
    if (!cpu || !gpu) continue;
    least = std::min(least, *cpu / *gpu);
    most = std::max(most, *cpu / *gpu);
  }
  if (most == 0) return "";
  const std::string times =
      least == most ? fmt::format("{:.3g}", most) : fmt::format("{:.3g} to {:.3g}", least, most);
  return fmt::format("; the GPU is {} times as fast as the CPU (the talk: 7 times)", times);
}

}  // namespace

std::string convolve_verdict(const StudyResult& result) {
  std::string text = result.first == "1" ? over_naive_text(result) : over_loop_text(result);
  if (text.empty()) return "Neither the paper's last rungs nor ours ran next to the naive one.";
  for (const StudySummary& line : result.summary)
    if (line.over_rival && *line.over_rival < 1) {
      text += fmt::format("; from {} on the FFT is faster", line.case_name);
      break;
    }
  return text + over_cufft_text(result) + over_one_element_text(result) + over_cpu_text(result) +
         ".";
}

std::string adaptation_text(const StudyResult& result, const std::optional<LadderLimits>& limits) {
  std::string factors, last;
  int cases = 0, changes = 0, tiles = 0;
  bool on_device = true;
  for (const StudyRow& row : result.rows) {
    if (row.rung != "7" || !row.tiles) continue;
    ++cases;
    on_device &= row.absent.empty();
    if (*row.tiles == tiles) continue;
    ++changes;
    tiles = *row.tiles;
    factors += fmt::format("{}{} from {} on", factors.empty() ? "" : ", ", tiles, row.case_name);
  }
  if (cases < 2) return "";
  const std::string where =
      limits ? "within the limits that were given" : "within the limits of this device";
  if (changes == 1)
    return fmt::format("Rung 7 takes tile factor {} at every size: {} it does not change{}.", tiles,
                       where, limits ? "" : "; --shared 48K shows it change as in the paper");
  return fmt::format("Rung 7's tile factor, {}: {}{}.", where, factors,
                     on_device ? "" : " (by shared memory alone: a GPU counts registers too)");
}

}  // namespace tessera
