// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "ops/xengine/study/xengine_study.hpp"
#include "study/code_lines.hpp"
#include "study/fastest_rungs.hpp"

namespace tessera {
namespace {

/// The least time of rungs of these names, or that begin with one that ends with a dot.
std::optional<double> fastest(const StudyResult& result, const std::vector<std::string>& names) {
  const StudyRow* const row = fastest_row(result, names);
  return row ? row->ms : std::nullopt;
}

std::optional<double> ratio(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b ? std::optional(*a / *b) : std::nullopt;
}

const std::vector<std::string> kCpuByHand{"cpu.ti", "cpu.it", "cpu.planes", "cpu.threads"};
const std::vector<std::string> kCpuBlas{"cpu.cgemm", "cpu.cherk"};
const std::vector<std::string> kGpuByHand{"gpu.it", "gpu.ti", "gpu.shared", "gpu.registers"};
/// Samples and sums on the device.
const std::vector<std::string> kGpuOurs{"gpu.ours.dp4a", "gpu.ours.mma", "gpu.ours.wgmma",
                                        "gpu.ours.it"};

}  // namespace

const std::vector<PublishedFigure>& xengine_published() {
  constexpr const char* kName = "ops/xengine/study/published.tsv";
  static const std::vector<PublishedFigure> figures = parse_published(kName, study_text(kName));
  return figures;
}

XEngineRatios xengine_ratios(const StudyResult& result,
                             const std::optional<XEngineTransfer>& transfer) {
  const auto best = [&](const std::vector<std::string>& names) { return fastest(result, names); };
  XEngineRatios r;
  r.cpu_layout = ratio(best({"cpu.ti"}), best({"cpu.it"}));
  r.hand_over_blas = ratio(best(kCpuByHand), best(kCpuBlas));
  r.gpu_layout = ratio(best({"gpu.it"}), best({"gpu.ti"}));
  r.global_over_shared = ratio(best({"gpu.ti"}), best({"gpu.shared"}));
  r.shared_over_registers = ratio(best({"gpu.shared"}), best({"gpu.registers"}));
  r.hand_over_cublas = ratio(best(kGpuByHand), best({"gpu.blas"}));
  if (transfer && transfer->compute > 0)
    r.copies_over_compute = (transfer->upload + transfer->download) / transfer->compute;
  r.one_over_several = ratio(best({"gpu.stream"}), best({"gpu.streams"}));
  r.cpu_over_gpu = ratio(best(kCpuByHand), best(kGpuByHand));
  r.cpu_over_gpu_ways = ratio(best(kCpuByHand), best({"gpu.stream", "gpu.streams"}));
  r.blas_over_blas = ratio(best(kCpuBlas), best({"gpu.blas"}));
  r.ours_over_blas_cpu = ratio(best(kCpuBlas), best({"cpu.ours."}));
  r.ours_over_blas_gpu = ratio(best({"gpu.blas"}), best(kGpuOurs));
  return r;
}

std::string xengine_verdict(const StudyResult& result) {
  std::string text = fastest_of_both(result);
  if (text.empty()) return "No rung ran: there is nothing to compare.";
  if (const auto by_hand = xengine_ratios(result, std::nullopt).cpu_over_gpu_ways) {
    const auto there = published_value(xengine_published(), "-", 0, 0, "cpu_over_gpu");
    text += fmt::format("; by hand and with copies {:.3g} times", *by_hand);
    if (there) text += fmt::format(", where the talk found {:.3g}", *there);
  }
  text.front() = 'O';
  return text + ".";
}

}  // namespace tessera
