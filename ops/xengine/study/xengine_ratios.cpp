// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "ops/xengine/study/xengine_study.hpp"
#include "study/fastest_rungs.hpp"

namespace tessera {
namespace {

using RungNames = std::vector<std::string>;

const RungNames kCpuByHand{"cpu.ti", "cpu.it", "cpu.planes", "cpu.threads"};
const RungNames kCpuBlas{"cpu.cgemm", "cpu.cherk"};
const RungNames kGpuByHand{"gpu.it",        "gpu.ti",           "gpu.shared",
                           "gpu.registers", "gpu.shared.banks", "gpu.planes."};
const RungNames kGpuTiles{"gpu.tiles."};
const RungNames kGpuBlas{"gpu.blas", "gpu.blas.complex"};
const RungNames kGpuBothWays{"gpu.stream", "gpu.streams"};
const RungNames kGpuBlasBothWays{"gpu.blas.stream", "gpu.blas.streams"};
/// The talk's: the host reorders.
const RungNames kGpuBlasByHost{"gpu.blas.host", "gpu.blas.host.streams"};
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
                                           const XEngineTransfers& transfers) {
  const auto of = [&](const RungNames& over, const RungNames& under) {
    return time_ratio(result, over, under);
  };
  const auto& host = transfers.host;
  const auto copies = [](const std::optional<XEngineParts>& parts) {
    return parts ? copies_over_compute(parts->times) : std::nullopt;
  };
  const auto reordering =
      host ? std::optional(host->reordering / (host->times.copies() + host->times.compute))
           : std::nullopt;
  return {
      {"CPU: [time][input] over [input][time]", of({"cpu.ti"}, {"cpu.it"})},
      {"CPU: best by hand over CBLAS", of(kCpuByHand, kCpuBlas)},
      {"CPU: CBLAS over ours", of(kCpuBlas, {"cpu.ours."})},
      {"GPU: [input][time] over [time][input]", of({"gpu.it"}, {"gpu.ti"}),
       talk("gpu.ti", "layout")},
      {"GPU: sums in global memory over the talk's planes in shared",
       of({"gpu.ti"}, {"gpu.planes.shared"}), talk("gpu.planes.shared", "global_over_shared")},
      {"GPU: the talk's planes, shared memory over registers",
       of({"gpu.planes.shared"}, {"gpu.planes.registers"}),
       talk("gpu.planes.registers", "shared_over_registers")},
      {"GPU: sums in global over shared memory", of({"gpu.ti"}, {"gpu.shared"})},
      {"GPU: bank conflicts over none", of({"gpu.shared"}, {"gpu.shared.banks"})},
      {"GPU: as little L1 as there can be over as much",
       of({"gpu.shared.less-l1"}, {"gpu.shared.more-l1"})},
      {"GPU: sums in shared memory over registers", of({"gpu.shared.banks"}, {"gpu.registers"})},
      {"GPU: loads over texture units", of({"gpu.registers"}, {"gpu.texture"})},
      {"GPU: one pair per thread over the best tiles", of({"gpu.registers"}, kGpuTiles)},
      {"GPU: best by hand over cuBLAS", of(kGpuByHand, kGpuBlas)},
      {"GPU: complex product over a real one", of({"gpu.blas.complex"}, {"gpu.blas"})},
      {"GPU: copies over compute", copies(transfers.stream)},
      {"GPU: one stream over four", of({"gpu.stream"}, {"gpu.streams"}),
       talk("gpu.streams", "one_over_several")},
      {"GPU: cgemm, the host's reordering over copies and compute", reordering},
      {"GPU: cgemm with reordering, one stream over four",
       of({"gpu.blas.host"}, {"gpu.blas.host.streams"})},
      {"GPU: cuBLAS over ours", of(kGpuBlas, kGpuOurs)},
      {"CPU over GPU, by hand", of(kCpuByHand, kGpuByHand)},
      {"CPU over GPU, by hand, with copies both ways", of(kCpuByHand, kGpuBothWays),
       talk("-", "cpu_over_gpu")},
      {"CPU over GPU, BLAS, no copies", of(kCpuBlas, kGpuBlas)},
      {"CPU over GPU, BLAS, with copies both ways", of(kCpuBlas, kGpuBlasBothWays)},
      {"CPU over GPU, cgemm, with copies and the host's reordering",
       of({"cpu.cgemm"}, kGpuBlasByHost), talk("gpu.blas.host", "cpu_over_gpu")}};
}

std::string xengine_verdict(const StudyResult& result) {
  std::string text = fastest_of_both(result);
  if (text.empty()) return "No rung ran: there is nothing to compare.";
  const auto add = [&](const char* what, const RungNames& over, const RungNames& under,
                       const char* rung) {
    const auto here = time_ratio(result, over, under);
    if (!here) return;
    text += fmt::format("; {} {:.3g} times", what, *here);
    if (const auto talk = there(rung)) text += fmt::format(", where the talk found {:.3g}", *talk);
  };
  add("by hand and with copies", kCpuByHand, kGpuBothWays, "-");
  add("by cgemm, with copies and the host's reordering,", {"cpu.cgemm"}, kGpuBlasByHost,
      "gpu.blas.host");
  text.front() = 'O';
  return text + ".";
}

}  // namespace tessera
