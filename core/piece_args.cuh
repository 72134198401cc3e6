// SPDX-License-Identifier: Apache-2.0
// Arguments of kernels that make rows of an image from rows of another.
#pragma once

#include "tessera/border.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// A launch makes the output rows `made` of some planes from the input rows `held`.
struct PieceArgs {
  const void* in;
  void* out;
  long long in_pixel, in_row, in_plane, out_pixel, out_row, out_plane;
  int width, height, channels;  ///< of the whole image
  Rows held;                    ///< input rows that `in` begins with
  Rows made;                    ///< output rows that `out` begins with
  int out_width;
  int anchor_x, anchor_y;
  Border border;
};

}  // namespace tessera
