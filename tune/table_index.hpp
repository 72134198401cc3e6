// SPDX-License-Identifier: Apache-2.0
/// Tables for fast look-up: lines by machine, site and words, their numbers as logarithms.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "tune/table.hpp"

namespace tessera {

class TableIndex {
 public:
  TableIndex() = default;
  explicit TableIndex(const std::vector<TuningLine>& lines);
  void add(const TuningLine& line);

  bool empty() const { return groups_.empty(); }

  /// The knobs of the exact line, else of the nearest in the sum of |log ratio| of the numbers,
  /// else none. The later of two lines for one problem counts.
  Knobs nearest(const std::string& machine, const std::string& site,
                const ProblemKey& problem) const;

  /// A knob that grows smoothly with the numbers of the problem, such as a time: that of the exact
  /// line, else from a plane fitted through the logarithms of its neighbours; none if there is
  /// no line. Beyond the measured sizes it grows at most in proportion to each number, and never
  /// falls.
  std::optional<double> interpolated(const std::string& machine, const std::string& site,
                                     const ProblemKey& problem, const std::string& knob) const;

 private:
  /// Lines that differ only in their numbers.
  struct Group {
    std::vector<double> logs;  ///< of the numbers of all lines, line by line
    std::vector<Knobs> knobs;
  };
  const Group* find(const std::string& machine, const std::string& site,
                    const ProblemKey& problem) const;

  std::unordered_map<std::string, Group> groups_;
  std::string name_;  ///< the last group's: kept to reuse its memory
};

}  // namespace tessera
