// SPDX-License-Identifier: Apache-2.0
/// One block of a filter with planes: the work of one thread.
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

}  // namespace tessera
