// SPDX-License-Identifier: Apache-2.0
#include "study/fastest_rungs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tessera {
namespace {

// "gpu.stream", "gpu.blas.stream", "gpu.ours.host.exact".
bool copies_both_ways(const std::string& rung) {
  return rung.find(".stream") != std::string::npos || rung.find(".host") != std::string::npos;
}

}  // namespace

const StudyRow* fastest_row(const StudyResult& result, const std::vector<std::string>& names,
                            const std::string& ending) {
  return fastest_where(result, [&](const std::string& rung) {
    return rung.ends_with(ending) &&
           std::any_of(names.begin(), names.end(), [&](const std::string& name) {
             return rung == name || (name.ends_with('.') && rung.starts_with(name));
           });
  });
}

std::optional<double> time_ratio(const StudyResult& result, const std::vector<std::string>& over,
                                 const std::vector<std::string>& under, const std::string& ending) {
  const StudyRow *const a = fastest_row(result, over, ending), *const b = fastest_row(result, under,
                                                                                      ending);
  return a && b ? std::optional(*a->ms / *b->ms) : std::nullopt;
}

std::string fastest_of_both(const StudyResult& result) {
  const StudyRow* const cpu = fastest_row(result, {"cpu."});
  const StudyRow* const gpu = fastest_row(result, {"gpu."});
  std::string text;
  for (const auto& [row, where] : {std::pair{cpu, "on the CPU"}, {gpu, "on the GPU"}})
    if (row)
      text += fmt::format("{}{} {} is fastest: {:.4g} ms", text.empty() ? "" : "; ", where,
                          row->rung, *row->ms);
  if (cpu && gpu)
    text += fmt::format("; the GPU is {:.3g} times as fast{}", *cpu->ms / *gpu->ms,
                        copies_both_ways(gpu->rung) ? "" : " with its data in its own memory");
  return text;
}

}  // namespace tessera
