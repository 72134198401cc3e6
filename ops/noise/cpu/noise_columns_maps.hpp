// SPDX-License-Identifier: Apache-2.0
/// Turns rows of quantiles into rows of maps.
#pragma once

#include <limits>

#include "ops/noise/noise_problem.hpp"

namespace tessera {

/// One row of outputs. Quantiles are doubles, one row per order; those of boxes with a count of 0
/// are not read.
struct NoiseQuantileRow {
  int x, y, width;
  const double* quantiles;
  const int* counts;
  const unsigned char* only;  ///< null, or one flag per pixel: the others are not written
};

template <class Out>
void write_noise_plane(const NoisePlane& plane, const NoiseQuantileRow& row, Out* to,
                       long long pixel) {
  const double* low = row.quantiles + static_cast<long long>(plane.low) * row.width;
  const double* high =
      plane.high < 0 ? nullptr : row.quantiles + static_cast<long long>(plane.high) * row.width;
  for (int x = 0; x < row.width; ++x) {
    if (row.only && !row.only[x]) continue;
    const double value = high ? (high[x] - low[x]) / plane.divisor : low[x];
    to[x * pixel] = row.counts[x] > 0 && value == value ? static_cast<Out>(value)
                                                        : std::numeric_limits<Out>::quiet_NaN();
  }
}

inline void write_noise_maps(const NoiseProblem& problem, const NoiseQuantileRow& row,
                             const MutablePiece& out) {
  for (std::size_t p = 0; p < problem.planes.size(); ++p) {
    void* to = out.view.address(row.x, row.y - out.first_row, static_cast<int>(p));
    const auto write = [&](auto sample) {
      write_noise_plane(problem.planes[p], row, static_cast<decltype(sample)*>(to), out.view.pixel);
    };
    switch (out.view.type) {
      case Type::u8:
        write(static_cast<unsigned char>(0));
        break;
      case Type::u16:
        write(static_cast<unsigned short>(0));
        break;
      case Type::f32:
        write(0.0F);
        break;
      default:
        write(0.0);
    }
  }
}

}  // namespace tessera
