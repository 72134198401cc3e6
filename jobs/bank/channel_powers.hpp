// SPDX-License-Identifier: Apache-2.0
/// The powers of channels, from which an automatic gain follows.
#pragma once

#include <vector>

#include "tessera/voltage_blocks.hpp"

namespace tessera {

/// Spectra of cf32. Values that are not finite, and missing ones, do not count.
class ChannelPowers {
 public:
  explicit ChannelPowers(const XEngineShape& shape);

  /// Spectra [first, end) of a block. Blocks come in the order of time; their lengths change no
  /// bit.
  void add(const VoltageBlock& block, long long first, long long end);
  /// Means of squared parts, of the channels that have values.
  std::vector<double> means() const;

 private:
  XEngineShape shape_;
  std::vector<double> sums_, parts_;  ///< [channel][input]
};

/// The factor that gives the channel of median power, of those that have any, the usual rms of a
/// type of integers, in three digits. 1 if no channel has power; infinite if their powers are too
/// small.
float automatic_gain(std::vector<double> means, SampleType type);

}  // namespace tessera
