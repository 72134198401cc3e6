// SPDX-License-Identifier: Apache-2.0
// The kernels that pack, run thread by thread on the CPU: every sample in its place.
#include <gtest/gtest.h>

#include <set>

#include "ops/xengine/cuda/xengine_cuda.hpp"
#include "ops/xengine/cuda/xengine_pack_cuda.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/voltages.hpp"
// The last of all headers, before the kernels' text.
#include "tests/support/block_on_cpu.hpp"
// After the shim, which it is read through.
#include "ops/xengine/cuda/xengine_pack.cuh"

namespace tessera {
namespace {

using testing::LaidOut;
using testing::random_voltages;
using testing::Voltages;

struct Case {
  XEngineShape shape;
  XEngineOptions options;
  std::string layout;
  long long samples, stretch;  ///< stretch 0: no mask

  std::string text() const {
    return fmt::format("{}x{} inputs, {}, {}, {} samples, mask {}, offset {}", shape.antennas,
                       shape.polarisations, name_of(options.samples), layout, samples, stretch,
                       options.offset_binary);
  }
};

XEngineOptions offset_binary(bool on) {
  XEngineOptions options;
  options.offset_binary = on;
  return options;
}

void run(const std::string& entry, unsigned blocks, int channels, const XEnginePackArgs& args) {
  testing::run_each_thread({blocks, static_cast<unsigned>(channels)}, kXEnginePackThreads, [&] {
    if (entry == "xengine_pack_ci4") return xengine_pack_samples<false, true>(args);
    if (entry == "xengine_pack_pairs") return xengine_pack_samples<true, false>(args);
    if (entry == "xengine_pack_runs1") return xengine_pack_runs<1>(args);
    if (entry == "xengine_pack_runs2") return xengine_pack_runs<2>(args);
    if (entry == "xengine_pack_mask") return xengine_clear_invalid(args);
    return xengine_pack_samples<false, false>(args);
  });
}

/// As pack_samples has it, with launches here.
void pack(const XEnginePackArgs& args, SampleType type, int channels) {
  for (const XEnginePackLaunch& launch : pack_launches(args, type))
    run(launch.entry, launch.blocks, channels, args);
}

IntegerSample expected(const Case& c, const VoltageBlock& block, int channel, int input,
                       long long t) {
  const int polarisations = c.shape.polarisations;
  if (t >= block.samples || !is_valid(block, c.shape.inputs(), input, t)) return {};
  return integer_sample(
      c.options, block.layout,
      sample_address(block, channel, input / polarisations, input % polarisations, t));
}

/// The samples from `first` on, `count` of them, of the channels from `channel` on.
void expect_packed(const Case& c, const VoltageBlock& block, int channel, long long first,
                   int count) {
  const XEngineProblem problem{c.shape, c.options, {}, 0};
  const unsigned char* valid = block.valid.empty() ? nullptr : block.valid.data();
  XEnginePackArgs args{samples_of(problem, block, valid, 0), channel, first, count, nullptr};
  const int channels = c.shape.channels - channel;
  constexpr unsigned char kPoison = 0x5b;
  std::vector<XEngineWords> memory(static_cast<std::size_t>(args.channel_bytes() * channels / 16) +
                                   1);
  std::memset(memory.data(), kPoison, memory.size() * 16);
  args.packed = reinterpret_cast<unsigned char*>(memory.data());
  pack(args, c.options.samples, channels);
  const auto* at = reinterpret_cast<const signed char*>(memory.data());
  for (int k = 0; k < channels; ++k)
    for (int group = 0; group < args.groups(); ++group)
      for (int input = 0; input < c.shape.inputs(); ++input)
        for (int t = 0; t < kXEngineGroup; ++t, at += 2) {
          const int in_part = group * kXEngineGroup + t;
          const IntegerSample want = in_part < count
                                         ? expected(c, block, channel + k, input, first + in_part)
                                         : IntegerSample{};
          ASSERT_EQ(at[0], want.re) << channel + k << " " << input << " " << first + in_part;
          ASSERT_EQ(at[1], want.im) << channel + k << " " << input << " " << first + in_part;
        }
  EXPECT_EQ(*reinterpret_cast<const unsigned char*>(at), kPoison) << "written behind the end";
}

std::string expect_packed(const Case& c) {
  SCOPED_TRACE(c.text());
  Voltages v = random_voltages(c.shape, c.options.samples, c.samples, 5);
  if (c.stretch) testing::add_random_mask(v, c.stretch, 6);
  const LaidOut laid = testing::lay_out(v, c.layout, 0, c.samples);
  expect_packed(c, laid.block, 0, 0, static_cast<int>(c.samples));
  if (c.samples > 40) expect_packed(c, laid.block, c.shape.channels / 2, 16, 21);
  const XEngineProblem problem{c.shape, c.options, {}, 0};
  return pack_entry(samples_of(problem, laid.block, nullptr, 0), c.options.samples);
}

/// All kernels have their turn: those of runs need steps that are multiples of 16.
TEST(XEnginePackOnCpu, EveryLayoutTypeAndMask) {
  std::set<std::string> seen;
  for (const XEngineShape& shape : {XEngineShape{9, 2, 2}, {3, 1, 3}, {2, 3, 1}, {17, 4, 1}})
    for (const char* layout : {"tci", "cti", "cit", "act", "odd", "tcc", "dp4a"})
      for (const long long samples : {1LL, 16LL, 64LL, 71LL, 520LL}) {
        const bool whole = layout == std::string("tcc") || layout == std::string("dp4a");
        if (whole && samples % 32 != 0) continue;
        if (testing::run_small() && samples > 100) continue;
        for (const bool offset : {false, true}) {
          const long long stretch = offset ? 0 : samples % 7;
          Case c{shape, offset_binary(offset), layout, samples, stretch};
          seen.insert(expect_packed(c));
          c.options.samples = SampleType::ci4;
          c.options.real_low = samples % 2 == 0;
          if (layout != std::string("dp4a")) seen.insert(expect_packed(c));
        }
      }
  EXPECT_EQ(seen.size(), 5U);
}

/// The end of a block is not read as a whole word: it may be the end of memory.
TEST(XEnginePackOnCpu, RunsEndAnywhere) {
  for (const int polarisations : {1, 2})
    for (long long samples = 1; samples <= 40; ++samples)
      for (const bool offset : {false, true}) {
        const Case c{{2, polarisations, 1}, offset_binary(offset), "cti", samples, 0};
        SCOPED_TRACE(c.text());
        const long long input = 48LL * 2 * polarisations;
        std::vector<XEngineWords> memory(static_cast<std::size_t>(2 * input / 16));
        auto* bytes = reinterpret_cast<unsigned char*>(memory.data());
        for (long long k = 0; k < 2 * input; ++k) bytes[k] = static_cast<unsigned char>(37 * k + 5);
        VoltageBlock block{bytes, samples, {}};
        block.layout = {2 * input, input, 2, 2LL * polarisations, 1, 2LL * polarisations, 1};
        const XEngineProblem problem{c.shape, c.options, {}, 0};
        ASSERT_EQ(std::string(pack_entry(samples_of(problem, block, nullptr, 0), SampleType::ci8)),
                  polarisations == 1 ? "xengine_pack_runs1" : "xengine_pack_runs2");
        expect_packed(c, block, 0, 0, static_cast<int>(samples));
      }
}

}  // namespace
}  // namespace tessera
