// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include "ops/morphology/study/morphology_spot_check.hpp"
#include "study/bench_case.hpp"
#include "tessera/error.hpp"
#include "tessera/morphology.hpp"

namespace tessera {
namespace {

void run_morphology(benchmark::State& state, const char* element, Backend backend) {
  const int side = static_cast<int>(state.range(0));
  if (is_absent(state, backend)) return;
  try {
    const Image in = benchmark_image({side, side}, 1), shape = element_from_text(element);
    const Morphology plan(MorphologyKind::erode, in.info(), shape.view(), {.backend = backend});
    Image out(plan.output());
    plan(in.view(), out.view());
    // A fast wrong answer is not a result: compare first, time afterwards.
    const ErosionSpotCheck check(in.view(), shape.view());
    if (const auto wrong = check.disagreement(out.view()); !wrong.empty())
      return state.SkipWithError(wrong.c_str());
    const double peak = plan.device() == kHost ? measure_cpu().copy_bytes_all
                                               : measure_device(plan.device()).copy_bytes;
    time_work(state, "bytes", 2.0 * static_cast<double>(bytes_of(in.info())), peak,
              [&] { plan(in.view(), out.view()); });
    state.SetLabel(plan.describe());
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
}

void register_all(const char* name, Backend backend) {
  for (const char* element : {"box:3x3", "box:15x15", "box:63x63", "disk:3", "disk:12"})
    benchmark::RegisterBenchmark(
        (std::string(name) + "/" + element).c_str(),
        [=](benchmark::State& state) { run_morphology(state, element, backend); })
        ->Unit(benchmark::kMillisecond)
        ->UseManualTime()
        ->ArgNames({"side"})
        ->Args({1024});
}

// Without a device the last are rows that say so.
const bool registered = [] {
  register_all("morphology/cpu", Backend::cpu);
  register_all("morphology/cuda/host-to-host", Backend::cuda);
  return true;
}();

}  // namespace
}  // namespace tessera
