// SPDX-License-Identifier: Apache-2.0
// The paper's question, asked of today's figures.
#include <fmt/format.h>

#include <functional>

#include "ops/correlate/study/correlate_study.hpp"
#include "study/fastest_rungs.hpp"

namespace tessera {
namespace {

// The paper accepts 650 ms as a match for 465.74: 1.4 times as long.
constexpr double kMatch = 1.5;

bool is_ours(const std::string& rung) { return rung.starts_with("ours."); }
/// Neither the paper's programs nor ours.
bool is_of_prediction(const std::string& rung) {
  return rung == "fma" || rung.starts_with("wide.") || rung.starts_with("eight.");
}
bool is_cpu(const std::string& rung) {
  return rung == "scalar" || rung.starts_with("simd.") || rung.starts_with("openmp.") ||
         rung.starts_with("pthreads.") || rung.starts_with("ours.cpu.");
}

const StudyRow* fastest(const StudyResult& result, bool cpu, bool ours) {
  return fastest_where(result, [&](const std::string& rung) {
    return is_cpu(rung) == cpu && is_ours(rung) == ours && !is_of_prediction(rung);
  });
}

std::string shown(const StudyRow& row) {
  const std::string time =
      *row.ms < 1000 ? fmt::format("{:.4g} ms", *row.ms) : fmt::format("{:.4g} s", *row.ms / 1000);
  return row.lines ? fmt::format("{} ({}, {} lines)", row.rung, time, *row.lines)
                   : fmt::format("{} ({})", row.rung, time);
}

std::string compared(const StudyRow& cpu, const StudyRow& gpu) {
  return fmt::format("{} takes {:.3g} times as long as {}", shown(cpu), *cpu.ms / *gpu.ms,
                     shown(gpu));
}

}  // namespace

std::string correlate_verdict(const StudyResult& result) {
  const StudyRow* const paper_cpu = fastest(result, true, false);
  const StudyRow* const paper_gpu = fastest(result, false, false);
  const StudyRow* const our_cpu = fastest(result, true, true);
  const StudyRow* const our_gpu = fastest(result, false, true);
  if (!paper_gpu && !our_gpu) {
    const StudyRow* const best = our_cpu ? our_cpu : paper_cpu;
    if (!best) return "No rung ran: there is nothing to judge.";
    return fmt::format("No rung ran on a GPU, so there is nothing to match; the CPU's best is {}.",
                       shown(*best));
  }
  if (!paper_cpu && !our_cpu) return "No rung ran on the CPU: there is nothing to compare with.";
  const bool product = our_cpu && our_gpu;
  if (!product && !(paper_cpu && paper_gpu))
    return "The paper's programs ran on one side and ours on the other: they are not compared.";
  const StudyRow& cpu = product ? *our_cpu : *paper_cpu;
  const StudyRow& gpu = product ? *our_gpu : *paper_gpu;
  std::string text =
      fmt::format("{}: {}", *cpu.ms <= kMatch * *gpu.ms ? "Yes" : "No", compared(cpu, gpu));
  if (product && paper_cpu && paper_gpu)
    text += "; of the paper's own programs " + compared(*paper_cpu, *paper_gpu);
  return text + "; in the paper it was 1.4 times (two Power7, 650 ms; Fermi, 465.74 ms).";
}

}  // namespace tessera
