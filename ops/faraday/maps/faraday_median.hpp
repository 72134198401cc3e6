// SPDX-License-Identifier: Apache-2.0
/// The median of many numbers, fast: counts in buckets show which bucket contains it.
#pragma once

#include <vector>

namespace tessera {

/// The middle of the sorted values, or the mean of the two in the middle. There must be at least
/// one, and all must be finite; their order is lost.
double plain_median(std::vector<double>& values);

/// The same result. `room` is scratch memory that is kept between calls.
double bucket_median(const std::vector<double>& values, std::vector<double>& room);

}  // namespace tessera
