// SPDX-License-Identifier: Apache-2.0
#include "ops/xengine/track/cuda/xengine_track.cuh"

namespace tessera {

extern "C" __global__ void __launch_bounds__(XEngineTrackKnobs().threads)
    xengine_track_runs(const __grid_constant__ XEngineTrackArgs args) {
  xengine_track<XEngineTrackKnobs{}>(args);
}

}  // namespace tessera
