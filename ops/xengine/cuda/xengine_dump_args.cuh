// SPDX-License-Identifier: Apache-2.0
// Arguments of the kernels after the sums: from 32 to 64 bits, and output.
#pragma once

#include "ops/xengine/cuda/xengine_order.cuh"

namespace tessera {

inline constexpr int kXEngineDumpThreads = 256;

/// wide = narrow, or wide += narrow: int to long long, or float to double.
template <class Narrow, class Wide>
struct XEngineFlushArgs {
  const Narrow* narrow;
  Wide* wide;
  long long count;
  bool add;
};

/// Null sums count as zeros; the others are added up. A launch writes as many channels of the
/// output, from `first` on, as it has blocks down.
struct XEngineDumpArgs {
  const int* narrow;      ///< integers that were not flushed
  const long long* wide;  ///< integers
  const double* real;     ///< floats
  int antennas, polarisations, average;
  XEngineOrder order;
  long long sums;    ///< complex sums per channel
  long long values;  ///< per channel of the output
  int first;         ///< first channel of the output
  long long plane;   ///< register_tile: distance from real to imaginary parts
  void* out;         ///< these channels
  unsigned long long* saturated;
};

}  // namespace tessera
