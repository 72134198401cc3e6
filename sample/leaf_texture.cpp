// SPDX-License-Identifier: Apache-2.0
#include "sample/leaf_texture.hpp"

#include <cmath>

namespace tessera {
namespace {

/// A value in [-1, 1] at a lattice point. Faster than `mixed`: a texture only has to look random.
float lattice(int x, int y, std::uint64_t seed) {
  auto bits = static_cast<std::uint32_t>(seed) ^ static_cast<std::uint32_t>(x) * 0x8da6b343u ^
              static_cast<std::uint32_t>(y) * 0xd8163841u;
  bits = (bits ^ bits >> 15) * 0x2c1b3c6du;
  bits = (bits ^ bits >> 12) * 0x297a2d39u;
  return static_cast<float>(static_cast<std::int32_t>(bits ^ bits >> 15)) * 0x1p-31f;
}

float octave(float x, float y, std::uint64_t seed) {
  const float left = std::floor(x), top = std::floor(y);
  const int column = static_cast<int>(left), row = static_cast<int>(top);
  const float u = x - left, v = y - top;
  const float across = u * u * (3 - 2 * u), down = v * v * (3 - 2 * v);
  const float a = lattice(column, row, seed), b = lattice(column + 1, row, seed);
  const float c = lattice(column, row + 1, seed), d = lattice(column + 1, row + 1, seed);
  const float above = a + (b - a) * across, below = c + (d - c) * across;
  return above + (below - above) * down;
}

}  // namespace

float smooth_noise(float x, float y, std::uint64_t seed, float detail) {
  const float fine = 0.5f * detail, finest = 0.25f * detail * detail;
  const float sum = octave(x, y, seed) + fine * octave(2 * x, 2 * y, seed >> 8) +
                    finest * octave(4 * x, 4 * y, seed >> 16);
  return sum / (1 + fine + finest);
}

}  // namespace tessera
