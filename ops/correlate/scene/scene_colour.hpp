// SPDX-License-Identifier: Apache-2.0
/// Converts rows of photographs to CIE L*a*b*.
#pragma once

#include <cstddef>
#include <vector>

#include "tessera/scene_planes.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// Vector code reads and writes past the end of rows of floats by less than this.
inline constexpr int kColourSlack = 64;

/// Rows of linear light in, rows of L*, a* and b* out; all with kColourSlack more floats than
/// `count`.
struct LabRow {
  const float *red, *green, *blue;
  float *lightness, *a, *b;
  int count;
};
using LabFunction = void (*)(const LabRow&);
using LinearFunction = void (*)(float* row, int count);

LabFunction lab_function();                  ///< for the current SIMD target
LinearFunction linear_from_srgb_function();  ///< in place

/// One row of a photograph as linear light, channel after channel, `step` floats apart; grey has
/// one channel. `from_srgb` is used for floats; integers go through a table.
void read_linear_row(const AnyView& photograph, int y, ColourCoding coding,
                     LinearFunction from_srgb, float* to, std::size_t step);

/// Linear light of every value of u8 or u16; nothing for floats.
std::vector<float> light_of_samples(Type type, ColourCoding coding);

}  // namespace tessera
