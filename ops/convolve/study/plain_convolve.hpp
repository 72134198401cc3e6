// SPDX-License-Identifier: Apache-2.0
/// Convolutions as programs for CPUs.
#pragma once

namespace tessera {

/// `in` is the first pixel of the image with its border; rows are `in_row` floats apart. Weights
/// are packed, the output too.
struct PlainConvolve {
  const float* in;
  long long in_row;
  const float* weights;
  int filter_width, filter_height;
  float* out;
  int width, height;
};

/// The paper's figure 1a without the division, on that many threads: rows are divided among them.
void plain_loop(const PlainConvolve& c, int threads);

/// The talk's loop on an image without a border, `in`: a pixel outside is the nearest one.
void plain_edges(const PlainConvolve& c);

/// The loop of figure 1a with 16 neighbouring outputs at once, in vectors of four.
void plain_vectors(const PlainConvolve& c, int threads);

}  // namespace tessera
