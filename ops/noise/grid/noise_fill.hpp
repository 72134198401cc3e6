// SPDX-License-Identifier: Apache-2.0
/// Fills holes of maps with the nearest values.
#pragma once

#include <vector>

#include "tessera/view.hpp"

namespace tessera {

/// Each NaN in any plane of host f32 or f64 values at columns[x], rows[y] (ascending) takes the
/// nearest value by Euclidean distance; among equally near ones the first in row order. The same
/// result for any number of threads.
void fill_from_nearest(AnyMutableView values, const std::vector<int>& columns,
                       const std::vector<int>& rows, int threads);

}  // namespace tessera
