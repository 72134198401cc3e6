// SPDX-License-Identifier: Apache-2.0
/// Frames at other sizes, in float. A pixel's centre is at (0, 0): place x of the smaller frame is
/// place `factor` x + (factor - 1) / 2 of the larger one.
#pragma once

#include "tessera/image.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// Means of `factor` by `factor` pixels of frames on the host; rows and columns that do not fill a
/// square are left out. Samples that are not finite do not count.
Image binned(AnyView frames, int factor, int threads = 1);

/// One frame at twice the size, interpolated.
Image doubled(AnyView frame);

inline double place_before_binning(double place, int factor) {
  return factor * place + (factor - 1) / 2.0;
}
inline double place_after_binning(double place, int factor) {
  return (place - (factor - 1) / 2.0) / factor;
}

}  // namespace tessera
