// SPDX-License-Identifier: Apache-2.0
/// The search: for every task the fastest candidate whose result is right.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tune/table.hpp"
#include "tune/table_index.hpp"
#include "tune/trial.hpp"

namespace tessera {

/// One method at one size: finds its best knobs, and the time it takes with them.
struct TuneTask {
  std::string label;  ///< "cpu direct 7x7"
  std::string machine;
  std::string site;    ///< the site that asks for its knobs; empty: it has none
  ProblemKey problem;  ///< the key by which that site looks them up
  /// Best first by the cost model, the first one the defaults. Empty: it uses the knobs of the
  /// nearest size that was searched, and only the time is measured.
  std::vector<Knobs> candidates;
  /// Where the time is stored: knob fs, femtoseconds per output sample; empty: nowhere, because
  /// `auto` asks no table.
  std::string time_site;
  ProblemKey time_problem;
  double samples = 1;  ///< output samples of a run
  /// The alternatives, as times are stored. If the measured neighbours show that one of them is
  /// twice as fast, this size is not worth measuring: it is interpolated.
  std::vector<ProblemKey> rivals;
  /// Called with a candidate's knobs forced. Throws Error if it cannot be made or run.
  std::function<Trial()> prepare;
};

struct SearchCounts {
  int tasks = 0, resumed = 0, measured = 0, interpolated = 0;
  int candidates = 0, failed = 0, wrong = 0;
};

/// The result of a task, and the progress of the search.
struct SearchStep {
  const TuneTask& task;
  int done, all;
  double seconds;  ///< since the search began
};

struct SearchRule {
  TimingRule timing;
  double budget_seconds = 0;  ///< 0: no limit; tasks begun are finished
  std::string stamp;          ///< "date=2026-01-31 version=0.4", put on every line
};

class Search {
 public:
  explicit Search(SearchRule rule) : rule_(std::move(rule)) {}

  /// Results of an earlier search: its tasks are not done again.
  void resume(const std::vector<TuningLine>& lines);
  /// Called with every finished task and its lines, for a journal.
  std::function<void(const SearchStep&, const std::vector<TuningLine>&)> on_step;

  /// Measures; then interpolates the tasks for which the budget was too small from their
  /// neighbours, marked measured=no. Returns all lines, including those of the resumed search.
  std::vector<TuningLine> run(const std::vector<TuneTask>& tasks);

  /// Whether the budget was too small for some tasks: another search can continue.
  bool ran_out() const { return ran_out_; }
  const SearchCounts& counts() const { return counts_; }
  /// Candidates that gave wrong results and tasks where none worked, one sentence each.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  struct Tried {
    bool good = false;
    Knobs knobs;
    MedianTime time;
  };
  void look_again(const TuneTask& task, Tried& first, Tried& best);
  std::vector<TuningLine> measure(const TuneTask& task);
  Tried try_one(const TuneTask& task, const Knobs& knobs, double best);
  std::vector<TuningLine> lines_of(const TuneTask& task, const Tried& best, double default_seconds);
  bool is_hopeless(const TuneTask& task);
  const TableIndex& index();
  void interpolate(const std::vector<const TuneTask*>& tasks);

  SearchRule rule_;
  SearchCounts counts_;
  bool ran_out_ = false;
  std::vector<TuningLine> lines_;
  TableIndex index_;
  std::size_t indexed_lines_ = 0;
  std::vector<std::string> notes_;
};

}  // namespace tessera
