// SPDX-License-Identifier: Apache-2.0
// Entry points of the running kernels: running_columns_INPUT_SUMS and running_rows_SUMS_OUTPUT.
#include "ops/convolve/cuda/convolve_running.cuh"

namespace tessera {

using u8 = unsigned char;
using u16 = unsigned short;
using i32 = int;
using f32 = float;
using f64 = double;

#define TESSERA_RUNNING_ENTRY(body, a, b)                          \
  extern "C" __global__ void __launch_bounds__(kRunningThreads)    \
      body##_##a##_##b(const __grid_constant__ RunningArgs args) { \
    body<a, b>(args);                                              \
  }

TESSERA_RUNNING_ENTRY(running_columns, u8, i32)
TESSERA_RUNNING_ENTRY(running_columns, u8, f64)
TESSERA_RUNNING_ENTRY(running_columns, u16, i32)
TESSERA_RUNNING_ENTRY(running_columns, u16, f64)
TESSERA_RUNNING_ENTRY(running_columns, f32, f64)
TESSERA_RUNNING_ENTRY(running_columns, f64, f64)
TESSERA_RUNNING_ENTRY(running_rows, i32, u8)
TESSERA_RUNNING_ENTRY(running_rows, i32, u16)
TESSERA_RUNNING_ENTRY(running_rows, i32, f32)
TESSERA_RUNNING_ENTRY(running_rows, i32, f64)
TESSERA_RUNNING_ENTRY(running_rows, f64, u8)
TESSERA_RUNNING_ENTRY(running_rows, f64, u16)
TESSERA_RUNNING_ENTRY(running_rows, f64, f32)
TESSERA_RUNNING_ENTRY(running_rows, f64, f64)

}  // namespace tessera
