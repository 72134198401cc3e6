// SPDX-License-Identifier: Apache-2.0
/// Brings samples into the order that tile kernels read, if they have another.
#pragma once

#include <string>
#include <vector>

#include "ops/xengine/cuda/xengine_pack_args.cuh"
#include "tessera/stream.hpp"
#include "tessera/xengine.hpp"

namespace tessera {

/// The kernel that packs samples of a layout: the fastest possible one.
const char* pack_entry(const XEngineSamples& samples, SampleType type);

/// The launches for a part: kernels with blocks across, in this order.
struct XEnginePackLaunch {
  std::string entry;
  unsigned blocks;
};
std::vector<XEnginePackLaunch> pack_launches(const XEnginePackArgs& args, SampleType type);

/// Enqueues the packing of `channels` channels, invalid samples as zeros.
void pack_samples(const XEnginePackArgs& args, SampleType type, int channels, Stream& stream);

}  // namespace tessera
