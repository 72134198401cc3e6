// SPDX-License-Identifier: Apache-2.0
// The whole body of the loop, one thread per sample; the host finds out when it has converged.
#include "ops/cells/study/mgvf_sample.cuh"

namespace tessera {

extern "C" __global__ void mgvf_step(const __grid_constant__ TrackArgs a) {
  const int at = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (at < a.width * a.height) a.to[at] = mgvf_sample(a.edges, a.from, a.width, a.height, at);
}

}  // namespace tessera
