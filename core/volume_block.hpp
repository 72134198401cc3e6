// SPDX-License-Identifier: Apache-2.0
/// One block of a filter with planes: the work of one thread, or a band of rows on a device.
#pragma once

#include "core/volume_plan.hpp"

namespace tessera {

/// Rows `rows` of planes [first_plane, end_plane).
struct VolumeBlock {
  const VolumeParts& parts;
  const ImageInfo& image;  ///< the whole of it
  const Piece& in;
  const MutablePiece& out;
  Rows rows;
  int first_plane, end_plane;
};

void run_volume_block(const VolumeBlock& block);
/// Pieces are on the stream's device; work is only enqueued.
void run_volume_on_device(const VolumeBlock& block, Stream& stream);

/// The value of a slice for planes outside, with border constant, in the type of its plan's
/// results.
double slice_outside(const VolumeParts& parts, const VolumeSlice& slice);

}  // namespace tessera
