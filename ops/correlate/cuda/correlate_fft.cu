// SPDX-License-Identifier: Apache-2.0
// Entry points for any length; those for one length are compiled at run time.
#include "ops/correlate/cuda/correlate_fft.cuh"

namespace tessera {

#define TESSERA_CORRELATE_FFT_ENTRY(entry, ...)              \
  extern "C" __global__ void __launch_bounds__(kLineThreads) \
      entry(const __grid_constant__ CorrelateFftArgs args) { \
    __VA_ARGS__(args);                                       \
  }

TESSERA_CORRELATE_FFT_ENTRY(correlate_rows_u8, correlate_rows<unsigned char, LineShape{}>)
TESSERA_CORRELATE_FFT_ENTRY(correlate_rows_u16, correlate_rows<unsigned short, LineShape{}>)
TESSERA_CORRELATE_FFT_ENTRY(correlate_rows_f32, correlate_rows<float, LineShape{}>)
TESSERA_CORRELATE_FFT_ENTRY(correlate_rows_f64, correlate_rows<double, LineShape{}>)
TESSERA_CORRELATE_FFT_ENTRY(correlate_powers_any, correlate_powers<LineShape{}, LineShape{}>)
TESSERA_CORRELATE_FFT_ENTRY(correlate_columns_any, correlate_columns<LineShape{}>)
TESSERA_CORRELATE_FFT_ENTRY(correlate_products_any, correlate_products<LineShape{}>)
TESSERA_CORRELATE_FFT_ENTRY(correlate_results_any, correlate_results<LineShape{}>)

}  // namespace tessera
