// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "ops/noise/study/noise_study.hpp"
#include "study/code_lines.hpp"
#include "study/fastest_rungs.hpp"

namespace tessera {
namespace {

using RungNames = std::vector<std::string>;

/// The least time of some rungs over that of others.
std::optional<double> ratio(const StudyResult& result, const RungNames& over,
                            const RungNames& under) {
  const StudyRow *const a = fastest_row(result, over), *const b = fastest_row(result, under);
  return a && b ? std::optional(*a->ms / *b->ms) : std::nullopt;
}

const RungNames kCpuByHand{"cpu.sort",  "cpu.select", "cpu.histogram",
                           "cpu.slide", "cpu.follow", "cpu.threads"};
const RungNames kGpuByHand{"gpu.sort", "gpu.select", "gpu.histogram", "gpu.slide"};

}  // namespace

const std::vector<PublishedFigure>& noise_published() {
  constexpr const char* kName = "ops/noise/study/published.tsv";
  static const std::vector<PublishedFigure> figures = parse_published(kName, study_text(kName));
  return figures;
}

NoiseRatios noise_ratios(const StudyResult& result, const std::optional<NoiseTransfer>& transfer) {
  const auto of = [&](const RungNames& over, const RungNames& under) {
    return ratio(result, over, under);
  };
  NoiseRatios r;
  r.sort_over_histogram = of({"cpu.sort"}, {"cpu.histogram"});
  r.sort_over_select = of({"cpu.sort"}, {"cpu.select"});
  r.histogram_over_slide = of({"cpu.histogram"}, {"cpu.slide", "cpu.follow"});
  r.one_over_threads = of({"cpu.follow"}, {"cpu.threads"});
  r.hand_over_ours = of(kCpuByHand, {"cpu.ours.binned"});
  r.exact_over_binned = of({"cpu.ours.exact"}, {"cpu.ours.binned"});
  r.gpu_sort_over_histogram = of({"gpu.sort", "gpu.select"}, {"gpu.histogram"});
  r.gpu_histogram_over_slide = of({"gpu.histogram"}, {"gpu.slide"});
  r.gpu_hand_over_ours = of(kGpuByHand, {"gpu.ours.binned"});
  r.gpu_exact_over_binned = of({"gpu.ours.exact"}, {"gpu.ours.binned"});
  if (transfer && transfer->compute > 0)
    r.copies_over_compute = (transfer->upload + transfer->download) / transfer->compute;
  r.cpu_over_gpu = of(kCpuByHand, kGpuByHand);
  r.cpu_over_gpu_ways = of(kCpuByHand, {"gpu.stream"});
  r.ours_over_ours = of({"cpu.ours.exact"}, {"gpu.ours.exact"});
  r.ours_over_ours_ways = of({"cpu.ours.exact"}, {"gpu.ours.host.exact"});
  return r;
}

std::string noise_verdict(const StudyResult& result) {
  std::string text = fastest_of_both(result);
  if (text.empty()) return "No rung ran: there is nothing to compare.";
  if (const auto by_hand = noise_ratios(result, std::nullopt).cpu_over_gpu_ways)
    text += fmt::format(
        "; by hand and with copies {:.3g} times, where the talk found them about equal", *by_hand);
  text.front() = 'O';
  return text + ".";
}

}  // namespace tessera
