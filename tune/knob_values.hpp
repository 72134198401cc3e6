// SPDX-License-Identifier: Apache-2.0
/// The values of knobs that a search tries: an operation lists them once, and gets its site for
/// tables and its candidates from the list.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tune/sites.hpp"
#include "tune/table.hpp"

namespace tessera {

struct KnobValues {
  std::string name;
  int usual;                      ///< the value without a table
  std::vector<int> likely, full;  ///< values tried by default, and in the full search
  int least, most;                ///< values that a table may have
};

using KnobMap = std::map<std::string, int>;

/// The site with the ranges of its knobs.
TunedSite site_of(const std::string& name, const std::vector<KnobValues>& knobs);

/// All combinations that fit, the lowest cost first, `usual` in front of them all; at most five, or
/// all of them in a full search.
std::vector<Knobs> knob_candidates(const std::vector<KnobValues>& knobs, bool full,
                                   const KnobMap& usual,
                                   const std::function<bool(const KnobMap&)>& fits,
                                   const std::function<double(const KnobMap&)>& cost);

/// The usual value of every knob.
KnobMap usual_values(const std::vector<KnobValues>& knobs);

/// Rows per piece from a table: at most the usual ones if they would leave fewer than two pieces
/// for each thread, because the table may be of a larger image. `rows_of_all` counts those of all
/// planes and blocks of columns.
int rows_for_threads(int tuned, int usual, long long rows_of_all);

/// A cost for knobs of which nothing is known: doublings and halvings away from the usual values
/// (of values and a half, so that 0 is not infinitely far).
double steps_from(const KnobMap& usual, const KnobMap& knobs);

}  // namespace tessera
