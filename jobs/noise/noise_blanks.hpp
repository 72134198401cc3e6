// SPDX-License-Identifier: Apache-2.0
/// Pixels of an image that have no value.
#pragma once

#include "tessera/view.hpp"

namespace tessera {

/// NaN into every plane of the maps where the image has no finite value, or 0 where that counts as
/// none. Host views of the same rows; maps are f32 or f64.
void blank_where_image_is(AnyView image, bool zero_is_blank, AnyMutableView maps);

/// How many there are.
long long count_blanks(AnyView image, bool zero_is_blank);

}  // namespace tessera
