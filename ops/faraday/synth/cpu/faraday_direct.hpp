// SPDX-License-Identifier: Apache-2.0
/// The interface between the direct method's runner and its sums, which are compiled once per SIMD
/// target.
#pragma once

namespace tessera {

/// Turns that are summed over the channels together: their sums fill the registers.
inline constexpr int kMirroredTurns = 2, kPlainTurns = 4;

/// Adds all channels of a tile's pixels to the sums of some groups of turns.
template <class T>
struct FaradayDirectBlock {
  const T* data;      ///< [channel][Q, U][width]
  const T* turns;     ///< [group][channel][turn][cosine, sine], and room for one more vector
  T* results;         ///< [group][turn][one or two depths][real, imaginary][width]
  int width, pixels;  ///< the tile's width; pixels up to `pixels` are wanted
  int channels, groups;
  bool mirrored;
};

template <class T>
using FaradayDirectFunction = void (*)(const FaradayDirectBlock<T>&);
/// For the current target. The width of tiles is a multiple of 192 samples: of panels of 1 or 3
/// vectors.
template <class T>
FaradayDirectFunction<T> faraday_direct_function();

}  // namespace tessera
