// SPDX-License-Identifier: Apache-2.0
// Rotation measure synthesis by hand: one thread per pixel and depth, without thought for layout.
#include "ops/faraday/study/synth_bodies.cuh"

namespace tessera {

extern "C" __global__ void __launch_bounds__(kSynthThreads)
    synth_naive_f32(const __grid_constant__ SynthArgs args) {
  synth_naive<float>(args);
}

extern "C" __global__ void __launch_bounds__(kSynthThreads)
    synth_naive_f64(const __grid_constant__ SynthArgs args) {
  synth_naive<double>(args);
}

}  // namespace tessera
