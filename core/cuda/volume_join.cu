// SPDX-License-Identifier: Apache-2.0
// Entry points: volume_JOIN_TYPE_OUTPUT.
#include "core/cuda/volume_join.cuh"

namespace tessera {

#define TESSERA_JOIN_ENTRY(join, in, type, out, output)                           \
  extern "C" __global__ void __launch_bounds__(kVolumeJoinKnobs.threads)          \
      volume_##join##_##in##_##out(const __grid_constant__ VolumeJoinArgs args) { \
    volume_join_rows<Join::join, type, output, kVolumeJoinKnobs>(args);           \
  }

TESSERA_JOIN_ENTRY(sum, f32, float, u8, unsigned char)
TESSERA_JOIN_ENTRY(sum, f32, float, u16, unsigned short)
TESSERA_JOIN_ENTRY(sum, f32, float, f32, float)
TESSERA_JOIN_ENTRY(sum, f64, double, f32, float)
TESSERA_JOIN_ENTRY(sum, f64, double, f64, double)
TESSERA_JOIN_ENTRY(minimum, u8, unsigned char, u8, unsigned char)
TESSERA_JOIN_ENTRY(minimum, u16, unsigned short, u16, unsigned short)
TESSERA_JOIN_ENTRY(minimum, f32, float, f32, float)
TESSERA_JOIN_ENTRY(minimum, f64, double, f64, double)
TESSERA_JOIN_ENTRY(maximum, u8, unsigned char, u8, unsigned char)
TESSERA_JOIN_ENTRY(maximum, u16, unsigned short, u16, unsigned short)
TESSERA_JOIN_ENTRY(maximum, f32, float, f32, float)
TESSERA_JOIN_ENTRY(maximum, f64, double, f64, double)

}  // namespace tessera
