// SPDX-License-Identifier: Apache-2.0
/// Shared by benchmark cases: an image to work on, a row for a backend that is absent, and timing
/// as a fraction of a ceiling.
#pragma once

#include <benchmark/benchmark.h>

#include <chrono>
#include <string>

#include "core/machine.hpp"
#include "study/benchmark_image.hpp"
#include "tessera/error.hpp"
#include "tessera/options.hpp"

namespace tessera {

/// Whether the case cannot run here; its row then says why.
inline bool is_absent(benchmark::State& state, Backend backend) {
  const Machine& machine = this_machine();
  if (backend != Backend::cuda || !machine.devices.empty()) return false;
  state.SkipWithError(("absent: " + machine.no_device_reason).c_str());
  return true;
}

/// A case under a name. Without the backend, or if `work(state)` fails, its row says so.
template <class Work>
void add_case(const std::string& name, Backend backend, Work work) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [backend, work](benchmark::State& state) {
                                 if (is_absent(state, backend)) return;
                                 try {
                                   work(state);
                                 } catch (const Error& error) {
                                   state.SkipWithError(error.what());
                                 }
                               })
      ->Unit(benchmark::kMillisecond)
      ->UseManualTime();
}

/// Times `work`, which does `amount` (flop, bytes) per call while the machine can do `peak` per
/// second: `of_peak` is the fraction reached. The case is registered with UseManualTime.
template <class Work>
void time_work(benchmark::State& state, const char* what, double amount, double peak, Work work) {
  double seconds = 0;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    state.SetIterationTime(taken.count());
    seconds += taken.count();
  }
  state.counters[what] = benchmark::Counter(amount, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["of_peak"] = amount * static_cast<double>(state.iterations()) / seconds / peak;
}

}  // namespace tessera
