// SPDX-License-Identifier: Apache-2.0
/// The curves of an image's planes in the form that row functions take.
#pragma once

#include <cstdint>
#include <vector>

#include "ops/enhance/cpu/enhance_rows.hpp"
#include "ops/enhance/enhance_problem.hpp"

namespace tessera {

template <class T>
class PlaneCurves {
 public:
  /// For a stage contrast or equalise whose finding is complete.
  PlaneCurves(const EnhanceProblem& problem, const EnhanceStage& stage,
              const StageFinding& finding) {
    const auto levels = static_cast<std::size_t>(problem.levels());
    const int groups = groups_of(problem, stage.in), colours = colours_of(stage.in);
    values_.assign(finding.curve.begin(), finding.curve.end());
    for (int plane = 0; plane < stage.in.size.planes; ++plane) {
      RowCurves<T> row{.channels = stage.in.size.channels};
      const auto first = static_cast<std::size_t>(plane) * static_cast<std::size_t>(groups);
      for (int c = 0; c < colours; ++c)
        row.curve[static_cast<std::size_t>(c)] =
            values_.data() + (first + static_cast<std::size_t>(groups == 1 ? 0 : c)) * levels;
      row.same = groups == 1 && colours == row.channels;
      if (row.same && stage.step == EnhanceStep::contrast && finding.low[first] >= 0) {
        if constexpr (sizeof(T) == 1)
          row.steps = contrast_steps(finding.low[first], finding.high[first]);
        else
          row.steps = wide_contrast_steps(finding.low[first], finding.high[first]);
      }
      planes_.push_back(row);
    }
  }
  PlaneCurves() = default;
  bool empty() const { return planes_.empty(); }
  const RowCurves<T>& of(int plane) const { return planes_[static_cast<std::size_t>(plane)]; }

 private:
  std::vector<T> values_;
  std::vector<RowCurves<T>> planes_;
};

}  // namespace tessera
