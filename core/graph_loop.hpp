// SPDX-License-Identifier: Apache-2.0
/// A loop on the device: kernels that are repeated until one of them ends it, launched as a whole.
/// CUDA graphs have it (conditional nodes, driver 12.4). Studies use it.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/kernel.hpp"

namespace tessera {

/// A kernel of the loop's body; they run one after the other.
struct LoopKernel {
  const GpuKernel* kernel = nullptr;
  Extent3 grid, block;
  std::vector<std::byte> args;  ///< a copy of its struct
};

/// The body goes through its kernels at least once. One of them must call
/// cudaGraphSetConditional(handle, 0) to end the loop; the value stays what it was last.
class GraphLoop {
 public:
  virtual ~GraphLoop() = default;
  virtual void launch(Stream& stream) const = 0;
};

/// Why this driver or this build has no such loops; "" if it has them.
std::string why_no_graph_loops();

/// `body` makes the kernels, given the handle of the loop. Throws Error(resources) if there are no
/// such loops.
std::unique_ptr<const GraphLoop> make_graph_loop(
    int device, const std::function<std::vector<LoopKernel>(unsigned long long handle)>& body);

}  // namespace tessera
