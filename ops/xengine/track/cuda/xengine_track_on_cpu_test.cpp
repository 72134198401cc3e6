// SPDX-License-Identifier: Apache-2.0
// The kernel that removes delays, run thread by thread on the CPU, against the host's vectors.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>

#include "ops/xengine/track/cuda/xengine_track_cuda.hpp"
#include "tests/support/voltages.hpp"
// The last of all headers, before the kernel's text.
#include "tests/support/block_on_cpu.hpp"
// After the shim, which it is read through.
#include "ops/xengine/track/cuda/xengine_track.cuh"

namespace tessera {
namespace {

using testing::lay_out;
using testing::Voltages;

constexpr long long kSamples = 700;
constexpr float kUntouched = 12345;

FringeSetup track_setup(const XEngineShape& shape, double rate, bool shift) {
  const double unit = std::min(1 / rate, 0.02);  // s, at most a sample
  FringeSetup setup{.shape = shape, .sample_rate = rate, .most_delay = std::min(0.1, 20 * unit)};
  setup.shift = shift;
  setup.threads = 1;
  for (int c = 0; c < shape.channels; ++c) setup.frequency.push_back(1.4e8 + 1e3 * c);
  setup.delays = [unit, antennas = shape.antennas](long long sample) {
    std::vector<double> delays;
    for (int a = 0; a < antennas; ++a)
      delays.push_back((a % 2 ? 1 : -1) * (1.3 * a + 1e-3 * static_cast<double>(sample)) * unit);
    return delays;
  };
  return setup;
}

/// Outputs `next` to `next + count` by the text of the kernel.
std::vector<float> by_kernel(const FringeStretch& of) {
  const XEngineShape& shape = of.setup.shape;
  const FringeTables tables = fringe_tables(of, 0, shape.channels);
  XEngineTrackArgs args = fringe_args(of);
  const long long rows = 2LL * shape.channels * shape.inputs();
  std::vector<float> values(static_cast<std::size_t>(rows * args.length + 2 * kXEngineTrackSlack));
  for (long long row = 0; row < rows; ++row) {
    const auto input = static_cast<int>(row / 2 % shape.inputs());
    const auto channel = static_cast<int>(row / 2 / shape.inputs());
    const float* const from = row % 2 ? of.window.im(channel, input, of.next - of.halo)
                                      : of.window.re(channel, input, of.next - of.halo);
    std::copy_n(from, args.length, values.data() + kXEngineTrackSlack + row * args.length);
  }
  std::vector<float> out(static_cast<std::size_t>(rows * args.count), kUntouched);
  args.values = values.data() + kXEngineTrackSlack;
  args.taps = of.setup.shift ? tables.taps.data() : nullptr;
  args.place = tables.place.data();
  args.starts = tables.starts.data();
  args.out = out.data();
  constexpr XEngineTrackKnobs kKnobs{.threads = 32};
  testing::run_each_thread({static_cast<unsigned>(fringe_blocks(args, kKnobs.threads)),
                            static_cast<unsigned>(shape.channels)},
                           kKnobs.threads, [&] { xengine_track<kKnobs>(args); });
  return out;
}

std::vector<float> by_vectors(FringeTracker& tracker, long long count, long long parts) {
  const VoltageBlock block = tracker.take(count);
  const auto* const first = static_cast<const float*>(block.data);
  return {first, first + parts * count};
}

TEST(XEngineTrackOnCpu, HasTheBitsOfTheVectors) {
  const bool fused = !fringe_target().starts_with("SSE");  // those have no fused products
  // Knots of 1, 4, 32 and 4096 samples.
  for (const double rate : {30.0, 90.0, 1000.0, 1e6})
    for (const bool shift : {false, true})
      for (const XEngineShape& shape : {XEngineShape{1, 1, 1}, {3, 2, 2}}) {
        const FringeSetup setup = track_setup(shape, rate, shift);
        const Voltages v = testing::random_voltages(shape, SampleType::ci8, kSamples, 5);
        const auto laid = lay_out(v, "tci", 0, kSamples);
        FringeTracker tracker(setup);
        tracker.add(laid.block);
        tracker.end();
        const long long knot = tracker.knot(), halo = tracker.halo();
        FringeWindow window(setup, 1);
        window.restart(-halo);
        window.append_missing(halo);
        window.append(laid.block);
        window.append_missing(halo);
        long long next = 0;
        for (const long long count : {1, 63, 130, 7, 400, 99}) {
          std::vector<FringeKnot> knots;
          for (long long first = next / knot * knot; first < next + count; first += knot)
            knots.push_back(fringe_knot(setup, knot, first));
          const std::vector<float> ours = by_kernel({setup, window, knots, next, count, knot,
                                                     std::min<long long>(knot, kFringeRun), halo});
          const std::vector<float> wanted =
              by_vectors(tracker, count, 2LL * shape.channels * shape.inputs());
          ASSERT_EQ(ours.size(), wanted.size());
          for (std::size_t k = 0; k < ours.size(); ++k)
            if (fused)
              ASSERT_EQ(ours[k], wanted[k]) << rate << " " << shift << " " << next << " " << k;
            else
              ASSERT_NEAR(ours[k], wanted[k], 2e-3) << k;
          next += count;
        }
      }
}

}  // namespace
}  // namespace tessera
