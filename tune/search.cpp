// SPDX-License-Identifier: Apache-2.0
#include "tune/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "tessera/error.hpp"
#include "tune/found_tables.hpp"

namespace tessera {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

int femtoseconds(double seconds) {
  return static_cast<int>(std::clamp(std::round(seconds * 1e15), 1.0, 2147483647.0));
}

std::string key_of(const TuningLine& line) {
  return line_text({line.machine, line.site, line.problem, {}, ""});
}

TuningLine time_line(const TuneTask& task, int value, const std::string& measured) {
  return {task.machine, task.time_site, task.time_problem, {{{"fs", value}}, true}, measured};
}

/// The line by which a finished task is known.
std::string key_of(const TuneTask& task) {
  if (task.time_site.empty()) return line_text({task.machine, task.site, task.problem, {}, ""});
  return key_of(time_line(task, 1, ""));
}

class Clock {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

void Search::resume(const std::vector<TuningLine>& lines) { lines_ = merged(lines_, lines); }

std::vector<TuningLine> Search::run(const std::vector<TuneTask>& tasks) {
  std::unordered_set<std::string> known;
  for (const TuningLine& line : lines_) known.insert(key_of(line));
  const Clock clock;
  std::vector<const TuneTask*> left;
  counts_.tasks = static_cast<int>(tasks.size());
  for (const TuneTask& task : tasks) {
    if (known.contains(key_of(task))) {
      ++counts_.resumed;
      continue;
    }
    const bool late = rule_.budget_seconds > 0 && clock.seconds() > rule_.budget_seconds;
    ran_out_ |= late;
    if (late || is_hopeless(task)) {
      left.push_back(&task);
      continue;
    }
    const std::vector<TuningLine> lines = measure(task);
    lines_.insert(lines_.end(), lines.begin(), lines.end());
    counts_.measured += !lines.empty();
    const int passed = counts_.resumed + counts_.measured + static_cast<int>(left.size());
    if (on_step) on_step({task, passed, counts_.tasks, clock.seconds()}, lines);
  }
  interpolate(left);
  return lines_;
}

// Made again only now and then: slightly older neighbours are just as good.
const TableIndex& Search::index() {
  constexpr std::size_t kEnough = 64;
  if (indexed_lines_ == 0 || lines_.size() >= indexed_lines_ + kEnough) {
    index_ = TableIndex(lines_);
    indexed_lines_ = lines_.size();
  }
  return index_;
}

bool Search::is_hopeless(const TuneTask& task) {
  if (task.rivals.empty()) return false;
  const auto time = [&](const ProblemKey& problem) {
    return index().interpolated(task.machine, task.time_site, problem, "fs").value_or(kInfinite);
  };
  double best = kInfinite;
  for (const ProblemKey& rival : task.rivals) best = std::min(best, time(rival));
  const double own = time(task.time_problem);
  return std::isfinite(own) && own > 2 * best;
}

std::vector<TuningLine> Search::measure(const TuneTask& task) {
  std::vector<Knobs> candidates = task.candidates;
  if (candidates.empty())
    candidates.push_back(
        task.site.empty() ? Knobs{} : index().nearest(task.machine, task.site, task.problem));
  Tried first, best;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Tried tried = try_one(task, candidates[i], best.good ? best.time.seconds : kInfinite);
    if (!tried.good) continue;
    if (i == 0) first = tried;
    if (!best.good || tried.time.seconds < best.time.seconds) best = tried;
  }
  if (best.good && first.good && first.knobs.values != best.knobs.values)
    look_again(task, first, best);
  if (best.good) return lines_of(task, best, first.good ? first.time.seconds : 0);
  notes_.push_back(fmt::format("{}: no candidate worked", task.label));
  return {};
}

// The winner against the defaults, in turn, so that a disturbed moment makes no line: the shortest
// time of each counts, and the defaults stay unless they are 2% slower.
void Search::look_again(const TuneTask& task, Tried& first, Tried& best) {
  constexpr int kTurns = 2;
  try {
    for (int turn = 0; turn < kTurns; ++turn)
      for (Tried* const one : {&first, &best}) {
        const ScopedKnobs forced(task.site, one->knobs);
        const Trial trial = task.prepare();
        trial.enqueue();
        trial.finish();
        const MedianTime again = time_trial(trial, rule_.timing, kInfinite);
        if (again.seconds < one->time.seconds) one->time = again;
      }
  } catch (const Error& error) {
    notes_.push_back(fmt::format("{}: {}", task.label, error.what()));
    best = first;
    return;
  }
  constexpr double kWorthALine = 1.02;
  if (first.time.seconds < kWorthALine * best.time.seconds) best = first;
}

Search::Tried Search::try_one(const TuneTask& task, const Knobs& knobs, double best) {
  ++counts_.candidates;
  try {
    const ScopedKnobs forced(task.site, knobs);
    const Trial trial = task.prepare();
    trial.enqueue();
    trial.finish();
    // A fast wrong answer is not a result.
    if (const std::string wrong = trial.wrong(); !wrong.empty()) {
      ++counts_.wrong;
      const TuningLine line{task.machine, task.site, task.problem, knobs, ""};
      notes_.push_back(fmt::format("{} is wrong with {}: {}", task.label, line_text(line), wrong));
      return {};
    }
    return {true, knobs, time_trial(trial, rule_.timing, best)};
  } catch (const Error& error) {
    ++counts_.failed;
    notes_.push_back(fmt::format("{} cannot be tried: {}", task.label, error.what()));
    return {};
  }
}

std::vector<TuningLine> Search::lines_of(const TuneTask& task, const Tried& best,
                                         double default_seconds) {
  const std::string measured = fmt::format("spread={:.3f} ms={:.4g} {}", best.time.spread,
                                           best.time.seconds * 1e3, rule_.stamp);
  std::vector<TuningLine> lines;
  if (!task.time_site.empty())
    lines.push_back(time_line(task, femtoseconds(best.time.seconds / task.samples), measured));
  if (!task.candidates.empty() && !task.site.empty()) {
    const double gain = default_seconds > 0 ? default_seconds / best.time.seconds : 1;
    lines.push_back({task.machine, task.site, task.problem, best.knobs,
                     fmt::format("gain={:.3f} {}", gain, measured)});
  }
  return lines;
}

void Search::interpolate(const std::vector<const TuneTask*>& tasks) {
  index_ = TableIndex(lines_);
  const std::string mark = "measured=no " + rule_.stamp;
  for (const TuneTask* task : tasks) {
    if (!task->time_site.empty()) {
      const auto value =
          index_.interpolated(task->machine, task->time_site, task->time_problem, "fs");
      if (!value) continue;
      lines_.push_back(time_line(*task, femtoseconds(*value * 1e-15), mark));
      ++counts_.interpolated;
    }
    const Knobs knobs = task->candidates.empty()
                            ? Knobs{}
                            : index_.nearest(task->machine, task->site, task->problem);
    if (!knobs.empty()) lines_.push_back({task->machine, task->site, task->problem, knobs, mark});
  }
}

}  // namespace tessera
