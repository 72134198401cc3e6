// SPDX-License-Identifier: Apache-2.0
/// Samples for kernels that multiply tiles of inputs, in both layouts, and their exact sums.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "ops/xengine/xengine_index.cuh"

namespace tessera::testing {

struct TileCase {
  int channels, inputs, polarisations, length;
  bool grouped = true, add = false;
  bool lowest = false;  ///< every part of every sample is -128

  std::string text() const {
    return std::to_string(channels) + " channels, " + std::to_string(inputs) + " inputs of " +
           std::to_string(polarisations) + " polarisations, " + std::to_string(length) +
           (grouped ? " samples in groups" : " samples side by side") + (add ? ", added" : "");
  }
};

/// A byte between samples, which must not be read as one.
inline constexpr unsigned char kGap = 0x5a;

struct TileSamples {
  explicit TileSamples(const TileCase& c, unsigned seed = 1) : shape(c) {
    std::mt19937 random(seed);
    parts.resize(2UL * c.channels * c.inputs * c.length);
    for (signed char& part : parts)
      part = static_cast<signed char>(c.lowest ? -128 : static_cast<int>(random() % 256) - 128);
    lay_out();
  }

  int part(int channel, int input, int t, int which) const {
    return parts[((1UL * channel * shape.inputs + input) * shape.length + t) * 2 + which];
  }

  long long values() const {
    const long long antennas = shape.inputs / shape.polarisations;
    return antennas * (antennas + 1) / 2 * shape.polarisations * shape.polarisations;
  }

  /// [channel][triangular place][re, im], modulo 2^32, to what `old` has where it is added.
  std::vector<int> sums(const std::vector<int>& old) const {
    std::vector<int> result(2UL * shape.channels * values());
    const int p = shape.polarisations;
    for (int c = 0; c < shape.channels; ++c)
      for (int i = 0; i < shape.inputs; ++i)
        for (int j = 0; j < (i / p + 1) * p; ++j) {
          long long re = 0, im = 0;
          for (int t = 0; t < shape.length; ++t) {
            const int ar = part(c, i, t, 0), ai = part(c, i, t, 1);
            const int br = part(c, j, t, 0), bi = part(c, j, t, 1);
            re += ar * br + ai * bi;
            im += ai * br - ar * bi;
          }
          const std::size_t at = 2UL * (c * values() + triangular_place(i, j, p));
          result[at] = static_cast<int>(re + (shape.add ? old[at] : 0));
          result[at + 1] = static_cast<int>(im + (shape.add ? old[at + 1] : 0));
        }
    return result;
  }

  TileCase shape;
  std::vector<signed char> parts;    ///< [channel][input][time][re, im]
  std::vector<unsigned char> bytes;  ///< as a device has them, with gaps between channels
  long long channel_step = 0, time_step = 0;

 private:
  void lay_out() {
    const int inputs = shape.inputs;
    const long long rows = shape.grouped ? shape.length / 16 : shape.length;
    time_step = shape.grouped ? 32LL * inputs + 48 : (2LL * inputs + 15) / 16 * 16 + 16;
    channel_step = rows * time_step + 32;
    // Nothing behind the last sample: reading there is an error that sanitizers see.
    bytes.assign(channel_step * (shape.channels - 1) + (rows - 1) * time_step +
                     inputs * (shape.grouped ? 32 : 2),
                 kGap);
    for (int c = 0; c < shape.channels; ++c)
      for (int i = 0; i < inputs; ++i)
        for (int t = 0; t < shape.length; ++t)
          for (int which = 0; which < 2; ++which)
            bytes[c * channel_step +
                  (shape.grouped ? t / 16 * time_step + i * 32 + t % 16 * 2
                                 : t * time_step + i * 2) +
                  which] = static_cast<unsigned char>(part(c, i, t, which));
  }
};

/// Shapes round halves of tiles, tiles and stages, where fast paths go wrong.
inline std::vector<TileCase> tile_cases(bool grouped) {
  const int l = grouped ? 16 : 1;  // lengths are multiples of it
  return {{1, 1, 1, 16, grouped},
          {3, 2, 2, 64, grouped, true},
          {2, 3, 3, 80, grouped},
          {1, 63, 1, 48 + l, grouped},
          {3, 64, 2, 64 + l, grouped},
          {2, 65, 1, 32, grouped, true},
          {1, 120, 3, 128 - l, grouped},
          {2, 128, 2, 192, grouped},
          {1, 129, 3, 160 + l, grouped, true},
          {1, 132, 4, 16, grouped},
          {1, 258, 3, 64, grouped},
          {1, 300, 2, 64 + l, grouped},
          {1, 130, 2, 64 + l, grouped, false, true},
          {1, 64, 2, 512, grouped, true, true}};
}

}  // namespace tessera::testing
