// SPDX-License-Identifier: Apache-2.0
/// The seam between the direct method's runner and its sums, which are compiled once a SIMD target.
#pragma once

namespace tessera {

/// Turns that go through the channels together: their sums fill the registers.
inline constexpr int kMirroredTurns = 2, kPlainTurns = 4;

/// All channels of a tile's pixels into the sums of some groups of turns.
template <class T>
struct FaradayDirectBlock {
  const T* data;      ///< [channel][Q, U][width]
  const T* turns;     ///< [group][channel][turn][cosine, sine], and a vector's room beyond
  T* results;         ///< [group][turn][one or two depths][real, imaginary][width]
  int width, pixels;  ///< a tile's; those up to `pixels` are wanted
  int channels, groups;
  bool mirrored;
};

template <class T>
using FaradayDirectFunction = void (*)(const FaradayDirectBlock<T>&);
/// For the current target. Tiles are a multiple of 192 samples wide: of panels of 1 or 3 vectors.
template <class T>
FaradayDirectFunction<T> faraday_direct_function();

}  // namespace tessera
