// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fft_axis.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// Columns [x, x + slabs * kSlab) of a plane of one channel as floats: slab after slab, kSlab
/// samples per row, zeros beyond the last column.
inline constexpr int kSlab = kSlabColumns<float>;
void load_column_slabs(AnyView plane, int x, int slabs, float* to);

}  // namespace tessera
