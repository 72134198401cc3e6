// SPDX-License-Identifier: Apache-2.0
/// The arithmetic of delay and fringe tracking, behind the buffers of FringeTracker.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tessera/fringe_tracker.hpp"

namespace tessera {

/// Phases begin again at multiples of this many samples, so that they do not depend on blocks.
inline constexpr int kFringeRun = 64;
/// Floats behind a row that vectors may read.
inline constexpr int kFringeSlack = 64;

/// An antenna between two knots.
struct FringeDelay {
  double first = 0, step = 0;  ///< s at the first knot; s per sample
  long long whole = 0;         ///< A(t - d) lies after A(t + whole)
  double part = 0;             ///< by this part of a sample
  std::array<float, kFringeTaps> taps{};
};

/// Delays from a knot on, one per antenna.
struct FringeKnot {
  long long first = 0;
  std::vector<FringeDelay> antennas;
};

/// Delays at a multiple of `knot` samples. Throws Error(usage) for delays that are not one per
/// antenna, or longer than announced.
FringeKnot fringe_knot(const FringeSetup& setup, long long knot, long long first);

/// The first phases of a run, and the factor from each to the one that many samples later.
inline constexpr int kFringeLanes = 4;
struct FringeTurns {
  std::array<double, kFringeLanes> re{}, im{};
  double next_re = 1, next_im = 0;
};
FringeTurns fringe_turns(double turns, double step);

/// exp(-2 pi i f d) for a run of samples, rounded from double.
struct FringePhases {
  std::array<float, kFringeRun> re{}, im{};
};
FringePhases fringe_phases(double turns, double step, int count);

/// The weight of a sample that lies `distance` samples from the wanted place.
double fringe_weight(double distance);

/// Outputs of one row: `count` complex numbers. `taps` is null if samples are not shifted; `re` and
/// `im` then begin at the first output, otherwise at its first tap.
struct FringeWork {
  const float *re, *im, *taps;
  const FringePhases* phases;
  int skipped;  ///< phases before the first output
  int count;
  float* out;
};
void turn_fringes(const FringeWork& work);
std::string fringe_target();

/// The same in double from the definition, one output.
struct FringeSample {
  double re, im;
};
FringeSample reference_fringe(const float* re, const float* im, double delay_in_samples,
                              double turns, bool shift);

}  // namespace tessera
