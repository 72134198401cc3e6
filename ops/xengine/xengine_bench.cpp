// SPDX-License-Identifier: Apache-2.0
// Benchmarks of the X-engine: every method on blocks that lie where it runs, blocks that come from
// the host, and OpenBLAS's cherk for comparison. `ops` are useful operations, 8 per pair of inputs
// and sample, N^2 / 2 pairs of antennas, whatever a method computes. of_peak is the share of a
// dense int8 product by cuBLAS on a device, of f32 multiply-adds on a CPU: int8 is above 1 there.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "core/cblas.hpp"
#include "core/device.hpp"
#include "ops/xengine/cuda/xengine_device_sums.hpp"
#include "ops/xengine/study/xengine_spot_check.hpp"
#include "study/bench_case.hpp"
#include "study/byte_peak.hpp"

namespace tessera {
namespace {

constexpr long long kLength = 4096;

struct Way {
  Backend backend = Backend::cpu;
  std::string method = {}, layout = "tci";
  XEngineShape shape = {};
  int threads = 0;  ///< of the CPU; 0: all
  bool from_host = false;
  bool afresh = false;  ///< each block into cleared sums, like a correlator that dumps
};

double peak(const Way& way) {
  if (way.backend == Backend::cuda)
    return measure_byte_peak(0) > 0 ? measure_byte_peak(0) : measure_device(0).fma_flops;
  return way.threads == 1 ? measure_cpu().fma_flops_one : measure_cpu().fma_flops_all;
}

void time_add(benchmark::State& state, const Way& way) {
  const XEngineShape& s = way.shape;
  XEngineOptions options;
  options.backend = way.backend;
  options.method = way.method;
  options.order = VisibilityOrder::full;
  const XEngine plan(s, options);
  Stream stream(plan.device(), way.threads);
  const std::size_t bytes = 2UL * static_cast<std::size_t>(s.inputs() * s.channels) * kLength;
  const std::vector<signed char> samples = random_bytes(bytes);
  VoltageBlock block{samples.data(), kLength,
                     voltage_layout(way.layout, s, SampleType::ci8, kLength)};
  Scratch there;
  if (way.backend == Backend::cuda && !way.from_host) {
    there = stream.scratch(bytes);
    copy_bytes(samples.data(), kHost, there.data(), stream.device(), bytes, stream);
    block.data = there.data();
    block.device = stream.device();
  }
  XEngineState sums = plan.start();
  plan.add(sums, block, stream);
  std::vector<long long> made(static_cast<std::size_t>(plan.output().bytes() / 8));
  plan.dump(sums, {made.data()}, stream);
  // A fast wrong answer is not a result: compare first, time afterwards.
  for (const auto& [i, j] : spot_pairs(s.inputs())) {
    const auto [re, im] = visibility_by_hand(s, block.layout, samples, kLength, i, j);
    const auto place = 2 * static_cast<std::size_t>(i * s.inputs() + j);
    if (made[place] != re || made[place + 1] != im)
      return state.SkipWithError("differs from the sum by hand");
  }
  // Blocks follow each other without a pause, as in a recording.
  constexpr int kBlocks = 8;
  const int blocks = way.backend == Backend::cuda ? kBlocks : 1;
  time_work(state, "ops", blocks * useful_operations(s, kLength), peak(way), [&] {
    for (int k = 0; k < blocks; ++k) {
      if (way.afresh) plan.clear(sums, stream);
      plan.add(sums, block, stream);
    }
    stream.wait();
  });
  state.counters["input_Gbit"] = benchmark::Counter(8e-9 * blocks * static_cast<double>(bytes),
                                                    benchmark::Counter::kIsIterationInvariantRate);
  state.SetLabel(plan.describe());
}

/// The same sums in complex float, one matrix per channel, from [channel][time][input].
void time_cherk(benchmark::State& state, const Way& way) {
  if (!why_no_cblas().empty()) return state.SkipWithError(("absent: " + why_no_cblas()).c_str());
  const Cblas& blas = cblas_on_all_cores();
  const int n = way.shape.inputs(), length = static_cast<int>(kLength);
  const std::vector<signed char> bytes =
      random_bytes(2UL * static_cast<std::size_t>(n) * static_cast<std::size_t>(length));
  const std::vector<float> a(bytes.begin(), bytes.end());
  std::vector<float> c(2UL * static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  time_work(state, "ops", useful_operations(way.shape, kLength), peak(way), [&] {
    for (int k = 0; k < way.shape.channels; ++k)
      blas.cherk(Cblas::kColumnMajor, Cblas::kLower, Cblas::kAsIs, n, length, 1, a.data(), n, 0,
                 c.data(), n);
  });
  state.SetLabel("cblas_cherk, cf32");
}

void add(const std::string& name, const Way& way, void (*work)(benchmark::State&, const Way&)) {
  add_case("xengine/" + name, way.backend,
           [way, work](benchmark::State& state) { work(state, way); });
}

/// The shapes with promised speeds.
constexpr XEngineShape kOnDevice[] = {
    {32, 2, 1024}, {64, 2, 512}, {128, 2, 256}, {256, 2, 64}, {512, 2, 32}};

void add_on_cpu(const std::string& method, const XEngineShape& shape) {
  for (const char* layout : {"tci", "cit"}) {
    Way way{Backend::cpu, method, layout, shape};
    const std::string name = fmt::format("cpu/{}/{}/{}", method, shape.antennas, layout);
    add(name, way, time_add);
    way.threads = 1;
    if (layout == std::string("cit")) add(name + "/one-thread", way, time_add);
  }
}

const bool registered = [] {
  // Every method of the table that takes ci8 except the reference: new ones appear by themselves.
  for (const XEngineMethod& method : xengine_methods()) {
    const std::string name = method.name;
    if (name == "reference") continue;
    if (method.backend == Backend::cpu) {
      for (const int antennas : {64, 128, 256}) add_on_cpu(name, {antennas, 2, 2});
      continue;
    }
    if (name == "fma") continue;
    for (const XEngineShape& shape : kOnDevice)
      for (const char* layout : {"tcc", "tci", "act"})
        for (const bool afresh : {false, true})
          add(fmt::format("cuda/{}/{}/{}{}", name, shape.antennas, layout, afresh ? "/afresh" : ""),
              {Backend::cuda, name, layout, shape, 0, false, afresh}, time_add);
  }
  for (const XEngineShape& shape : kOnDevice)
    add(fmt::format("cuda/auto/{}/tci/from-host", shape.antennas),
        {Backend::cuda, "auto", "tci", shape, 0, true}, time_add);
  for (const int antennas : {64, 128, 256})
    add(fmt::format("cpu/cherk/{}", antennas), {Backend::cpu, "", "", {antennas, 2, 2}},
        time_cherk);
  return true;
}();

}  // namespace
}  // namespace tessera
