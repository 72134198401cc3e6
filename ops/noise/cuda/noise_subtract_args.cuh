// SPDX-License-Identifier: Apache-2.0
// Arguments of noise_subtract: one thread per column, rows one grid apart.
#pragma once

#include "ops/noise/noise_values.cuh"

namespace tessera {

inline constexpr int kNoiseSubtractThreads = 256;

/// Elements from a pixel to the next and from a row to the next.
struct NoiseSteps {
  long long pixel, row;
};

struct NoiseSubtractArgs {
  const void *in, *background;
  void* difference;
  int width, height;
  NoiseSteps in_steps, background_steps, difference_steps;
  NoiseBlanks blanks;
};

}  // namespace tessera
