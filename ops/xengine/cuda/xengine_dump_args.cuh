// SPDX-License-Identifier: Apache-2.0
// What the host tells the kernels behind the sums: from 32 to 64 bits, and out.
#pragma once

#include "ops/xengine/cuda/xengine_order.cuh"

namespace tessera {

inline constexpr int kXEngineDumpThreads = 256;

/// wide = narrow, or wide += narrow.
struct XEngineFlushArgs {
  const int* narrow;
  long long* wide;
  long long count;
  bool add;
};

/// Sums that are null are zeros; what there are is added up. A launch writes as
/// many channels of the output, from `first` on, as it has blocks down.
struct XEngineDumpArgs {
  const int* narrow;      ///< integers that were not flushed
  const long long* wide;  ///< integers
  const double* real;     ///< floats
  int antennas, polarisations, average;
  XEngineOrder order;
  long long sums;    ///< complex ones of a channel
  long long values;  ///< of a channel of the output
  int first;         ///< channel of the output
  long long plane;   ///< register_tile: from real to imaginary parts
  void* out;         ///< of these channels
  unsigned long long* saturated;
};

}  // namespace tessera
