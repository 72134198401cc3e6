// SPDX-License-Identifier: Apache-2.0
/// Where a model of Stokes I, one value a channel, is read for what results refer to.
#pragma once

#include "tessera/faraday.hpp"

namespace tessera {

/// The model at axes.frequency_0() is (1 - share) of channel `low` and `share` of channel `high`.
struct FaradayModelPlace {
  int low = 0, high = 0;
  double share = 0;  ///< 0 to 1; 0 where both are one channel
};

/// The nearest channels about it that have a weight: others may hold anything. Outside the band
/// both are the nearest one: a model says nothing out there.
FaradayModelPlace faraday_model_place(const FaradayAxes& axes);

}  // namespace tessera
