// SPDX-License-Identifier: Apache-2.0
/// Frames at other sizes, in float.
#pragma once

#include "tessera/image.hpp"
#include "tessera/stream.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// Frames of larger pixels, each the mean of a square of `factor` by `factor`, with `margin` pixels
/// more on every side that repeat the outermost. Circles are searched where the largest fits, so
/// that small cells near the edge are found only with a margin.
struct CellsBins {
  int factor = 1, margin = 0;

  bool change_frames() const { return factor > 1 || margin > 0; }

  Size size_of(Size frame) const {
    return {frame.width / factor + 2 * margin, frame.height / factor + 2 * margin, 1, frame.planes};
  }
  /// The place in the original frame of a place in the binned one, and back; whole numbers are the
  /// centres of pixels.
  double original(double place) const { return factor * (place - margin) + (factor - 1) / 2.0; }
  double binned(double place) const { return (place - (factor - 1) / 2.0) / factor + margin; }
};

/// Frames on the host; rows and columns that do not fill a square are left out. Samples that are
/// not finite do not count.
Image binned(AnyView frames, CellsBins bins, int threads = 1);

/// Frames in any memory; waits for a device.
Image host_copy(AnyView frames, Stream& stream);

/// One frame at twice the size, interpolated.
Image doubled(AnyView frame);

}  // namespace tessera
