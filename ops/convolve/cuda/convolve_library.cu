// SPDX-License-Identifier: Apache-2.0
// Entry points of the kernels around cuFFT: pad_INPUT_SUMS, take_OUTPUT_SUMS, filter_SUMS,
// multiply_SUMS.
#include "ops/convolve/cuda/convolve_library.cuh"

namespace tessera {

using u8 = unsigned char;
using u16 = unsigned short;
using f32 = float;
using f64 = double;

#define TESSERA_LIBRARY_ENTRY(name, body, sums)                 \
  extern "C" __global__ void __launch_bounds__(kLibraryThreads) \
      name(const __grid_constant__ LibraryArgs<sums> args) {    \
    body(args);                                                 \
  }

TESSERA_LIBRARY_ENTRY(filter_f32, place_filter<f32>, f32)
TESSERA_LIBRARY_ENTRY(filter_f64, place_filter<f64>, f64)
TESSERA_LIBRARY_ENTRY(multiply_f32, multiply_spectra<f32>, f32)
TESSERA_LIBRARY_ENTRY(multiply_f64, multiply_spectra<f64>, f64)
TESSERA_LIBRARY_ENTRY(pad_u8_f32, pad_pixels<u8>, f32)
TESSERA_LIBRARY_ENTRY(pad_u16_f32, pad_pixels<u16>, f32)
TESSERA_LIBRARY_ENTRY(pad_f32_f32, pad_pixels<f32>, f32)
TESSERA_LIBRARY_ENTRY(pad_u8_f64, pad_pixels<u8>, f64)
TESSERA_LIBRARY_ENTRY(pad_u16_f64, pad_pixels<u16>, f64)
TESSERA_LIBRARY_ENTRY(pad_f32_f64, pad_pixels<f32>, f64)
TESSERA_LIBRARY_ENTRY(pad_f64_f64, pad_pixels<f64>, f64)
TESSERA_LIBRARY_ENTRY(take_u8_f32, take_results<u8>, f32)
TESSERA_LIBRARY_ENTRY(take_u16_f32, take_results<u16>, f32)
TESSERA_LIBRARY_ENTRY(take_f32_f32, take_results<f32>, f32)
TESSERA_LIBRARY_ENTRY(take_f32_f64, take_results<f32>, f64)
TESSERA_LIBRARY_ENTRY(take_f64_f64, take_results<f64>, f64)

}  // namespace tessera
