// SPDX-License-Identifier: Apache-2.0
// What the host tells the direct kernel, and its knobs.
#pragma once

#include "tessera/border.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// Threads a block across and down, and output rows a thread. They change no bit of the result.
struct DirectKnobs {
  int block_x = 32, block_y = 8, rows = 4;
};

/// The filter is worked through in chunks of at most this many weights each way, so that any filter
/// fits. It fixes the order of the sums: it is no knob.
inline constexpr int kFilterChunk = 32;

/// Weights up to here travel with the launch; more are read from memory.
inline constexpr int kInlineWeights = kFilterChunk * kFilterChunk;

template <class T>
struct DirectArgs {
  const void* in;
  void* out;
  long long in_pixel, in_row, in_plane, out_pixel, out_row, out_plane;
  int width, height, channels;  ///< of the whole image
  Rows held;                    ///< input rows that `in` begins with
  Rows made;                    ///< output rows that `out` begins with
  int out_width;
  int filter_width, filter_height, anchor_x, anchor_y;
  Border border;
  T outside;  ///< the pixel that the border does not give
  T scale;
  const T* weights;      ///< null: inline_weights
  const double* prefix;  ///< border inside (inside_share.cuh), else null
  T inline_weights[kInlineWeights];
};

}  // namespace tessera
