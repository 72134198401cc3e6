// SPDX-License-Identifier: Apache-2.0
// Arguments of the rungs of the X-engine's ladder. Samples are [channel][input][time] or
// [channel][time][input], re and im side by side; sums [channel][i][j][re, im].
#pragma once

namespace tessera {

inline constexpr int kSumsSide = 16;  ///< inputs of a block, both ways
inline constexpr int kSumsThreads = kSumsSide * kSumsSide;
inline constexpr int kSumsSharedBytes = 2 * kSumsThreads * 4;

/// Blocks down are (channel, tile of inputs).
struct SumsArgs {
  const signed char* given;
  int* made;
  int inputs, samples;
  bool add = false;  ///< to `made`, which otherwise begins at 0
};

/// The same with samples through a texture, a texel for each: a cudaTextureObject_t. Textures begin
/// at aligned addresses, which cycles need not do.
struct TextureSumsArgs {
  SumsArgs sums;
  unsigned long long samples_texture;
  int first;  ///< texel of the cycle
};

/// Bytes become complex floats in the same places.
struct ComplexArgs {
  const signed char* given;
  float* made;
  long long count;  ///< of parts
};

/// Bytes become the factors of a real product, for all channels: `left` [channel][2 inputs]
/// [2 samples] has rows (re, im), then rows (im, -re); `right` [channel][2 samples][inputs] re,
/// then im. left * right is the real parts of the sums, then the imaginary ones.
struct FactorsArgs {
  const signed char* given;  ///< [channel][time][input]
  float *left, *right;
  int inputs, samples;
  long long count;  ///< of complex samples
};

}  // namespace tessera
