// SPDX-License-Identifier: Apache-2.0
// Benchmarks of correlate: the paper's problem (4 planes of 500x500, 250x250 shifts) by every
// method and backend there is. Flop are those of the four nested loops, whatever a method does: the
// share of the peak is the direct method's efficiency, and an fft method's is above 1.
#include <algorithm>
#include <cmath>

#include "core/machine.hpp"
#include "study/bench_case.hpp"
#include "tessera/correlate.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr int kPlanes = 4;

/// The definition at one shift, in double.
double correlation(View<const float> image, int first_plane, int dx, int dy) {
  double sum = 0;
  for (int p = first_plane; p < first_plane + kPlanes; ++p)
    for (int y = 0; y < image.size.height - dy; ++y)
      for (int x = 0; x < image.size.width - dx; ++x)
        sum += double{image.at(x + dx, y + dy, 0, p)} * double{image.at(x, y, 0, p)};
  return sum;
}

/// Some shifts of the last image are enough to catch a wrong answer; the whole reference would take
/// minutes.
bool agrees(const Image& image, const Image& map, double bound) {
  const Size size = map.info().size;
  const int last = image.info().size.planes - kPlanes, side = size.width;
  const double energy = correlation(image.as<float>(), last, 0, 0);
  for (const int dy : {0, 1, side / 3, side - 1})
    for (const int dx : {0, 1, side / 3, side - 1}) {
      const double found = map.as<float>().at(dx, dy, 0, size.planes - 1);
      if (!(std::abs(found - correlation(image.as<float>(), last, dx, dy)) <= bound * energy))
        return false;
    }
  return true;
}

/// Multiply-adds count as two.
double flops_of(int side, int shifts, int batch) {
  double overlaps = 0;
  for (int shift = 0; shift < shifts; ++shift) overlaps += side - shift;
  return 2 * overlaps * overlaps * kPlanes * batch;
}

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
    const Image image = benchmark_image({side, side, 1, kPlanes * batch}, 1);
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
    if (!agrees(image, map, plan.method() == "fft" ? 5e-7 : 1e-6))
      return state.SkipWithError("differs from the definition by more than the bound");
    const double peak = plan.device() != kHost ? measure_device(plan.device()).fma_flops
                        : way.threads == 1     ? measure_cpu().fma_flops_one
                                               : measure_cpu().fma_flops_all;
    time_work(state, "flops", flops_of(side, shifts, batch), peak, work);
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
