// SPDX-License-Identifier: Apache-2.0
/// Holes of maps from what lies nearest.
#pragma once

#include <vector>

#include "tessera/view.hpp"

namespace tessera {

/// NaN of every plane of host f32 or f64 values at columns[x], rows[y] (ascending) take the nearest
/// value, Euclidean; of equally near ones the first row by row. The same for any threads.
void fill_from_nearest(AnyMutableView values, const std::vector<int>& columns,
                       const std::vector<int>& rows, int threads);

}  // namespace tessera
