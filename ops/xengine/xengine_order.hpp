// SPDX-License-Identifier: Apache-2.0
/// Orders of visibilities, for host code: the two inputs of each value of a channel.
#pragma once

#include "ops/xengine/xengine_index.cuh"
#include "tessera/xengine.hpp"

namespace tessera {

/// V_ij of i = (a, p) and j = (b, q).
struct ValueInputs {
  int a, p, b, q;
};

/// Where a value's sums lie in triangular order; b > a: they are those of V_ji, conjugate.
inline long long place_of(const ValueInputs& v, int polarisations) {
  return v.a >= v.b ? (baseline_of(v.a, v.b) * polarisations + v.p) * polarisations + v.q
                    : (baseline_of(v.b, v.a) * polarisations + v.q) * polarisations + v.p;
}

/// Values of a channel.
inline long long values_of(VisibilityOrder order, const XEngineShape& s) {
  const long long inputs = s.inputs(), tiles = s.antennas / 2;
  switch (order) {
    case VisibilityOrder::triangular:
      return s.values();
    case VisibilityOrder::full:
      return inputs * inputs;
    case VisibilityOrder::register_tile:
      break;
  }
  return tiles * (tiles + 1) / 2 * 4 * s.polarisations * s.polarisations;
}

/// Rows in which a channel's values are visited: antennas, or rows of tiles.
inline int rows_of(VisibilityOrder order, const XEngineShape& s) {
  return order == VisibilityOrder::register_tile ? s.antennas / 2 : s.antennas;
}

/// Calls use(value, inputs) for both polarisations of a pair of antennas, one value after the
/// other every `step`.
template <class Use>
void for_polarisations(const XEngineShape& s, int a, int b, long long first, long long step,
                       Use use) {
  for (int p = 0; p < s.polarisations; ++p)
    for (int q = 0; q < s.polarisations; ++q) use(first + p * step + q, ValueInputs{a, p, b, q});
}

/// Calls use(value, inputs) for all values of a row.
template <class Use>
void for_row(VisibilityOrder order, const XEngineShape& s, int row, Use use) {
  const long long p = s.polarisations;
  if (order == VisibilityOrder::triangular) {
    for (int b = 0; b <= row; ++b)
      for_polarisations(s, row, b, baseline_of(row, b) * p * p, p, use);
  } else if (order == VisibilityOrder::full) {
    for (int b = 0; b < s.antennas; ++b)
      for_polarisations(s, row, b, row * p * s.inputs() + b * p, s.inputs(), use);
  } else {
    // xGPU: the four places of a tile lie far apart, first those of all tiles' (0, 0).
    const long long tiles = baseline_of(s.antennas / 2, 0);
    for (int column = 0; column <= row; ++column)
      for (int x = 0; x < 2; ++x)
        for (int y = 0; y < 2; ++y)
          for_polarisations(s, 2 * row + x, 2 * column + y,
                            ((2 * y + x) * tiles + baseline_of(row, column)) * p * p, p, use);
  }
}

}  // namespace tessera
