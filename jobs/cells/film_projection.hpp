// SPDX-License-Identifier: Apache-2.0
/// The maximum of images, sample by sample.
#pragma once

#include "tessera/view.hpp"

namespace tessera {

/// `kept` becomes the larger of both. NaN counts as missing: the other is kept. Both have the same
/// size and type and one plane.
void keep_maximum(const AnyView& other, const AnyMutableView& kept);

}  // namespace tessera
