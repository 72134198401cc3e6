// SPDX-License-Identifier: Apache-2.0
// Rotation measure synthesis by hand: tiles of pixels and depths in shared memory.
#include "ops/faraday/study/synth_bodies.cuh"

namespace tessera {

extern "C" __global__ void __launch_bounds__(kSynthThreads)
    synth_tiled_f32(const __grid_constant__ SynthArgs args) {
  synth_tiled<float>(args);
}

extern "C" __global__ void __launch_bounds__(kSynthThreads)
    synth_tiled_f64(const __grid_constant__ SynthArgs args) {
  synth_tiled<double>(args);
}

}  // namespace tessera
