// SPDX-License-Identifier: Apache-2.0
/// Is `auto` right? Times every method and compares the chosen one with the best.
#pragma once

#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "tessera/options.hpp"
#include "tune/tuner.hpp"

namespace tessera {

/// The rule: how much longer the chosen method may take than the best one measured.
inline constexpr double kMeanExcess = 0.05, kWorstExcess = 0.15, kWorstOfBackends = 0.20;

struct ChoiceReport {
  int cases = 0, all = 0;
  double mean = 0, worst = 0;
  std::string worst_case;
  std::vector<std::string> offenders;

  static constexpr auto fields() {
    using R = ChoiceReport;
    return std::tuple{
        field("cases", &R::cases, "choices judged"),
        field("all", &R::all, "all choices; the budget may be too small for them"),
        field("mean", &R::mean, "time of the chosen method over the best one's, mean"),
        field("worst", &R::worst, "the largest of these ratios"),
        field("worst_case", &R::worst_case, "the case of the largest ratio"),
        field("offenders", &R::offenders, "choices that cost more than a twentieth"),
    };
  }
  bool holds(double worst_excess = kWorstExcess) const {
    return mean <= 1 + kMeanExcess && worst <= 1 + worst_excess;
  }
  std::string describe() const;
};

/// A choice that looks bad is timed again together with the best one before it counts, so that
/// momentary noise does not count. `step(done, all)` is called for every case.
ChoiceReport check_choices(const std::vector<ChoiceCase>& cases, double budget_seconds,
                           const std::function<void(int, int)>& step);

}  // namespace tessera
