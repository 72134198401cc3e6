// SPDX-License-Identifier: Apache-2.0
/// Samples of one type made from those of another.
#pragma once

#include "tessera/view.hpp"

namespace tessera {

/// to = (from - low) * gain, in double; integers are rounded to nearest even and saturated, NaN
/// becomes 0 there. Host views of one size; steps may differ. Gain 1 and low 0 keep every bit
/// that the new type has.
void convert_samples(AnyView from, AnyMutableView to, double gain = 1, double low = 0);

/// The smallest and the largest finite sample; `least` > `greatest` if there is none.
struct SampleRange {
  double least = 1, greatest = 0;
  bool empty() const { return least > greatest; }
  void include(double value);
  void include(const SampleRange& other);
};
SampleRange sample_range(AnyView view);

}  // namespace tessera
