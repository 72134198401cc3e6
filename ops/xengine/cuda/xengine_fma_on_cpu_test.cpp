// SPDX-License-Identifier: Apache-2.0
// The kernels that multiply ci16, cf16 and cf32, run thread by thread on the CPU, against the
// reference.
#include <gtest/gtest.h>

#include "ops/xengine/cpu/xengine_samples.hpp"
#include "ops/xengine/cuda/xengine_cuda.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/voltages.hpp"
// The last of all headers, before the kernels' text.
#include "tests/support/block_on_cpu.hpp"
// After the shim, which it is read through.
#include "ops/xengine/cuda/xengine_fma.cuh"

namespace tessera {

/// The shared memory of the block that runs.
XEngineTwo<float> xengine_fma_memory[kXEngineFmaShared / sizeof(XEngineTwo<float>)];

namespace {

using testing::Correlated;
using testing::LaidOut;
using testing::random_voltages;
using testing::reference_for;
using testing::Voltages;

struct Case {
  XEngineShape shape;
  SampleType type;
  std::string layout;
  long long samples, stretch;
  bool offset = false;

  std::string text() const {
    return fmt::format("{}x{} inputs, {} channels, {}, {}, {} samples, mask {}", shape.antennas,
                       shape.polarisations, shape.channels, name_of(type), layout, samples,
                       stretch);
  }
};

/// In blocks that end after these samples; without any, in two.
template <class Kind>
std::vector<typename Kind::Out> multiply(const Case& c, const Voltages& v,
                                         std::vector<long long> ends = {}) {
  using Out = typename Kind::Out;
  const std::size_t count = static_cast<std::size_t>(2 * c.shape.values() * c.shape.channels);
  std::vector<Out> sums(count + 1, Out(12345));
  const int tile = xengine_fma_tile(c.shape.polarisations);
  const auto tiles = static_cast<unsigned>(baseline_of((c.shape.inputs() - 1) / tile + 1, 0));
  const XEngineProblem problem{c.shape, {.samples = c.type, .offset_binary = c.offset}, {}, 0};
  const long long half = (c.samples / 2 + 63) / 64 * 64;
  if (ends.empty() && half < c.samples) ends.push_back(half);
  if (ends.empty() || ends.back() < c.samples) ends.push_back(c.samples);
  std::vector<float> run(count, 54321.0F);
  long long first = 0;
  for (const long long end : ends) {  // the first overwrites, the others add
    const LaidOut laid = testing::lay_out(v, c.layout, first, end - first);
    const unsigned char* valid = laid.valid.empty() ? nullptr : laid.valid.data();
    const int phase = static_cast<int>(first % kXEngineFmaRun);
    const XEngineFmaArgs args{samples_of(problem, laid.block, valid, 0),
                              0,
                              tile,
                              c.shape.values(),
                              sums.data(),
                              first > 0,
                              phase,
                              run.data(),
                              phase > 0};
    testing::run_blocks({tiles, static_cast<unsigned>(c.shape.channels)}, kXEngineFmaThreads,
                        [&] { xengine_fma_tiles<Kind>(args); });
    first = end;
  }
  EXPECT_EQ(sums.back(), Out(12345));
  sums.pop_back();
  for (std::size_t k = 0; Kind::kRuns && c.samples % kXEngineFmaRun != 0 && k < count; ++k)
    sums[k] += static_cast<Out>(run[k]);
  return sums;
}

void expect_right(const Case& c) {
  SCOPED_TRACE(c.text());
  Voltages v = random_voltages(c.shape, c.type, c.samples, 11);
  if (c.stretch) testing::add_random_mask(v, c.stretch, 12);
  const XEngineOptions options{.samples = c.type, .offset_binary = c.offset};
  const Correlated expected = correlate(XEngine(c.shape, reference_for(options)), v);
  if (c.type == SampleType::ci16) {
    const auto sums = multiply<XEngineOfCi16>(c, v);
    EXPECT_EQ((std::vector<std::int64_t>(sums.begin(), sums.end())), expected.as<std::int64_t>());
    return;
  }
  const std::vector<double> sums =
      c.type == SampleType::cf16 ? multiply<XEngineOfCf16>(c, v) : multiply<XEngineOfCf32>(c, v);
  const std::vector<double> bounds = testing::float_bounds(v, options),
                            right = expected.as<double>();
  for (std::size_t k = 0; k < sums.size(); ++k)
    ASSERT_LE(std::abs(sums[k] - right[k]), bounds[k]) << "part " << k;
}

TEST(XEngineFmaOnCpu, AgreesWithTheReference) {
  const SampleType types[] = {SampleType::ci16, SampleType::cf16, SampleType::cf32};
  for (const SampleType type : types)
    for (const Case& c : {Case{{3, 2, 2}, type, "tci", 17, 0},
                          {{33, 2, 1}, type, "cit", 40, 3},
                          {{22, 3, 1}, type, "odd", 33, 0},
                          {{5, 4, 2}, type, "act", 300, 16},
                          {{1, 1, 1}, type, "cti", 1, 1},
                          {{70, 1, 1}, type, type == SampleType::cf32 ? "cti" : "tcc", 128, 5}}) {
      if (testing::run_small() && c.samples > 100) continue;
      expect_right(c);
    }
  expect_right({{3, 2, 2}, SampleType::ci16, "tci", 17, 0, true});
}

template <class Kind>
void expect_same_for_blocks(const Case& c, const std::vector<std::vector<long long>>& all) {
  SCOPED_TRACE(c.text());
  Voltages v = random_voltages(c.shape, c.type, c.samples, 21);
  if (c.stretch) testing::add_random_mask(v, c.stretch, 22);
  const auto whole = multiply<Kind>(c, v, {c.samples});
  for (const std::vector<long long>& ends : all)
    EXPECT_EQ(multiply<Kind>(c, v, ends), whole) << "first block of " << ends.front();
}

TEST(XEngineFmaOnCpu, BlocksChangeNoBit) {
  const std::vector<std::vector<long long>> ends{{16, 32}, {250},           {256},      {1, 2, 3},
                                                 {9, 255}, {255, 257, 511}, {260, 261}, {500}};
  expect_same_for_blocks<XEngineOfCf32>({{3, 2, 1}, SampleType::cf32, "tci", 560, 3}, ends);
  expect_same_for_blocks<XEngineOfCf32>({{2, 1, 2}, SampleType::cf32, "cit", 512, 0}, ends);
  // Groups of 8 samples.
  expect_same_for_blocks<XEngineOfCf16>({{2, 2, 1}, SampleType::cf16, "tcc", 560, 16},
                                        {{8, 24}, {248}, {256}, {264, 304}});
}

/// Sums of the lowest integers, -2^15 (1 + i), are 2^31 per sample.
TEST(XEngineFmaOnCpu, LowestIntegersAreExact) {
  const Case c{{2, 1, 1}, SampleType::ci16, "cit", 40, 0};
  Voltages v{c.shape, c.type, c.samples, {}};
  for (long long k = 0; k < 4 * c.samples; ++k) v.bytes.insert(v.bytes.end(), {0, 0x80});
  const auto sums = multiply<XEngineOfCi16>(c, v);
  const long long power = 40LL << 31;
  EXPECT_EQ(sums, (std::vector<long long>{power, 0, power, 0, power, 0}));
}

/// Every half, against the host's.
TEST(XEngineFmaOnCpu, HalvesAreExact) {
  for (unsigned half = 0; half < 0x10000; ++half) {
    const auto bits = static_cast<unsigned short>(half);
    const float mine = half_value(bits), right = float_of_half(bits);
    ASSERT_EQ(std::bit_cast<unsigned>(mine), std::bit_cast<unsigned>(right)) << half;
  }
}

}  // namespace
}  // namespace tessera
