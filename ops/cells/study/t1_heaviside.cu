// SPDX-License-Identifier: Apache-2.0
// One call of the step function, for all samples: everything else stays on the host.
#include "ops/cells/study/mgvf_sample.cuh"

namespace tessera {

extern "C" __global__ void heaviside_of_all(const __grid_constant__ TrackArgs a) {
  const int at = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (at < a.width * a.height) a.to[at] = heaviside(a.from[at]);
}

}  // namespace tessera
