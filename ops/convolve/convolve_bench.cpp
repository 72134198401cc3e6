// SPDX-License-Identifier: Apache-2.0
// Benchmarks of convolve: every method and backend there is, as a fraction of the measured
// ceilings.
#include "core/machine.hpp"
#include "ops/convolve/study/convolve_spot_check.hpp"
#include "study/bench_case.hpp"
#include "tessera/convolve.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

void run_convolve(benchmark::State& state, const ConvolveOptions& options) {
  const int side = static_cast<int>(state.range(0)), taps = static_cast<int>(state.range(1));
  if (is_absent(state, options.backend)) return;
  try {
    const Image in = benchmark_image({side, side}, 1), filter = benchmark_image({taps, taps}, 2);
    const Convolve plan(in.info(), filter.view(), options);
    Image out(plan.output());
    plan(in.view(), out.view());
    // A fast wrong answer is not a result: compare first, time afterwards.
    const ConvolveSpotCheck check(in.view(), filter.view(), options);
    if (const auto wrong = check.disagreement(plan, out.view()); !wrong.empty())
      return state.SkipWithError(wrong.c_str());
    const double peak = plan.device() == kHost ? measure_cpu().fma_flops_all
                                               : measure_device(plan.device()).fma_flops;
    time_work(state, "flops", 2.0 * taps * taps * side * side, peak,
              [&] { plan(in.view(), out.view()); });
    state.SetLabel(plan.describe());
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
}

void register_all(const char* name, const ConvolveOptions& options) {
  auto* bench = benchmark::RegisterBenchmark(
      name, [options](benchmark::State& state) { run_convolve(state, options); });
  bench->Unit(benchmark::kMillisecond)->UseManualTime()->ArgNames({"side", "taps"});
  for (const int taps : {3, 7, 15, 31}) bench->Args({1024, taps});
}

// Without a device the last is a row that says so.
const bool registered = [] {
  register_all("convolve/cpu/direct",
               {.border = Border::replicate, .backend = Backend::cpu, .method = "direct"});
  register_all("convolve/cpu/fft",
               {.border = Border::replicate, .backend = Backend::cpu, .method = "fft"});
  register_all("convolve/cuda/direct/host-to-host",
               {.border = Border::replicate, .backend = Backend::cuda, .method = "direct"});
  return true;
}();

}  // namespace
}  // namespace tessera
