// SPDX-License-Identifier: Apache-2.0
#include "ops/xengine/cuda/xengine_dump.cuh"

namespace tessera {

extern "C" __global__ void __launch_bounds__(kXEngineDumpThreads)
    xengine_flush_sums(const __grid_constant__ XEngineFlushArgs<int, long long> args) {
  xengine_flush(args);
}
extern "C" __global__ void __launch_bounds__(kXEngineDumpThreads)
    xengine_flush_run(const __grid_constant__ XEngineFlushArgs<float, double> args) {
  xengine_flush(args);
}

#define TESSERA_XENGINE_DUMP_ENTRY(entry, ...)                      \
  extern "C" __global__ void __launch_bounds__(kXEngineDumpThreads) \
      entry(const __grid_constant__ XEngineDumpArgs args) {         \
    xengine_dump<__VA_ARGS__>(args);                                \
  }

TESSERA_XENGINE_DUMP_ENTRY(xengine_dump_i64_i64, long long, long long)
TESSERA_XENGINE_DUMP_ENTRY(xengine_dump_i64_i32, long long, int)
TESSERA_XENGINE_DUMP_ENTRY(xengine_dump_i64_f64, long long, double)
TESSERA_XENGINE_DUMP_ENTRY(xengine_dump_i64_f32, long long, float)
TESSERA_XENGINE_DUMP_ENTRY(xengine_dump_f64_f64, double, double)
TESSERA_XENGINE_DUMP_ENTRY(xengine_dump_f64_f32, double, float)

}  // namespace tessera
