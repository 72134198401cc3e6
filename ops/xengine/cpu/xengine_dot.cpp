// SPDX-License-Identifier: Apache-2.0
#include "ops/xengine/cpu/xengine_dot.hpp"

#include <algorithm>

#include "core/parallel.hpp"
#include "ops/xengine/cpu/xengine_dot_tiles.hpp"

namespace tessera {
namespace {

/// Adds a block to some channels.
void add_channels(const XEngineProblem& problem, const DotKernel& kernel, const VoltageBlock& block,
                  int first, int channels, std::int64_t* sums, int threads) {
  DotTiles tiles(problem, kernel, first, channels, threads);
  for (long long t = 0; t < block.samples; t += DotTiles::kMostSamples) {
    tiles.add(block, t, std::min<long long>(DotTiles::kMostSamples, block.samples - t));
    tiles.flush(sums);
  }
}

class XEngineDot : public XEngineHostRunner {
 public:
  XEngineDot(const XEngineProblem& problem, const DotKernel& kernel)
      : XEngineHostRunner(problem), kernel_(kernel) {}
  std::string describe() const override { return kernel_.name; }

 protected:
  /// A channel belongs to one thread, in whose cache it stays, if that keeps all threads busy;
  /// otherwise all threads work on some channels together. Integers: the sums are the same.
  void accumulate(XEngineHostSums& sums, const VoltageBlock& block, Stream& stream) const override {
    const int channels = problem().shape.channels, threads = stream.threads();
    const bool alone = channels % threads == 0 || channels >= 4 * threads;
    const int at_once = alone ? 1 : std::min(channels, threads);
    const int groups = (channels + at_once - 1) / at_once;
    const auto add = [&](int i) {
      const int first = i * at_once;
      add_channels(problem(), kernel_, block, first, std::min(at_once, channels - first),
                   sums.integer.data(), alone ? 1 : threads);
    };
    parallel_for(groups, alone ? threads : 1, add);
  }

 private:
  const DotKernel& kernel_;
};

}  // namespace

std::string why_no_dot(const XEngineProblem& problem) {
  const SampleType type = problem.options.samples;
  if (type == SampleType::ci8 || type == SampleType::ci4) return "";
  return "it takes ci8 and ci4";
}

double dot_seconds(const XEngineProblem& problem, const Machine& machine) {
  // Packing takes about 1.2 cycles per sample (Neoverse N1, layouts tci, cit and act).
  const double samples = 1.0 * problem.shape.inputs() * problem.shape.channels * kTypicalSamples;
  return 2 * problem.products() / (current_dot_kernel().speed * machine.cpu_flops) +
         5e-10 * samples / machine.threads;
}

XEngineRunnerPointer make_dot(const XEngineProblem& problem) {
  return make_dot(problem, current_dot_kernel());
}
XEngineRunnerPointer make_dot(const XEngineProblem& problem, const DotKernel& kernel) {
  return std::make_unique<XEngineDot>(problem, kernel);
}

}  // namespace tessera
