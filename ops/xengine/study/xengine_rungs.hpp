// SPDX-License-Identifier: Apache-2.0
/// The rungs of the study of the X-engine. Names: "cpu.it" is the talk's loops on [input][time];
/// "gpu.shared" its kernel with sums in shared memory; "gpu.stream" upload, kernel and download;
/// "cpu.ours.dot" the product's method.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ops/xengine/study/xengine_case.hpp"
#include "study/rung.hpp"
#include "study/study_transfer.hpp"

namespace tessera {

class GpuKernel;
struct SumsArgs;
using XEngineRung = Rung<XEngineCase>;

const std::vector<XEngineRung>& xengine_cpu_rungs();
const std::vector<XEngineRung>& xengine_cuda_rungs();

/// The product's methods of one backend.
std::vector<XEngineRung> our_xengine_rungs(Backend backend);
/// By cuBLAS on the device.
std::vector<XEngineRung> xengine_blas_rungs();
/// From and to the host, on one stream and on several: by the kernel with sums in registers, and by
/// cuBLAS without and with the talk's reordering by the host.
std::vector<XEngineRung> xengine_stream_rungs();

/// Enqueues the products of a cycle's samples, on a device; `add`: to what is there.
using AddByBlas = std::function<void(const signed char* given, bool add, Stream&)>;
/// Bytes to floats and one real product per channel by cuBLAS, for the first channels of `given`.
AddByBlas blas_sums(const XEngineCase& c, int channels, float* made, Stream& stream);

/// The parts of a rung from host to host, all cycles, each part by itself.
struct XEngineParts {
  TransferTimes times;
  double reordering = 0;  ///< milliseconds, on the host
};
XEngineParts time_xengine_parts(const XEngineCase& c, Stream& stream);       ///< "gpu.stream"
XEngineParts time_xengine_host_parts(const XEngineCase& c, Stream& stream);  ///< "gpu.blas.host"

inline std::string xengine_ladder_file(const std::string& beginning) {
  return "ops/xengine/study/" + beginning;
}
/// Whether it runs on one thread of the CPU.
bool is_of_one_thread_xengine(const std::string& rung);
/// A rung with the figures of the case.
PreparedRung described_xengine(const XEngineCase& c, MadeForm form, PreparedRung rung = {});

/// Enqueues a kernel of one thread per pair, or per `each` by `each` pairs, for some channels.
void launch_sums(const GpuKernel& kernel, const SumsArgs& args, int channels, int shared_bytes,
                 Stream& stream, int each = 1);

}  // namespace tessera
