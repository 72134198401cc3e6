// SPDX-License-Identifier: Apache-2.0
// Which sum belongs to a place of the output: the way back from an order to triangular places.
#pragma once

#include "ops/xengine/xengine_index.cuh"

namespace tessera {

/// As VisibilityOrder, in its order.
enum class XEngineOrder : unsigned char { triangular, full, register_tile };

/// V_ij is the sum at `place`, or its conjugate if only V_ji is summed.
struct XEngineSource {
  long long place;
  bool conjugated;
};

/// The antenna a of the baseline (a, b) with number k.
TESSERA_BOTH inline int antenna_of_baseline(long long k) {
  int a = static_cast<int>((sqrt(8.0 * static_cast<double>(k) + 1) - 1) / 2);
  while (baseline_of(a, 0) > k) --a;  // the root is rounded
  while (baseline_of(a + 1, 0) <= k) ++a;
  return a;
}

TESSERA_BOTH inline XEngineSource xengine_pair_source(int i, int j, int polarisations) {
  const bool below = i / polarisations >= j / polarisations;
  return {below ? triangular_place(i, j, polarisations) : triangular_place(j, i, polarisations),
          !below};
}

/// The order of xGPU: tiles of antennas (2x, 2x + 1) by (2y, 2y + 1), y <= x. First the upper left
/// ones of all tiles, then lower left, upper right and lower right.
TESSERA_BOTH inline XEngineSource xengine_tile_source(long long v, int antennas,
                                                      int polarisations) {
  const int pairs = polarisations * polarisations, pair = static_cast<int>(v % pairs);
  const long long tiles = baseline_of(antennas / 2, 0), tile = v / pairs % tiles;
  const int quarter = static_cast<int>(v / pairs / tiles);
  const int x = antenna_of_baseline(tile), y = static_cast<int>(tile - baseline_of(x, 0));
  const int a = 2 * x + quarter % 2, b = 2 * y + quarter / 2;
  return xengine_pair_source(a * polarisations + pair / polarisations,
                             b * polarisations + pair % polarisations, polarisations);
}

/// For value number v of a channel in an order.
TESSERA_BOTH inline XEngineSource xengine_source(XEngineOrder order, long long v, int antennas,
                                                 int polarisations) {
  const int inputs = antennas * polarisations;
  if (order == XEngineOrder::full)
    return xengine_pair_source(static_cast<int>(v / inputs), static_cast<int>(v % inputs),
                               polarisations);
  if (order == XEngineOrder::register_tile) return xengine_tile_source(v, antennas, polarisations);
  return {v, false};
}

}  // namespace tessera
