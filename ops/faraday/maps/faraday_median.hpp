// SPDX-License-Identifier: Apache-2.0
/// The middle of many numbers, fast: counts in buckets tell which of them holds it.
#pragma once

#include <vector>

namespace tessera {

/// The middle of the sorted values, or the mean of the two there. All must be finite, and one or
/// more there; their order is lost.
double plain_median(std::vector<double>& values);

/// The same number. `room` is for the work, and is kept between calls.
double bucket_median(const std::vector<double>& values, std::vector<double>& room);

}  // namespace tessera
