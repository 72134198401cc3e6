// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "ops/enhance/study/enhance_study.hpp"

namespace tessera {
namespace {

std::string beside(const std::string& text, const std::optional<double>& other, double ms,
                   const std::string& what) {
  return other ? fmt::format("{}, {:.3g} times as fast as {} ({:.4g} ms)", text, *other / ms, what,
                             *other)
               : text;
}

std::optional<double> at_paper_size(bool paper_size, const char* quantity) {
  return paper_size ? published_total(quantity) : std::nullopt;
}

/// 30.7 ms and the 54.6 that the paper adds.
std::optional<double> there_with_copies(bool paper_size) {
  return added(at_paper_size(paper_size, "kernels"), at_paper_size(paper_size, "transfers"));
}

std::string gpu_text(const EnhanceTotals& t, bool paper_size) {
  std::optional<double> best = t.fused;
  if (t.steps && (!best || *t.steps < *best)) best = t.steps;
  if (!best && t.paper_gpu)
    return beside(fmt::format("the GPU's four steps take {:.4g} ms", *t.paper_gpu),
                  at_paper_size(paper_size, "kernels"), *t.paper_gpu, "the paper's GTX 480");
  if (!best) return "";
  std::string text = fmt::format("On the GPU our four steps take {:.4g} ms", *best);
  text = beside(text, t.paper_gpu, *best, "the paper's best programs here");
  text = beside(text, at_paper_size(paper_size, "kernels"), *best, "they were on a GTX 480");
  if (t.pinned)
    text = beside(text + fmt::format("; from and to page-locked memory {:.4g} ms", *t.pinned),
                  there_with_copies(paper_size), *t.pinned, "the paper with copies and allocation");
  return text;
}

std::string cpu_text(const EnhanceTotals& t, bool paper_size) {
  if (!t.all && !t.one && t.plain)
    return beside(fmt::format("the CPU's plain loops take {:.4g} ms", *t.plain),
                  at_paper_size(paper_size, "all"), *t.plain, "the paper's Xeon");
  if (!t.all && !t.one) return "";
  const double best = std::min(t.all.value_or(1e30), t.one.value_or(1e30));
  std::string text = fmt::format("on the CPU our four steps take {:.4g} ms", best);
  text = beside(text, t.plain, best, "plain loops");
  return beside(text, at_paper_size(paper_size, "all"), best, "the paper's Xeon");
}

}  // namespace

std::string enhance_verdict(const EnhanceTotals& totals, bool paper_size) {
  const std::string gpu = gpu_text(totals, paper_size), cpu = cpu_text(totals, paper_size);
  if (gpu.empty() && cpu.empty())
    return "Not all four steps ran on one side: there is nothing to add up.";
  std::string text = gpu + (gpu.empty() || cpu.empty() ? "" : "; ") + cpu + ".";
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

}  // namespace tessera
