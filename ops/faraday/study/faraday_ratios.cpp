// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "ops/faraday/study/faraday_study.hpp"
#include "study/fastest_rungs.hpp"

namespace tessera {

std::vector<ComparedFigure> faraday_ratios(const StudyResult& result, Type type,
                                           const FaradayTransfers& transfers) {
  using Names = std::vector<std::string>;
  const std::string precision = precision_name(type);
  const auto of = [&](const Names& over, const Names& under) {
    return time_ratio(result, over, under, precision);
  };
  // The talk's ratios are of doubles.
  const auto talk = [&](const char* rung, const char* quantity) {
    return type == Type::f64 ? published_text(published_figures("faraday"), rung, 0, 0, {quantity})
                             : kUnknown;
  };
  const auto copies = [&](const char* rung) {
    const auto found = transfers.find(rung + precision);
    return found == transfers.end() ? std::nullopt : copies_over_compute(found->second);
  };
  const Names by_hand{"cpu.naive.", "cpu.layout.", "cpu.threads."};
  const Names rows{"cpu.blas.rows."}, cublas_rows{"gpu.blas.rows."};
  const Names one{"cpu.blas." + precision}, cublas_one{"gpu.blas.complex."};
  const Names stacked{"cpu.blas.stacked."}, cublas_stacked{"gpu.blas." + precision};
  const Names blas{"cpu.blas."}, cublas{"gpu.blas."};  // the best of the three
  const auto double_over_single =
      type == Type::f64 ? time_ratio(result, {"gpu.blas.rows.double"}, {"gpu.blas.rows.single"})
                        : std::nullopt;
  return {
      {"CPU: best by hand over CBLAS, for each y", of(by_hand, rows),
       talk("cpu.blas.rows.double", "hand_over_blas")},
      {"CPU: CBLAS, for each y over one product", of(rows, one)},
      {"CPU: CBLAS, one complex product over a real one", of(one, stacked)},
      {"GPU: best by hand over cuBLAS, for each y", of({"gpu.naive.", "gpu.tiled."}, cublas_rows),
       talk("gpu.blas.rows.double", "hand_over_blas")},
      {"GPU: cuBLAS, for each y over one product", of(cublas_rows, cublas_one)},
      {"GPU: cuBLAS, one complex product over a real one", of(cublas_one, cublas_stacked)},
      {"GPU: copies over compute, for each y", copies("gpu.rows.stream."),
       talk("gpu.rows.stream.double", "copies_over_compute") +
           (type == Type::f64 ? ", or more" : "")},
      {"GPU: copies over compute, one real product", copies("gpu.stream.")},
      {"GPU: one stream over four, for each y", of({"gpu.rows.stream."}, {"gpu.rows.streams."}),
       talk("gpu.rows.streams.double", "one_over_several")},
      {"GPU: one stream over four, one real product", of({"gpu.stream."}, {"gpu.streams."})},
      {"CPU over GPU with copies both ways, the talk's programs",
       of({"cpu.naive.", "cpu.layout.", "cpu.threads.", "cpu.blas.rows."},
          {"gpu.rows.stream.", "gpu.rows.streams."}),
       talk("-", "cpu_over_gpu")},
      {"GPU: double over single, cuBLAS, for each y", double_over_single,
       talk("gpu.blas.rows.double", "double_over_single")},
      {"CPU: four loops (the talk's GSL) over CBLAS, for each y", of({"cpu.naive."}, rows),
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
