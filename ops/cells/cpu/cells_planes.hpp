// SPDX-License-Identifier: Apache-2.0
/// Planes of floats with room around their rows, so that whole vectors may reach past the ends.
#pragma once

namespace tessera {

/// Pixel (0, 0) is at `data`; rows begin at multiples of a vector. There is one more row above and
/// below, one more column on either side, and room for the last vector of a row. Owns nothing.
struct PaddedPlane {
  float* data = nullptr;
  int width = 0, height = 0;
  long long row = 0;

  float* at(int y) const { return data + y * row; }
};

/// How planes lie in memory for vectors of `lanes` floats. Rows are packed as closely as possible:
/// the four planes of a window of 81 x 41 must fit the first cache of 64 KiB (NEON: 60 KiB).
struct PlaneShape {
  int width = 0, height = 0, lanes = 1;

  /// At least two columns between rows: the one right of a row and the one left of the next.
  int gap() const { return lanes < 4 ? 4 : lanes; }
  long long row() const { return (width + lanes - 1) / lanes * lanes + gap(); }
  long long floats() const { return (height + 2) * row() + gap(); }
  PaddedPlane at(float* memory) const {  // aligned to a vector
    return {memory + row() + gap(), width, height, row()};
  }
};

}  // namespace tessera
