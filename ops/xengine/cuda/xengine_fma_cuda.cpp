// SPDX-License-Identifier: Apache-2.0
// ci16, cf16 and cf32 in plain arithmetic, from any layout.
#include <fmt/format.h>

#include <algorithm>

#include "core/kernel.hpp"
#include "ops/xengine/cuda/xengine_cuda.hpp"
#include "ops/xengine/cuda/xengine_fma_args.cuh"

namespace tessera {
namespace {

static_assert(kXEngineFmaRun == kFloatRun);

class XEngineFmaRunner : public XEngineCudaRunner {
 public:
  using XEngineCudaRunner::XEngineCudaRunner;

 protected:
  void multiply(XEngineDeviceSums& sums, const XEngineSamples& samples,
                const XEngineRoom&) const override {
    const std::string entry = fmt::format("xengine_fma_{}", name_of(problem().options.samples));
    const GpuKernel& kernel = find_kernel(problem().device, {"xengine_fma", entry, "", ""});
    const bool exact = is_integer(problem().options.samples);
    const XEngineDeviceSums::Run run = exact ? XEngineDeviceSums::Run{} : sums.run(samples.samples);
    const XEngineDeviceSums::Target target = sums.wide();
    const int tile = xengine_fma_tile(samples.polarisations);
    const auto tiles = static_cast<unsigned>(baseline_of((samples.inputs - 1) / tile + 1, 0));
    XEngineFmaArgs args{samples,     0,          tile,      problem().shape.values(),
                        target.sums, target.add, run.phase, run.sums,
                        run.begun};
    for (; args.first_channel < samples.channels; args.first_channel += kMostBlocks) {
      const int channels = std::min(kMostBlocks, samples.channels - args.first_channel);
      kernel.launch(sums.stream(), {tiles, static_cast<unsigned>(channels)}, {kXEngineFmaThreads},
                    kXEngineFmaShared, args);
    }
  }
};

}  // namespace

std::string why_no_xengine_fma_cuda(const XEngineProblem& p) {
  const SampleType type = p.options.samples;
  if (type == SampleType::ci8 || type == SampleType::ci4)
    return fmt::format("it is for ci16, cf16 and cf32, and samples are {}", name_of(type));
  return why_no_device(p.device);
}

XEngineRunnerPointer make_xengine_fma_cuda(const XEngineProblem& p) {
  return std::make_unique<XEngineFmaRunner>(p);
}

}  // namespace tessera
