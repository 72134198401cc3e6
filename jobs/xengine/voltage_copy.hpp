// SPDX-License-Identifier: Apache-2.0
/// Copies of blocks that stay valid while the source reads on.
#pragma once

#include <vector>

#include "tessera/stream.hpp"
#include "tessera/xengine.hpp"

namespace tessera {

struct KeptVoltages {
  VoltageBlock block;  ///< points into the memory below
  Scratch memory;
  std::vector<unsigned char> valid;
};

/// A contiguous copy in host memory; axes keep their order.
KeptVoltages keep_voltages(const VoltageBlock& block, const XEngineShape& shape, SampleType type);
/// A block whose memory `owner` holds, as it is.
KeptVoltages keep_voltages(const VoltageBlock& block, Scratch owner);

}  // namespace tessera
