// SPDX-License-Identifier: Apache-2.0
// Vectors of four neighbouring outputs. The vectors are the compiler's own, so that SSE and NEON
// are one program.
#include <cstring>

#include "core/parallel.hpp"
#include "ops/convolve/study/plain_convolve.hpp"

namespace tessera {
namespace {

using Outputs [[gnu::vector_size(16)]] = float;
constexpr int kLanes = 4, kVectors = 4, kAtOnce = kLanes * kVectors;

void vector_outputs(const PlainConvolve& c, int x, int y) {
  Outputs sums[kVectors] = {};
  for (int j = 0; j < c.filter_height; ++j) {
    const float* const in = c.in + (y + j) * c.in_row + x;
    const float* const weights = c.weights + j * c.filter_width;
    for (int i = 0; i < c.filter_width; ++i)
      for (int v = 0; v < kVectors; ++v) {
        Outputs pixels;
        std::memcpy(&pixels, in + i + v * kLanes, sizeof pixels);
        sums[v] += pixels * weights[i];
      }
  }
  std::memcpy(c.out + 1LL * y * c.width + x, sums, sizeof sums);
}

void last_output(const PlainConvolve& c, int x, int y) {
  float sum = 0;
  for (int j = 0; j < c.filter_height; ++j)
    for (int i = 0; i < c.filter_width; ++i)
      sum += c.in[(y + j) * c.in_row + x + i] * c.weights[j * c.filter_width + i];
  c.out[1LL * y * c.width + x] = sum;
}

}  // namespace

void plain_vectors(const PlainConvolve& c, int threads) {
  parallel_for(c.height, threads, [&](int y) {
    int x = 0;
    for (; x + kAtOnce <= c.width; x += kAtOnce) vector_outputs(c, x, y);
    for (; x < c.width; ++x) last_output(c, x, y);
  });
}

}  // namespace tessera
