// SPDX-License-Identifier: Apache-2.0
/// Tuning tables: which knobs measured best for which problem on which machine. Text, one line per
/// choice:
///
///     # machine  site@version  problem | knobs | measured
///     h200 convolve.direct@1 in=f32 fw=7 fh=7 pixels=16777216 | block_x=64 rows=4 | gain=1.12
///
/// The last part says how the line was found: gain over the default knobs, spread of the times, ms,
/// date, version; `measured=no` if it was interpolated between neighbours.
///
/// Names and numbers only. A knob never changes a bit of a result, so a wrong table costs only
/// time.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// Named integers: block_x=64 rows=4.
struct Knobs {
  std::map<std::string, int> values;
  bool exact = false;  ///< measured for this exact problem (or forced), not for a neighbour

  int get(const std::string& name, int fallback) const {
    const auto found = values.find(name);
    return found == values.end() ? fallback : found->second;
  }
  bool empty() const { return values.empty(); }
};

/// Knobs that take a kernel compiled at run time, if that is worth some tenths of a second: for a
/// million samples or more, or for the problem that they were measured for. Else none.
inline Knobs worth_compiling(const Knobs& tuned, double samples) {
  return tuned.exact || samples >= 1 << 20 ? tuned : Knobs{};
}

/// The key of a problem. Words must match; numbers may be close.
struct ProblemKey {
  std::map<std::string, std::string> words;  ///< in=f32
  std::map<std::string, double> numbers;     ///< fw=7 fh=7 pixels=16777216
  bool operator==(const ProblemKey&) const = default;
};

struct TuningLine {
  std::string machine, site;  ///< "h200", "convolve.direct@1"
  ProblemKey problem;
  Knobs knobs;
  std::string measured;  ///< "gain=1.12 spread=0.01 ms=0.046 date=2026-01-31"

  bool is_measured() const { return measured.find("measured=no") == std::string::npos; }
};

/// The lines of a table. Throws Error(input) naming `name` and the line that cannot be read.
std::vector<TuningLine> parse_table(std::string_view text, const std::string& name);

/// The same line by line, which takes half the time if lines are not kept.
void each_line(std::string_view text, const std::string& name,
               const std::function<void(TuningLine&&)>& take);

/// The line as written in a table, without the end of line.
std::string line_text(const TuningLine& line);

/// `old` with every line of `more` instead of the one for the same machine, site and problem, else
/// added at the end. A line that was not measured never replaces one that was.
std::vector<TuningLine> merged(std::vector<TuningLine> old, const std::vector<TuningLine>& more);

/// The knobs for a problem: those forced by ScopedKnobs (found_tables.hpp), else the exact line,
/// else the nearest, in the user's tables, then in the shipped ones; else none.
Knobs find_knobs(const std::string& site, const ProblemKey& problem, const std::string& machine);

/// The word tables use for a machine: "NVIDIA H200" is h200, "Neoverse-N1" neoverse-n1.
std::string table_name(std::string_view machine_name);
std::string cpu_table_name();

}  // namespace tessera
