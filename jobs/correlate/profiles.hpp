// SPDX-License-Identifier: Apache-2.0
/// Curves through a correlation map: over the length of the shift, and along directions.
#pragma once

#include <string>
#include <vector>

#include "tessera/correlate.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// One curve: at shift r = 0, 1 … max_shift - 1.
struct ProfileCurve {
  std::string name;         ///< "radial", "45 degrees"
  std::vector<int> counts;  ///< number of shifts averaged for each value
};

/// Radial: the mean over the ring of shifts (dx, dy) whose length rounds to r. Along an angle: the
/// map at r (cos, sin), between shifts by bilinear interpolation; angles go from dx to dy, which is
/// clockwise on a screen, where rows count downwards.
class MapProfiles {
 public:
  MapProfiles(Size map, Point first_shift, int max_shift, const std::vector<double>& angles);

  const std::vector<ProfileCurve>& curves() const { return curves_; }
  int values() const { return static_cast<int>(curves_.size()) * max_shift_; }
  /// All curves of one map, one after the other. Sums are in double, in the map's order.
  void measure(const View<const float>& map, double* to) const;

 private:
  struct Corner {
    int x, y;
    double weight;
  };
  void add_rings();
  void add_direction(double degrees);

  Size map_;
  Point first_shift_;
  int max_shift_;
  std::vector<ProfileCurve> curves_;
  std::vector<int> rings_;       ///< of each shift; max_shift: none
  std::vector<Corner> corners_;  ///< four for each value of each direction
};

/// "0,45,90" in degrees; "auto" is those of 0, 45, 90 and 135 that lie in the quadrants. Throws
/// Error(usage) for others.
std::vector<double> profile_angles(const std::string& text, Quadrants quadrants);

}  // namespace tessera
