// SPDX-License-Identifier: Apache-2.0
/// The rungs of the study of the X-engine. Names: "cpu.it" is the talk's loops on [input][time];
/// "gpu.shared" its kernel with sums in shared memory; "gpu.stream" upload, kernel and download;
/// "cpu.ours.dot" the product's method.
#pragma once

#include <functional>
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
/// From and to the host: by the kernel with sums in registers, on one stream and on several, and by
/// cuBLAS.
std::vector<XEngineRung> xengine_stream_rungs();

/// Enqueues, on a device, bytes to floats and one real product per channel by cuBLAS.
std::function<void(Stream&)> blas_sums(const XEngineCase& c, const signed char* given, float* made,
                                       Stream& stream);

/// The parts of "gpu.stream", each by itself.
TransferTimes time_xengine_transfer(const XEngineCase& c, Stream& stream);

inline std::string xengine_ladder_file(const std::string& beginning) {
  return "ops/xengine/study/" + beginning;
}
/// Whether it runs on one thread of the CPU.
bool is_of_one_thread_xengine(const std::string& rung);
/// A rung with the figures of the case.
PreparedRung described_xengine(const XEngineCase& c, MadeForm form, PreparedRung rung = {});

/// Enqueues a kernel of one thread per pair for some channels.
void launch_sums(const GpuKernel& kernel, const SumsArgs& args, int channels, int shared_bytes,
                 Stream& stream);

}  // namespace tessera
