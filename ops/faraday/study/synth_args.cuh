// SPDX-License-Identifier: Apache-2.0
// Arguments of the rungs of the ladder of rotation measure synthesis. Arrays are as in the talk:
// complex values, the channels of a pixel side by side, and likewise its depths.
#pragma once

namespace tessera {

inline constexpr int kSynthThreads = 256;  ///< of a block
inline constexpr int kSynthTile = 64;      ///< pixels and depths of a block that has tiles
inline constexpr int kSynthStep = 16;      ///< channels per step

struct SynthArgs {
  const void* given;  ///< [pixels][channels]
  const void* turns;  ///< [depths][channels]
  void* made;         ///< [pixels][depths]
  int channels, depths;
  long long pixels;
};

template <class T>
struct SynthPair {
  T re, im;
};

/// Rows of tiles have one element more, so that neighbouring channels lie in different banks.
constexpr int synth_shared_bytes(int bytes_of_value) {
  return 2 * kSynthStep * (kSynthTile + 1) * 2 * bytes_of_value;
}

}  // namespace tessera
