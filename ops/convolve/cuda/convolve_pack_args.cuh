// SPDX-License-Identifier: Apache-2.0
// Arguments of the kernel that packs pixels.
#pragma once

namespace tessera {

/// Samples of `bytes` bytes, channels adjacent, copied from pixels with one step to pixels with
/// another.
struct PackArgs {
  const void* from;
  void* to;
  long long from_pixel, from_row, from_plane, to_pixel, to_row, to_plane;
  int width, height, channels;
  long long samples;  ///< of all planes
};

inline constexpr int kPackThreads = 256;

}  // namespace tessera
