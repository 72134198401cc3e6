// SPDX-License-Identifier: Apache-2.0
/// Levels of a run of pixels that lie between the same four tiles.
#pragma once

#include <cstdint>

namespace tessera {

struct ClaheRun {
  const unsigned char* slots;  ///< what the curves take: bins, or 8-bit values
  int count;
  /// Levels of the tiles left above, right above, left below and right below, for every slot.
  const float* curves;
  const double* across;  ///< weights of left and right, for every pixel
  double above, below;
  std::uint16_t* levels;
};
using ClaheRunFunction = void (*)(const ClaheRun&);

ClaheRunFunction clahe_run_function();  ///< for the current SIMD target

}  // namespace tessera
