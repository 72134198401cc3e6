// SPDX-License-Identifier: Apache-2.0
// Arguments of the kernels that make planes of photographs. Planes of floats are packed.
#pragma once

namespace tessera {

inline constexpr int kSceneThreads = 256;
/// Blocks that share the sum over a plane; their parts are added in their order.
inline constexpr int kSceneParts = 64;
inline constexpr int kSceneSharedBytes = kSceneThreads * 8;

struct SceneColourArgs {
  const void* photograph;
  long long pixel, row;  ///< steps in samples
  int width, height, channels;
  const float* light;  ///< of every value of an integer sample
  bool linear;         ///< floats are proportional to light
  float* colours;      ///< planes of lightness, a and b
};

/// One row of weights over rows, or over columns (`down`), of some planes.
struct SceneLineArgs {
  const float* in;
  float* out;
  const float* weights;
  int radius, width, height, planes;
  bool down;
};

struct SceneDoubledArgs {
  const float *along_x, *along_y;  ///< gradients
  float* doubled;                  ///< planes of cosine, sine, energy
  long long pixels;
};

struct SceneOrientArgs {
  const float* averaged;  ///< as `doubled`; energy only with coherence
  float* made;            ///< planes of x1, x2
  long long pixels;
  bool coherence;
};

struct SceneNormaliseArgs {
  float* planes;    ///< four
  double* sums;     ///< [plane][part]
  double* squares;  ///< of the distances from the mean, [plane][part]
  long long pixels;
};

}  // namespace tessera
