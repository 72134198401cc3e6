// SPDX-License-Identifier: Apache-2.0
/// The part of its machine that a process takes while others work next to it.
#pragma once

namespace tessera {

struct NodeShare {
  int threads = 0;    ///< at most; 0: as many as the environment allows
  int processes = 1;  ///< that divide the memory
};

/// Called once, before any work. No choice of a method follows from it, and no bit.
void take_share(const NodeShare& share);
const NodeShare& node_share();

}  // namespace tessera
