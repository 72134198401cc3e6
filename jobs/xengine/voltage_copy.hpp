// SPDX-License-Identifier: Apache-2.0
/// Blocks that stay while the source reads on.
#pragma once

#include <vector>

#include "tessera/stream.hpp"
#include "tessera/xengine.hpp"

namespace tessera {

struct KeptVoltages {
  VoltageBlock block;  ///< lies in what follows
  Scratch memory;
  std::vector<unsigned char> valid;
};

/// A copy, packed: axes lie in the order they had. Of memory on the host.
KeptVoltages keep_voltages(const VoltageBlock& block, const XEngineShape& shape, SampleType type);

}  // namespace tessera
