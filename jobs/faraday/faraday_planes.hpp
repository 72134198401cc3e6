// SPDX-License-Identifier: Apache-2.0
/// Images of many planes as lists of cubes.
#pragma once

#include "tessera/view.hpp"

namespace tessera {

template <class AnyKind>
AnyKind planes_of(AnyKind all, int first, int count) {
  all.data = all.address(0, 0, first);
  all.size.planes = count;
  return all;
}

/// |real + i imaginary| of f32 views, on `threads` threads.
void faraday_magnitudes(AnyView real, AnyView imaginary, AnyMutableView to, int threads);

}  // namespace tessera
