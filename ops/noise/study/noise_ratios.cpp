// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "ops/noise/study/noise_study.hpp"
#include "study/fastest_rungs.hpp"

namespace tessera {
namespace {

using RungNames = std::vector<std::string>;

const RungNames kCpuByHand{"cpu.sort",  "cpu.select", "cpu.histogram",
                           "cpu.slide", "cpu.follow", "cpu.threads"};
const RungNames kGpuByHand{"gpu.sort", "gpu.select", "gpu.histogram", "gpu.slide"};

std::string talk(const char* rung, const char* quantity) {
  return published_text(published_figures("noise"), rung, 64, 64, {quantity});
}

}  // namespace

std::vector<ComparedFigure> noise_ratios(const StudyResult& result,
                                         const std::optional<TransferTimes>& transfer) {
  const auto of = [&](const RungNames& over, const RungNames& under) {
    return time_ratio(result, over, under);
  };
  return {{"CPU: sort over histogram of every box", of({"cpu.sort"}, {"cpu.histogram"}),
           talk("cpu.sort", "sort_over_histogram")},
          {"CPU: sort over nth_element", of({"cpu.sort"}, {"cpu.select"})},
          {"CPU: histogram of every box over one that slides",
           of({"cpu.histogram"}, {"cpu.slide", "cpu.follow"})},
          {"CPU: one thread over all", of({"cpu.follow"}, {"cpu.threads"})},
          {"CPU: best by hand over ours, binned", of(kCpuByHand, {"cpu.ours.binned"})},
          {"CPU: ours, exact over binned", of({"cpu.ours.exact"}, {"cpu.ours.binned"})},
          {"GPU: best of sort and select over histogram",
           of({"gpu.sort", "gpu.select"}, {"gpu.histogram"})},
          {"GPU: histogram of every box over one that slides", of({"gpu.histogram"}, {"gpu.slide"}),
           talk("gpu.histogram", "memory_access")},
          {"GPU: best by hand over ours, binned", of(kGpuByHand, {"gpu.ours.binned"})},
          {"GPU: ours, exact over binned", of({"gpu.ours.exact"}, {"gpu.ours.binned"})},
          {"GPU: copies over compute", copies_over_compute(transfer)},
          {"CPU over GPU, by hand", of(kCpuByHand, kGpuByHand)},
          {"CPU over GPU, by hand, with copies both ways", of(kCpuByHand, {"gpu.stream"}),
           talk("-", "cpu_over_gpu") + ", " + talk("-", "worth")},
          {"CPU over GPU, ours, exact", of({"cpu.ours.exact"}, {"gpu.ours.exact"})},
          {"CPU over GPU, ours, exact, with copies both ways",
           of({"cpu.ours.exact"}, {"gpu.ours.host.exact"})}};
}

std::string noise_verdict(const StudyResult& result) {
  std::string text = fastest_of_both(result);
  if (text.empty()) return "No rung ran: there is nothing to compare.";
  if (const auto by_hand = time_ratio(result, kCpuByHand, {"gpu.stream"}))
    text += fmt::format(
        "; by hand and with copies {:.3g} times, where the talk found them about equal", *by_hand);
  text.front() = 'O';
  return text + ".";
}

}  // namespace tessera
