// SPDX-License-Identifier: Apache-2.0
/// Converts numbers to samples of a type.
#pragma once

#include "tessera/xengine.hpp"

namespace tessera {

/// Samples [first, first + count) of one input and channel, which begins at `to`; integers are
/// rounded to the nearest. Returns the number of parts that the type could not hold.
long long store_voltages(SampleType type, const VoltageLayout& layout, long long first,
                         long long count, const float* re, const float* im, unsigned char* to);

}  // namespace tessera
