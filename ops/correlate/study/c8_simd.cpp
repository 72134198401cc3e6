// SPDX-License-Identifier: Apache-2.0
// The paper's figure 10: the four planes lie side by side and fill a 128-bit vector, and threads
// take rows of shifts. The vectors are the compiler's own, so that SSE and NEON are one program.
#include "ops/correlate/study/c8_simd.hpp"

#include "core/parallel.hpp"

namespace tessera {
namespace {

using Vector [[gnu::vector_size(16)]] = float;

float sum_of_shift(const Vector* pixels, int side, int dx, int dy) {
  Vector sum = {};
  for (int row = 0; row < side - dy; ++row) {
    const Vector* const src = pixels + (dy + row) * side + dx;
    const Vector* const mask = pixels + row * side;
    for (int column = 0; column < side - dx; ++column) sum += src[column] * mask[column];
  }
  return sum[0] + sum[1] + sum[2] + sum[3];
}

void correlate_row(const float* pixels, int side, int shifts, int dy, float* map) {
  const auto* const vectors = reinterpret_cast<const Vector*>(pixels);
  for (int dx = 0; dx < shifts; ++dx) map[dy * shifts + dx] = sum_of_shift(vectors, side, dx, dy);
}

}  // namespace

void correlate_simd(const float* pixels, int side, int shifts, int threads, float* map) {
  parallel_for(shifts, threads, [&](int dy) { correlate_row(pixels, side, shifts, dy, map); });
}

void correlate_simd_on_new_threads(const float* pixels, int side, int shifts, int threads,
                                   float* map) {
  run_at_once(shifts, threads, [&](int dy) { correlate_row(pixels, side, shifts, dy, map); });
}

}  // namespace tessera
