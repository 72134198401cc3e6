// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "ops/xengine/study/xengine_study.hpp"
#include "study/fastest_rungs.hpp"

namespace tessera {
namespace {

using RungNames = std::vector<std::string>;

const RungNames kCpuByHand{"cpu.ti", "cpu.it", "cpu.planes", "cpu.threads"};
const RungNames kCpuBlas{"cpu.cgemm", "cpu.cherk"};
const RungNames kGpuByHand{"gpu.it", "gpu.ti", "gpu.shared", "gpu.registers"};
const RungNames kGpuBlas{"gpu.blas"};
const RungNames kGpuBothWays{"gpu.stream", "gpu.streams"};
const RungNames kGpuBlasBothWays{"gpu.blas.stream"};
/// Samples and sums on the device.
const RungNames kGpuOurs{"gpu.ours.dp4a", "gpu.ours.mma", "gpu.ours.wgmma", "gpu.ours.it"};

std::optional<double> there(const char* rung) {
  return published_value(published_figures("xengine"), rung, 0, 0, "cpu_over_gpu");
}

std::string talk(const char* rung, const char* quantity) {
  return published_text(published_figures("xengine"), rung, 0, 0, {quantity});
}

}  // namespace

std::vector<ComparedFigure> xengine_ratios(const StudyResult& result,
                                           const std::optional<TransferTimes>& transfer) {
  const auto of = [&](const RungNames& over, const RungNames& under) {
    return time_ratio(result, over, under);
  };
  return {{"CPU: [time][input] over [input][time]", of({"cpu.ti"}, {"cpu.it"})},
          {"CPU: best by hand over CBLAS", of(kCpuByHand, kCpuBlas)},
          {"CPU: CBLAS over ours", of(kCpuBlas, {"cpu.ours."})},
          {"GPU: [input][time] over [time][input]", of({"gpu.it"}, {"gpu.ti"}),
           talk("gpu.ti", "layout")},
          {"GPU: sums in global over shared memory", of({"gpu.ti"}, {"gpu.shared"}),
           talk("gpu.shared", "global_over_shared")},
          {"GPU: sums in shared memory over registers", of({"gpu.shared"}, {"gpu.registers"}),
           talk("gpu.registers", "shared_over_registers")},
          {"GPU: best by hand over cuBLAS", of(kGpuByHand, kGpuBlas)},
          {"GPU: copies over compute", copies_over_compute(transfer)},
          {"GPU: one stream over four", of({"gpu.stream"}, {"gpu.streams"}),
           talk("gpu.streams", "one_over_several")},
          {"GPU: cuBLAS over ours", of(kGpuBlas, kGpuOurs)},
          {"CPU over GPU, by hand", of(kCpuByHand, kGpuByHand)},
          {"CPU over GPU, by hand, with copies both ways", of(kCpuByHand, kGpuBothWays),
           talk("-", "cpu_over_gpu")},
          {"CPU over GPU, BLAS, no copies", of(kCpuBlas, kGpuBlas)},
          {"CPU over GPU, BLAS, with copies both ways", of(kCpuBlas, kGpuBlasBothWays),
           talk("gpu.blas", "cpu_over_gpu")}};
}

std::string xengine_verdict(const StudyResult& result) {
  std::string text = fastest_of_both(result);
  if (text.empty()) return "No rung ran: there is nothing to compare.";
  if (const auto by_hand = time_ratio(result, kCpuByHand, kGpuBothWays)) {
    text += fmt::format("; by hand and with copies {:.3g} times", *by_hand);
    if (const auto talk = there("-")) text += fmt::format(", where the talk found {:.3g}", *talk);
  }
  text.front() = 'O';
  return text + ".";
}

}  // namespace tessera
