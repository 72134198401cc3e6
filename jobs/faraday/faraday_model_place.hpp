// SPDX-License-Identifier: Apache-2.0
/// Where a model of Stokes I, with one value per channel, is read for the frequency that results
/// refer to.
#pragma once

#include "tessera/faraday.hpp"

namespace tessera {

/// The model at axes.frequency_0() is (1 - share) of channel `low` and `share` of channel `high`.
struct FaradayModelPlace {
  int low = 0, high = 0;
  double share = 0;  ///< 0 to 1; 0 if both are the same channel
};

/// The nearest channels on either side that have a weight: others may hold anything. Outside the
/// band both are the nearest one: the model has no values there.
FaradayModelPlace faraday_model_place(const FaradayAxes& axes);

}  // namespace tessera
