// SPDX-License-Identifier: Apache-2.0
/// Checks shared by all samples. `sample` is the name in front of the sentence.
#pragma once

#include "tessera/view.hpp"

namespace tessera {

/// Throws Error(usage) if `value` is outside; NaN is.
void require_within(const char* sample, const char* name, double value, double low, double high);

/// Throws Error(usage) for types that samples are not made in.
void check_type(const char* sample, Type type);

/// Throws Error(usage) for sides that no machine has the rows of in memory.
void check_sides(const char* sample, const Size& size);

/// Throws Error(usage) unless `size` has pixels, one channel and one plane; checks the sides.
void check_one_plane(const char* sample, const Size& size);

}  // namespace tessera
