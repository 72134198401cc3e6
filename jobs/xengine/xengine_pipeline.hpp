// SPDX-License-Identifier: Apache-2.0
/// Reading, adding and writing, overlapped.
#pragma once

#include "jobs/xengine/visibility_collector.hpp"
#include "jobs/xengine/xengine_outputs.hpp"
#include "jobs/xengine/xengine_share.hpp"

namespace tessera {

/// The stages that samples pass through.
struct XEngineRoad {
  VoltageSource& source;    ///< has the rank's channels
  const VoltageInfo& info;  ///< of all channels
  XEngineShare& share;
  XEngineOutput* output;  ///< null: of a rank that is not the first
  VisibilityCollector& picture;
  bool turned = false;  ///< whether the source turns samples to a phase centre
};

/// Bytes of all inputs and channels at one time.
long long sample_bytes(const VoltageInfo& info);

/// Runs to the end of the recording, or to the limit; counts in `result`. Ranks share the channels
/// (xengine_share.hpp).
void run_xengine(const XEngineJob& job, const XEngineRoad& road, XEngineResult& result,
                 const Progress& progress);

}  // namespace tessera
