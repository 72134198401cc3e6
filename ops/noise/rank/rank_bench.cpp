// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include "study/bench_case.hpp"
#include "study/spot_rows.hpp"
#include "tessera/error.hpp"
#include "tessera/rank_filter.hpp"

namespace tessera {
namespace {

/// Some rows by the reference: all of them would take minutes.
SpotRows median_rows(const Image& in, const Image& window) {
  return {in.info(), [&](const MutablePiece& made, Stream& stream) {
            const RankFilter reference(in.info(), window.view(),
                                       {.backend = Backend::cpu, .method = "reference"});
            reference(Piece{in.view(), 0}, made, stream);
          }};
}

void run_median(benchmark::State& state, const char* window, Backend backend) {
  const int side = static_cast<int>(state.range(0));
  if (is_absent(state, backend)) return;
  try {
    const Image in = benchmark_image({side, side}, 1), shape = element_from_text(window);
    const RankFilter plan(in.info(), shape.view(), {.backend = backend});
    Image out(plan.output());
    plan(in.view(), out.view());
    // A fast wrong answer is not a result: compare first, time afterwards.
    if (const auto wrong = median_rows(in, shape).disagreement(out.view(), 0); !wrong.empty())
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

void register_medians(const char* name, Backend backend) {
  for (const char* window : {"box:3x3", "box:5x5", "box:7x7", "disk:2", "disk:5", "box:31x31"})
    benchmark::RegisterBenchmark(
        (std::string(name) + "/" + window).c_str(),
        [=](benchmark::State& state) { run_median(state, window, backend); })
        ->Unit(benchmark::kMillisecond)
        ->UseManualTime()
        ->ArgNames({"side"})
        ->Args({1024});
}

// Without a device the last are rows that say so.
const bool registered = [] {
  register_medians("rank/cpu", Backend::cpu);
  register_medians("rank/cuda/host-to-host", Backend::cuda);
  return true;
}();

}  // namespace
}  // namespace tessera
