// SPDX-License-Identifier: Apache-2.0
// Shared by the rungs: the pixels of a thread, fetches of words, and the arithmetic of the steps.
#pragma once

#include "ops/enhance/study/step_args.cuh"

namespace tessera {

struct ThreadPixel {
  int x, y;
  bool inside;
};

/// A thread has kPixels side by side, the next thread those right of them.
template <int kPixels>
__device__ ThreadPixel thread_pixel(const StepArgs& a) {
  const int x = kPixels * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  return {x, y, x < a.width && y < a.height};
}

/// The largest fetches that the number of words allows: 16 bytes, else 4. Rows begin at multiples
/// of 256 bytes and have room after their last pixel.
template <int kWords>
__device__ void load_words(const unsigned char* from, unsigned (&words)[kWords]) {
  if constexpr (kWords % 4 == 0) {
#pragma unroll
    for (int k = 0; k < kWords; k += 4) {
      const uint4 four = *reinterpret_cast<const uint4*>(from + 4 * k);
      words[k] = four.x, words[k + 1] = four.y, words[k + 2] = four.z, words[k + 3] = four.w;
    }
  } else {
#pragma unroll
    for (int k = 0; k < kWords; ++k) words[k] = reinterpret_cast<const unsigned*>(from)[k];
  }
}

template <int kWords>
__device__ void store_words(const unsigned (&words)[kWords], unsigned char* to) {
  if constexpr (kWords == 4)
    *reinterpret_cast<uint4*>(to) = {words[0], words[1], words[2], words[3]};
  else
    *reinterpret_cast<unsigned*>(to) = words[0];
}

template <int kWords>
__device__ unsigned byte_of(const unsigned (&words)[kWords], int k) {
  return words[k / 4] >> 8 * (k % 4) & 0xff;
}

__device__ inline unsigned grey_of(unsigned red, unsigned green, unsigned blue) {
  return (77 * red + 151 * green + 28 * blue + 128) >> 8;
}

/// ((v - low) 255 + half) div (high - low) for v from low to high. The added half keeps the
/// product 1 / (2 (high - low)) away from whole numbers, further than roundings of f32 (below
/// 1e-4).
__device__ inline unsigned stretched(const StepArgs& a, int v) {
  const float above = static_cast<float>((v - a.low) * 255) + a.half;
  return static_cast<unsigned>((above + 0.5F) * a.inverse);
}

__device__ inline int triangle(int distance) {
  return kSmoothReach + 1 - (distance < 0 ? -distance : distance);
}

/// A smoothed pixel anywhere: weights outside the image do not count.
__device__ inline unsigned char smooth_with_checks(const StepArgs& a, int x, int y) {
  unsigned sum = 0, weights = 0;
  for (int dy = -kSmoothReach; dy <= kSmoothReach; ++dy)
    for (int dx = -kSmoothReach; dx <= kSmoothReach; ++dx) {
      if (x + dx < 0 || x + dx >= a.width || y + dy < 0 || y + dy >= a.height) continue;
      const int weight = triangle(dx) * triangle(dy);
      sum += weight * a.from[(y + dy) * a.from_row + x + dx];
      weights += weight;
    }
  return static_cast<unsigned char>((sum + weights / 2) / weights);
}

/// An entry point: every rung takes the same argument.
#define TESSERA_STEP_ENTRY(name, ...)                        \
  extern "C" __global__ void __launch_bounds__(kStepThreads) \
      name(const __grid_constant__ StepArgs a) {             \
    __VA_ARGS__(a);                                          \
  }

}  // namespace tessera
