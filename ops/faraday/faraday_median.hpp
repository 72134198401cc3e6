// SPDX-License-Identifier: Apache-2.0
/// The middle of many numbers, fast: a sample tells between which two values it lies, one pass
/// counts what is below and keeps what is between.
#pragma once

#include <vector>

namespace tessera {

/// The middle of the sorted values, or the mean of the two there. None may be NaN, and one or more
/// must be there; their order is lost.
double plain_median(std::vector<double>& values);

/// The same number. `room` is for the work, and is kept between calls.
double sampled_median(const std::vector<double>& values, std::vector<double>& room);

}  // namespace tessera
