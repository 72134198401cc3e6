// SPDX-License-Identifier: Apache-2.0
// Entry points of the kernel for FFT tiles, one for each pair of types: fft_INPUT_OUTPUT.
#include "ops/convolve/cuda/convolve_fft.cuh"

namespace tessera {

using u8 = unsigned char;
using u16 = unsigned short;
using f32 = float;

#define TESSERA_FFT_ENTRY(in, out)                             \
  extern "C" __global__ void __launch_bounds__(kFftThreads, 1) \
      fft_##in##_##out(const __grid_constant__ FftArgs args) { \
    fft_tiles<in, out>(args);                                  \
  }

TESSERA_FFT_ENTRY(u8, u8)
TESSERA_FFT_ENTRY(u8, f32)
TESSERA_FFT_ENTRY(u16, u16)
TESSERA_FFT_ENTRY(u16, f32)
TESSERA_FFT_ENTRY(f32, f32)

}  // namespace tessera
