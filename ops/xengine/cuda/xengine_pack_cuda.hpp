// SPDX-License-Identifier: Apache-2.0
/// Bringing samples into the order that tile kernels read, where they do not lie in it.
#pragma once

#include <string>
#include <vector>

#include "ops/xengine/cuda/xengine_pack_args.cuh"
#include "tessera/stream.hpp"
#include "tessera/xengine.hpp"

namespace tessera {

/// Which kernel packs samples of a layout: the fastest that can.
const char* pack_entry(const XEngineSamples& samples, SampleType type);

/// What is launched for a part, kernels with blocks across, in this order.
struct XEnginePackLaunch {
  std::string entry;
  unsigned blocks;
};
std::vector<XEnginePackLaunch> pack_launches(const XEnginePackArgs& args, SampleType type);

/// Enqueues the packing of `channels` channels, invalid samples as zeros.
void pack_samples(const XEnginePackArgs& args, SampleType type, int channels, Stream& stream);

}  // namespace tessera
