// SPDX-License-Identifier: Apache-2.0
/// A view of an image without a name.
#pragma once

#include "tessera/image.hpp"

namespace tessera::testing {

/// Lasts until the end of the full expression, so it must not be kept. `Image::view` refuses
/// images without a name; tests, which are full of short expressions, have this instead.
inline AnyView short_view(const Image& image) { return image.view(); }

}  // namespace tessera::testing
