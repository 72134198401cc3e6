// SPDX-License-Identifier: Apache-2.0
/// Samples of any type, one at a time and in double: for references, which need no speed.
#pragma once

#include "core/stop.hpp"
#include "tessera/view.hpp"

namespace tessera {

double sample_at(const AnyView& view, int x, int y, int channel, int plane);

/// Integers are rounded to nearest even and saturated, NaN becoming 0.
void store_sample(const AnyMutableView& view, int x, int y, int channel, int plane, double value);

/// Stores sample(rows, x, channel, plane) everywhere in a piece, with `rows` = rows_of(row) for
/// each of its rows, counted in the image.
template <class RowsOf, class Sample>
void store_samples(const MutablePiece& out, RowsOf rows_of, Sample sample) {
  const Size size = out.view.size;
  for (int y = 0; y < size.height; ++y) {
    const auto rows = rows_of(out.first_row + y);
    for (int plane = 0; plane < size.planes; ++plane)
      for (int x = 0; x < size.width; ++x) {
        poll_stop();
        for (int channel = 0; channel < size.channels; ++channel)
          store_sample(out.view, x, y, channel, plane, sample(rows, x, channel, plane));
      }
  }
}

}  // namespace tessera
