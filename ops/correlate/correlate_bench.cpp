// SPDX-License-Identifier: Apache-2.0
// Benchmarks of correlate: the paper's problem (4 planes of 500x500, 250x250 shifts) by every
// method and backend there is. Flop are those of the four nested loops, whatever a method does: the
// share of the peak is the direct method's efficiency, and an fft method's is above 1.
#include <utility>

#include "core/machine.hpp"
#include "ops/correlate/study/correlate_spot_check.hpp"
#include "study/bench_case.hpp"
#include "tessera/correlate.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

struct Way {
  Backend backend;
  const char* method;
  int threads;  ///< 0: all there are
};

void run_correlate(benchmark::State& state, const Way& way) {
  const int side = static_cast<int>(state.range(0)), shifts = static_cast<int>(state.range(1));
  const int batch = static_cast<int>(state.range(2));
  if (is_absent(state, way.backend)) return;
  try {
    const Image image = benchmark_image({side, side, 1, kSpotPlanes * batch}, 1);
    const Correlate plan(
        image.info(),
        {.max_shift = shifts, .batch = batch, .backend = way.backend, .method = way.method});
    Image map(plan.output());
    Stream stream(plan.device(), way.threads);
    const auto work = [&] {
      plan(image.view(), image.view(), map.view(), stream);
      stream.wait();
    };
    work();
    // A fast wrong answer is not a result: compare first, time afterwards.
    const double bound = plan.method() == "fft" ? 5e-7 : 1e-6;
    if (!correlation_agrees(image.as<float>(), std::as_const(map).as<float>(), bound))
      return state.SkipWithError("differs from the definition by more than the bound");
    const double peak = plan.device() != kHost ? measure_device(plan.device()).fma_flops
                        : way.threads == 1     ? measure_cpu().fma_flops_one
                                               : measure_cpu().fma_flops_all;
    time_work(state, "flops", correlation_flops(side, shifts, batch), peak, work);
    state.SetLabel(plan.describe());
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
}

void register_all(const char* name, Way way, int batch) {
  benchmark::RegisterBenchmark(name, [way](benchmark::State& state) { run_correlate(state, way); })
      ->Unit(benchmark::kMillisecond)
      ->UseManualTime()
      ->ArgNames({"side", "shifts", "batch"})
      ->Args({500, 250, batch});
}

// Without a device the last are rows that say so.
const bool registered = [] {
  register_all("correlate/cpu/direct/one-thread", {Backend::cpu, "direct", 1}, 1);
  register_all("correlate/cpu/direct", {Backend::cpu, "direct", 0}, 1);
  register_all("correlate/cpu/fft/one-thread", {Backend::cpu, "fft", 1}, 1);
  register_all("correlate/cpu/fft", {Backend::cpu, "fft", 0}, 1);
  register_all("correlate/cuda/direct/host-to-host", {Backend::cuda, "direct", 0}, 1);
  register_all("correlate/cuda/fft/host-to-host", {Backend::cuda, "fft", 0}, 1);
  register_all("correlate/cuda/fft/host-to-host", {Backend::cuda, "fft", 0}, 64);
  return true;
}();

}  // namespace
}  // namespace tessera
