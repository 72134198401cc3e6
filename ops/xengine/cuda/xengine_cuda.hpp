// SPDX-License-Identifier: Apache-2.0
/// Shared by the CUDA methods of the X-engine: sums on the device, and the transfer of blocks.
#pragma once

#include <string>

#include "ops/xengine/cuda/xengine_device_sums.hpp"
#include "ops/xengine/cuda/xengine_samples.cuh"
#include "ops/xengine/xengine_problem.hpp"

namespace tessera {

/// A block in the form kernels take. `valid` is its mask if kernels can read it, or null; the mask
/// has `valid_first` samples before those of the block.
XEngineSamples samples_of(const XEngineProblem& problem, const VoltageBlock& block,
                          const unsigned char* valid, long long valid_first);

/// Scratch memory that may be taken: a fraction of a stream's limit, which is queried only when
/// needed.
struct XEngineRoom {
  const Stream& stream;
  long long shares;

  long long bytes() const { return static_cast<long long>(stream.memory_limit()) / shares; }
};

/// A CUDA method: adds blocks in device memory. The parts that do not depend on the arithmetic.
class XEngineCudaRunner : public XEngineRunner {
 public:
  explicit XEngineCudaRunner(const XEngineProblem& problem) : problem_(problem) {}
  std::unique_ptr<XEngineSums> start() const override;
  void add(XEngineSums& sums, const VoltageBlock& block, Stream& stream) const override;
  long long dump(XEngineSums& sums, VisibilityView out, Stream& stream) const override;
  void clear(XEngineSums& sums, Stream& stream) const override;
  std::string describe() const override;

 protected:
  /// Enqueues on the sums' stream.
  virtual void multiply(XEngineDeviceSums& sums, const XEngineSamples& samples,
                        const XEngineRoom& room) const = 0;
  const XEngineProblem& problem() const { return problem_; }

 private:
  void add_host(XEngineDeviceSums& sums, const VoltageBlock& block, const unsigned char* valid,
                Stream& stream) const;

  XEngineProblem problem_;
};

std::string why_no_xengine_wgmma(const XEngineProblem& problem);
std::string why_no_xengine_mma(const XEngineProblem& problem);
std::string why_no_xengine_dp4a(const XEngineProblem& problem);
std::string why_no_xengine_fma_cuda(const XEngineProblem& problem);
double xengine_wgmma_seconds(const XEngineProblem& problem, const Machine& machine);
double xengine_mma_seconds(const XEngineProblem& problem, const Machine& machine);
double xengine_dp4a_seconds(const XEngineProblem& problem, const Machine& machine);
double xengine_fma_cuda_seconds(const XEngineProblem& problem, const Machine& machine);
XEngineRunnerPointer make_xengine_wgmma(const XEngineProblem& problem);
XEngineRunnerPointer make_xengine_mma(const XEngineProblem& problem);
XEngineRunnerPointer make_xengine_dp4a(const XEngineProblem& problem);
XEngineRunnerPointer make_xengine_fma_cuda(const XEngineProblem& problem);

}  // namespace tessera
