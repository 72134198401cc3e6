// SPDX-License-Identifier: Apache-2.0
// What the host tells the kernel of RM-CLEAN.
#pragma once

#include "ops/faraday/cuda/faraday_cubes.cuh"

namespace tessera {

/// Tables lie one after the other: `entries` values of an RMSF, real and imaginary part side by
/// side, then `entries` of the Gaussian. That of q - p steps is at `depths` + q - p; where there is
/// none, and behind the end, it is 0.
struct FaradayCleanArgs {
  FaradaySource real, imaginary, cutoffs;  ///< without data: `cutoff` for all
  FaradayTarget clean_real, clean_imaginary;
  FaradayTarget components_real, components_imaginary, iteration_map;
  int width;
  long long pixels;  ///< counted row by row
  const void* tables;
  const int* half_windows;    ///< a table
  const int* table_of_pixel;  ///< null: all have the first
  double cutoff, window;      ///< a window that is NaN: no second pass
  double gain;
  int depths, iterations;
  int entries;
  int teams;  ///< a block
};

/// Real numbers of a table.
TESSERA_BOTH constexpr int faraday_table_numbers(int entries) { return 3 * entries; }

/// Entries that teams read: their threads have `each` depths, some of them behind the end. Even, so
/// that all tables are aligned.
TESSERA_BOTH constexpr int faraday_table_entries(int depths, int threads, int each) {
  const int used = depths + threads * each, least = 2 * depths + 1;
  return ((used > least ? used : least) + 1) / 2 * 2;
}

}  // namespace tessera
