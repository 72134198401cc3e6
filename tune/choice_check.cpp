// SPDX-License-Identifier: Apache-2.0
#include "tune/choice_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>

namespace tessera {
namespace {

constexpr int kSecondLooks = 3;

constexpr double kNever = std::numeric_limits<double>::infinity();

/// Work that takes twice as long as `best` is not timed again.
double seconds_of(const Trial& trial, double best = kNever) {
  trial.enqueue();
  trial.finish();
  return time_trial(trial, {}, best).seconds;
}

struct Judged {
  double ratio = 1;
  std::string sentence;
};

/// In turn, several times; the minimum of each counts.
double second_look(const std::function<Trial()>& chosen, const std::function<Trial()>& best) {
  double a = kNever, b = kNever;
  for (int i = 0; i < kSecondLooks; ++i) {
    a = std::min(a, seconds_of(chosen()));
    b = std::min(b, seconds_of(best()));
  }
  return std::max(1.0, a / b);
}

Judged judge(const ChoiceCase& one) {
  const Choice choice = one.choose();
  std::map<std::string, double> seconds;
  std::map<std::string, std::function<Trial()>> trials;
  for (const auto& [name, prepare] : choice.methods) trials[name] = prepare;
  // The chosen one first, so that slow ones are recognised.
  std::string best = choice.chosen;
  seconds[best] = seconds_of(trials.at(best)());
  for (const auto& [name, prepare] : choice.methods) {
    if (name != choice.chosen) seconds[name] = seconds_of(prepare(), seconds[best]);
    if (seconds[name] < seconds[best]) best = name;
  }
  double ratio = seconds.at(choice.chosen) / seconds.at(best);
  if (ratio > 1 + kMeanExcess) ratio = second_look(trials[choice.chosen], trials[best]);
  return {ratio, fmt::format("{}: {} takes {:.3f} ms, {} {:.3f} ms: {:.2f} times", one.label,
                             choice.chosen, 1e3 * seconds[choice.chosen], best, 1e3 * seconds[best],
                             ratio)};
}

}  // namespace

ChoiceReport check_choices(const std::vector<ChoiceCase>& cases, double budget_seconds,
                           const std::function<void(int, int)>& step) {
  ChoiceReport report;
  report.all = static_cast<int>(cases.size());
  const auto start = std::chrono::steady_clock::now();
  for (const ChoiceCase& one : cases) {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    if (budget_seconds > 0 && spent.count() > budget_seconds) break;
    const Judged judged = judge(one);
    report.mean += judged.ratio;
    ++report.cases;
    if (judged.ratio > report.worst) {
      report.worst = judged.ratio;
      report.worst_case = one.label;
    }
    if (judged.ratio > 1 + kMeanExcess) report.offenders.push_back(judged.sentence);
    if (step) step(report.cases, report.all);
  }
  report.mean /= std::max(report.cases, 1);
  return report;
}

std::string ChoiceReport::describe() const {
  std::string text = fmt::format(
      "{} of {} choices: the chosen method takes {:.3f} times the best one's time on average, "
      "{:.2f} at worst ({})",
      cases, all, mean, worst, worst_case);
  for (const std::string& offender : offenders) text += "\n  " + offender;
  return text;
}

}  // namespace tessera
