// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "ops/faraday/study/faraday_study.hpp"
#include "study/fastest_rungs.hpp"

namespace tessera {

std::vector<ComparedFigure> faraday_ratios(const StudyResult& result, Type type,
                                           const std::optional<TransferTimes>& transfer) {
  using Names = std::vector<std::string>;
  const auto of = [&](const Names& over, const Names& under) {
    return time_ratio(result, over, under, precision_name(type));
  };
  // The talk's ratios are of doubles.
  const auto talk = [&](const char* rung, const char* quantity) {
    return type == Type::f64 ? published_text(published_figures("faraday"), rung, 0, 0, {quantity})
                             : kUnknown;
  };
  const Names blas{"cpu.blas."}, cublas{"gpu.blas."};
  const auto double_over_single = type == Type::f64
                                      ? time_ratio(result, {"gpu.blas.double"}, {"gpu.blas.single"})
                                      : std::nullopt;
  return {
      {"CPU: best by hand over CBLAS", of({"cpu.naive.", "cpu.layout.", "cpu.threads."}, blas),
       talk("cpu.blas.double", "hand_over_blas")},
      {"GPU: best by hand over cuBLAS", of({"gpu.naive.", "gpu.tiled."}, cublas),
       talk("gpu.blas.double", "hand_over_blas")},
      {"GPU: copies over compute", copies_over_compute(transfer),
       talk("gpu.stream.double", "copies_over_compute") + (type == Type::f64 ? ", or more" : "")},
      {"GPU: one stream over four", of({"gpu.stream."}, {"gpu.streams."}),
       talk("gpu.streams.double", "one_over_several")},
      {"CPU over GPU with copies both ways, the talk's programs",
       of({"cpu.naive.", "cpu.layout.", "cpu.threads.", "cpu.blas."},
          {"gpu.stream.", "gpu.streams."}),
       talk("-", "cpu_over_gpu")},
      {"GPU: double over single, cuBLAS", double_over_single,
       talk("gpu.blas.double", "double_over_single")},
      {"CPU: four loops (the talk's GSL) over CBLAS", of({"cpu.naive."}, blas),
       talk("cpu.naive.double", "speed")},
      {"CPU: CBLAS over ours", of(blas, {"cpu.ours."})},
      {"GPU: cuBLAS over ours", of(cublas, {"gpu.ours.gemm.", "gpu.ours.nufft."})}};
}

std::string faraday_verdict(const StudyResult& result) {
  std::string text;
  for (const auto& [side, where] : {std::pair{"cpu.", "On the CPU"}, {"gpu.", "on the GPU"}}) {
    const StudyRow* const best = fastest_row(result, {side});
    if (!best) continue;
    text += fmt::format("{}{} {} is fastest: {:.4g} ms", text.empty() ? "" : "; ", where,
                        best->rung, *best->ms);
    const std::string blas = std::string(side) + "blas." + best->rung.substr(best->rung.size() - 6);
    const StudyRow* const row = fastest_row(result, {blas});
    if (row && row != best)
      text +=
          fmt::format(", {:.3g} times as fast as BLAS ({:.4g} ms)", *row->ms / *best->ms, *row->ms);
  }
  if (text.empty()) return "No rung ran: there is nothing to compare.";
  text.front() = 'O';
  return text + ".";
}

}  // namespace tessera
