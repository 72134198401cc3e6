// SPDX-License-Identifier: Apache-2.0
/// The seam between the direct method's runner and its sums, which are compiled once a SIMD target.
#pragma once

namespace tessera {

/// Turns that go through the channels together: their sums fill the registers.
inline constexpr int kMirroredTurns = 3, kPlainTurns = 6;

/// All channels of a tile's pixels into the sums of one group of turns.
template <class T>
struct FaradayDirectBlock {
  const T* data;      ///< [channel][Q, U][width]
  const T* turns;     ///< [channel][turn of the group][cosine, sine], and a vector's room beyond
  T* results;         ///< [turn of the group][one or two depths][real, imaginary][width]
  int width, pixels;  ///< a tile's; those up to `pixels` are wanted
  int channels;
  bool mirrored;
};

template <class T>
using FaradayDirectFunction = void (*)(const FaradayDirectBlock<T>&);
/// For the current target. Tiles must be a multiple of 32 samples wide.
template <class T>
FaradayDirectFunction<T> faraday_direct_function();

}  // namespace tessera
