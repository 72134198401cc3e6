// SPDX-License-Identifier: Apache-2.0
/// The powers of channels, from which an automatic gain follows.
#pragma once

#include <vector>

#include "tessera/voltage_blocks.hpp"

namespace tessera {

/// Spectra of cf32. Values that are not finite, and missing ones, do not count.
class ChannelPowers {
 public:
  /// Blocks with this shape, in the order of time; blocks of other lengths may change the last
  /// bits.
  explicit ChannelPowers(const XEngineShape& shape);

  void add(const VoltageBlock& block);
  /// Means of squared parts, of the channels that have values.
  std::vector<double> means() const;

 private:
  XEngineShape shape_;
  std::vector<double> sums_, parts_;
};

/// The factor that gives the channel of median power, of those that have any, the usual rms of a
/// type of integers, in three digits: a sum in another order gives the same number. 1 if no channel
/// has power.
float automatic_gain(std::vector<double> means, SampleType type);

}  // namespace tessera
