// SPDX-License-Identifier: Apache-2.0
// Arguments of the kernel of RM-CLEAN.
#pragma once

#include "ops/faraday/cuda/faraday_cubes.cuh"

namespace tessera {

/// Tables follow each other: `entries` values of an RMSF, real and imaginary part adjacent, then
/// `entries` of the Gaussian. The value for q - p steps is at `depths` + q - p; missing values, and
/// those past the end, are 0.
struct FaradayCleanArgs {
  FaradaySource real, imaginary;
  FaradaySource cutoffs, windows;  ///< without data: `cutoff` and `window` for all pixels
  FaradayTarget clean_real, clean_imaginary;
  FaradayTarget components_real, components_imaginary, iteration_map;
  int width;
  long long pixels;  ///< counted in row order
  const void* tables;
  const int* half_windows;    ///< per table
  const int* table_of_pixel;  ///< null: all use the first
  double cutoff, window;      ///< a window that is NaN: no second pass
  double gain;
  int depths, iterations;
  int entries;
  int teams;  ///< per block
};

/// Real numbers per table.
TESSERA_BOTH constexpr int faraday_table_numbers(int entries) { return 3 * entries; }

/// Entries that teams read: their threads have `each` depths, some of them past the end. Even, so
/// that all tables are aligned.
TESSERA_BOTH constexpr int faraday_table_entries(int depths, int threads, int each) {
  const int used = depths + threads * each, least = 2 * depths + 1;
  return ((used > least ? used : least) + 1) / 2 * 2;
}

}  // namespace tessera
