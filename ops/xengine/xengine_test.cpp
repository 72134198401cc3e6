// SPDX-License-Identifier: Apache-2.0
// Every way against the reference: exact of integers, within the bound of floats.
#include <gtest/gtest.h>

#include "tests/support/methods.hpp"
#include "tests/support/picker.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/voltages.hpp"

namespace tessera {
namespace {

using testing::correlate;
using testing::Correlated;
using testing::Picker;
using testing::random_voltages;
using testing::reference_for;
using testing::Voltages;

struct Case {
  XEngineShape shape;
  XEngineOptions options;
  std::string layout;
  long long samples, block, stretch;  ///< stretch 0: no mask

  std::string text() const {
    return fmt::format("{}x{} inputs, {} channels, {}, {}, {} samples in blocks of {}, mask {}",
                       shape.antennas, shape.polarisations, shape.channels,
                       name_of(options.samples), layout, samples, block, stretch);
  }
};

Case some_case(int k) {
  Picker picker(k);
  Case c;
  // Inputs around panels and tiles of every target: 4, 8, 12, 16, 48, 64, 128.
  c.shape.antennas = picker.pick<int>({1, 2, 3, 7, 8, 5, 13, 16, 25, 33, 65});
  c.shape.polarisations = picker.pick<int>({2, 1, 2, 3, 4, 2, 1});
  c.shape.channels = picker.pick<int>({1, 2, 3, 5});
  c.options.samples = picker.pick<SampleType>(
      {SampleType::ci8, SampleType::ci16, SampleType::cf32, SampleType::ci4, SampleType::cf16});
  // Lengths around words, groups, runs and slabs.
  c.samples = picker.pick<long long>({1, 2, 3, 15, 16, 17, 63, 64, 100, 255, 256, 257, 1025, 1300});
  c.layout = picker.pick<std::string>({"tci", "cti", "cit", "act", "odd", "odd", "tcc", "dp4a"});
  if (c.layout == "dp4a") c.options.samples = SampleType::ci8;  // it holds no others
  c.block = picker.pick<long long>({1300, 1, 7, 64, 1300, 1300, 100});
  c.stretch = picker.pick<long long>({0, 1, 5, 64, 0, 0});
  c.options.offset_binary = is_integer(c.options.samples) && k % 3 == 1;
  c.options.real_low = c.options.samples == SampleType::ci4 && k % 2 == 1;
  const bool grouped = c.layout == "tcc" || c.layout == "dp4a";
  if (c.options.samples == SampleType::cf32 && c.layout == "tcc") c.layout = "cti";
  if (grouped) c.samples = c.samples / 64 * 64 + 64, c.block = c.block / 64 * 64 + 64;
  return c;
}

void expect_near(const std::vector<double>& actual, const std::vector<double>& expected,
                 const std::vector<double>& bounds) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t k = 0; k < actual.size(); ++k)
    ASSERT_LE(std::abs(actual[k] - expected[k]), bounds[k]) << "part " << k;
}

void sweep(Backend backend) {
  const int cases = testing::run_small() ? 14 : testing::run_all() ? 400 : 40;
  for (int k = 0; k < cases; ++k) {
    const Case c = some_case(k);
    SCOPED_TRACE(c.text());
    Voltages v = random_voltages(c.shape, c.options.samples, c.samples, static_cast<unsigned>(k));
    if (c.stretch) testing::add_random_mask(v, c.stretch, static_cast<unsigned>(k));
    const Correlated expected = correlate(XEngine(c.shape, reference_for(c.options)), v);
    for (const testing::Way& way : testing::all_ways()) {
      if (way.backend != backend) continue;
      const testing::ForcedIsa forced(way.isa);
      for (const std::string& method : testing::xengine_methods_for(c.shape, c.options, backend)) {
        XEngineOptions options = c.options;
        options.backend = backend;
        options.method = method;
        const XEngine plan(c.shape, options);
        SCOPED_TRACE(plan.describe());
        Stream stream(plan.device());
        const Correlated actual = correlate(plan, v, c.layout, c.block, stream);
        EXPECT_EQ(actual.dump.samples, c.samples);
        EXPECT_EQ(actual.dump.valid, expected.dump.valid);
        if (is_integer(c.options.samples))
          EXPECT_EQ(actual.as<std::int64_t>(), expected.as<std::int64_t>());
        else
          expect_near(actual.as<double>(), expected.as<double>(),
                      testing::float_bounds(v, c.options));
      }
    }
  }
}

TEST(XEngine, CpuMatchesReference) { sweep(Backend::cpu); }

TEST(XEngineCuda, MatchesReference) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  sweep(Backend::cuda);
}

/// Sums one beyond int32, and how long kernels may go on in it.
void lowest_integers(Backend backend) {
  const XEngineShape shape{2, 1, 1};
  for (const SampleType type : {SampleType::ci8, SampleType::ci16})
    for (const std::string& method :
         testing::xengine_methods_for(shape, {.samples = type}, backend)) {
      const XEngine plan(shape, {.samples = type, .backend = backend, .method = method});
      SCOPED_TRACE(plan.describe());
      const long long lowest = type == SampleType::ci8 ? -128 : -32768;
      for (const long long samples : {65535, 65536, 65537, 140000}) {
        Voltages v{shape, type, samples, {}};
        v.bytes.resize(static_cast<std::size_t>(samples * bytes_of(type) * shape.inputs()));
        const std::size_t part = type == SampleType::ci8 ? 1 : 2;  // the highest byte is the last
        for (std::size_t k = part - 1; k < v.bytes.size(); k += part) v.bytes[k] = 0x80;
        const long long power = 2 * lowest * lowest * samples;
        EXPECT_EQ(correlate(plan, v).as<std::int64_t>(),
                  (std::vector<std::int64_t>{power, 0, power, 0, power, 0}));
      }
    }
}

TEST(XEngine, CpuLowestIntegersBeyondInt32) { lowest_integers(Backend::cpu); }

TEST(XEngineCuda, LowestIntegersBeyondInt32) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  lowest_integers(Backend::cuda);
}

TEST(XEngine, FloatsAreHermitianAndTheirDiagonalReal) {
  const XEngineShape shape{5, 3, 2};
  const Voltages v = random_voltages(shape, SampleType::cf32, 300, 1);
  for (const XEngineMethod& method : xengine_methods()) {
    if (method.backend != Backend::cpu) continue;
    const XEngineOptions options{.samples = SampleType::cf32,
                                 .order = VisibilityOrder::full,
                                 .backend = Backend::cpu,
                                 .method = method.name};
    if (!method.refuses({shape, options, {}, 0}).empty()) continue;
    const auto sums = correlate(XEngine(shape, options), v).as<double>();
    const int n = shape.inputs();
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j) {
        const auto ij = static_cast<std::size_t>(2 * (i * n + j)),
                   ji = static_cast<std::size_t>(2 * (j * n + i));
        EXPECT_EQ(sums[ij], sums[ji]) << method.name;
        EXPECT_EQ(sums[ij + 1], -sums[ji + 1]) << method.name;
      }
  }
}

// A masked sample does not count, whatever its value.
TEST(XEngine, WhatIsNotValidMayBeNan) {
  const XEngineShape shape{3, 2, 1};
  Voltages v = random_voltages(shape, SampleType::cf32, 10, 2), zero = v;
  v.valid_samples = 10;
  v.valid = {1, 0, 1, 1, 1, 1};
  const float nan = std::nanf("");
  for (std::size_t k = 80; k < 160; k += 4) {
    std::memcpy(&v.bytes[k], &nan, 4);
    std::fill_n(zero.bytes.begin() + static_cast<std::ptrdiff_t>(k), 4, 0);
  }
  for (const char* method : {"reference", "fma"}) {
    const XEngine plan(shape,
                       {.samples = SampleType::cf32, .backend = Backend::cpu, .method = method});
    EXPECT_EQ(correlate(plan, v).as<double>(), correlate(plan, zero).as<double>()) << method;
  }
}

// However many: they are not summed.
TEST(XEngine, MissingSamplesOnlyCount) {
  const XEngineShape shape{2, 1, 1};
  const XEngine plan(shape, {.backend = Backend::cpu});
  Stream stream(kHost);
  const auto dump = [&](XEngineState& state, std::vector<long long>& sums) {
    sums.assign(static_cast<std::size_t>(plan.output().bytes() / 8), -1);
    return plan.dump(state, {sums.data(), kHost}, stream);
  };
  const std::vector<signed char> data(40, 3);
  const std::vector<unsigned char> none(2, 0);
  VoltageBlock block{data.data(), 10, voltage_layout("tci", shape, SampleType::ci8, 10)};
  XEngineState state = plan.start();
  std::vector<long long> sums, wanted;
  plan.add(state, block, stream);
  EXPECT_TRUE(dump(state, wanted).valid.empty());
  plan.add_missing(state, 0);
  plan.add(state, block, stream);
  plan.add_missing(state, 1LL << 50);
  block.valid = none;
  block.valid_samples = 10;
  plan.add(state, block, stream);
  const XEngineDump made = dump(state, sums);
  EXPECT_EQ(made.samples, (1LL << 50) + 20);
  EXPECT_EQ(made.valid, (std::vector<long long>{10, 10, 10}));
  EXPECT_EQ(sums, wanted);
  plan.add_missing(state, 7);
  EXPECT_EQ(dump(state, sums).valid, (std::vector<long long>{0, 0, 0}));
  EXPECT_EQ(sums, std::vector<long long>(wanted.size(), 0));
  EXPECT_THROW(plan.add_missing(state, -1), Error);
  EXPECT_THROW(plan.add_missing(state, 1LL << 60), Error);
}

TEST(XEngine, DumpBeginsAnew) {
  const XEngineShape shape{2, 2, 3};
  Voltages v = random_voltages(shape, SampleType::ci8, 40, 3);
  testing::add_random_mask(v, 40, 4);
  const XEngine plan(shape, {.backend = Backend::cpu});
  Stream stream;
  const testing::LaidOut laid = testing::lay_out(v, "tci", 0, 40);
  XEngineState state = plan.start();
  const auto dump = [&] {
    std::vector<std::int64_t> sums(static_cast<std::size_t>(plan.output().bytes() / 8), -1);
    const XEngineDump made = plan.dump(state, {sums.data()}, stream);
    return std::tuple{sums, made.samples, made.valid};
  };
  plan.add(state, laid.block, stream);
  EXPECT_EQ(state.samples(), 40);
  const auto first = dump();
  EXPECT_EQ(state.samples(), 0);
  const std::vector<std::int64_t> zeros(std::get<0>(first).size());
  EXPECT_EQ(dump(), (std::tuple{zeros, 0LL, std::vector<long long>{}}));
  plan.add(state, laid.block, stream);
  plan.clear(state, stream);
  plan.add(state, VoltageBlock{}, stream);
  EXPECT_EQ(state.samples(), 0);
  plan.add(state, laid.block, stream);
  EXPECT_EQ(dump(), first);
}

}  // namespace
}  // namespace tessera
