// SPDX-License-Identifier: Apache-2.0
// Entry points of the kernel that packs pixels, one for each sample size in bytes.
#include "ops/convolve/cuda/convolve_pack.cuh"

namespace tessera {

extern "C" __global__ void pack_1(const __grid_constant__ PackArgs args) {
  pack_samples<unsigned char>(args);
}
extern "C" __global__ void pack_2(const __grid_constant__ PackArgs args) {
  pack_samples<unsigned short>(args);
}
extern "C" __global__ void pack_4(const __grid_constant__ PackArgs args) {
  pack_samples<unsigned>(args);
}

}  // namespace tessera
