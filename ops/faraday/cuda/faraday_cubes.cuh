// SPDX-License-Identifier: Apache-2.0
// Where a kernel finds Q and U of some rows, and where it puts their spectra.
#pragma once

#include "tessera/view.hpp"

namespace tessera {

struct FaradaySource {
  const void* data;
  long long pixel, row, plane;  ///< steps, in samples
};
struct FaradayTarget {
  void* data;
  long long pixel, row, plane;
};

/// Pixels are counted in row order.
struct FaradayCubes {
  FaradaySource q, u;
  FaradayTarget real, imaginary;
  int width;
  long long pixels;
};

}  // namespace tessera
