// SPDX-License-Identifier: Apache-2.0
/// Samples of any type, one at a time and in double: for references, which need no speed.
#pragma once

#include "tessera/view.hpp"

namespace tessera {

double sample_at(const AnyView& view, int x, int y, int channel, int plane);

/// Integers are rounded to nearest even and saturated, NaN becoming 0.
void store_sample(const AnyMutableView& view, int x, int y, int channel, int plane, double value);

}  // namespace tessera
