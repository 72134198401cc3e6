// SPDX-License-Identifier: Apache-2.0
// A block also adds up its changes: the host adds the sums of 52 blocks, not 3321 samples.
#include "ops/cells/study/mgvf_sample.cuh"

namespace tessera {

extern "C" __global__ void mgvf_step_partial(const __grid_constant__ TrackArgs a) {
  __shared__ float shared[kMgvfThreads];
  mgvf_step_with_sums(a, shared);
}

}  // namespace tessera
