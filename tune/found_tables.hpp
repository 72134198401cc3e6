// SPDX-License-Identifier: Apache-2.0
/// The tables this program finds: shipped inside the library (tuning/*.tsv), and the user's own in
/// the cache folder, which come first. They are read once, when the first plan asks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tune/table.hpp"

namespace tessera {

struct FoundTable {
  std::string name;  ///< "h200 (shipped)" or a path
  int lines = 0;     ///< number of lines in use
  /// Why it, or a part of it, is ignored; empty if all of it is used. Damaged; made on another
  /// machine; for other versions of the sites. Shipped tables of other machines are not a problem.
  std::string problem;
};
const std::vector<FoundTable>& found_tables();

/// From now on only shipped tables count, so that machines of one kind choose alike. Called before
/// the first plan is made.
void leave_out_user_tables();

/// One sentence each about tables and compiled kernels in the user's cache folder that were asked
/// for and are ignored.
std::vector<std::string> ignored_cache_warnings();

/// A knob that grows smoothly with the problem's numbers (TableIndex::interpolated).
std::optional<double> find_interpolated(const std::string& site, const ProblemKey& problem,
                                        const std::string& machine, const std::string& knob);

/// While it lives, plans made by this thread get these knobs for this site: the tuner tries
/// candidates this way. The innermost counts; empty knobs are the defaults of the site.
class ScopedKnobs {
 public:
  ScopedKnobs(const std::string& site, const Knobs& knobs);
  ScopedKnobs(const ScopedKnobs&) = delete;
  ScopedKnobs& operator=(const ScopedKnobs&) = delete;
  ~ScopedKnobs();
};

/// The machines that tables may be for: the names of the CPU and the devices.
std::vector<std::string> table_names_of_this_machine();

/// Keeps the lines of these machines whose sites this version knows; says in `problem` why others
/// were dropped. Throws Error(input) for a knob that its site does not allow.
std::vector<TuningLine> fitting_lines(std::vector<TuningLine> lines, const std::string& name,
                                      const std::vector<std::string>& machines,
                                      std::string& problem);

}  // namespace tessera
