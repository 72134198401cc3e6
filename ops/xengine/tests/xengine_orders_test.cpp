// SPDX-License-Identifier: Apache-2.0
// Orders, averages, types and counts of visibilities, and layouts of samples, by their definitions.
#include <gtest/gtest.h>

#include <limits>

#include "tests/support/voltages.hpp"

namespace tessera {
namespace {

using testing::correlate;
using testing::random_voltages;
using testing::Voltages;
using Sums = std::vector<std::int64_t>;

XEngineOptions with(VisibilityOrder order, int average = 1) {
  return {.average = average, .order = order, .backend = Backend::cpu};
}

/// Re and Im of V_ij in channel c, from the samples.
std::array<std::int64_t, 2> visibility(const Voltages& v, int c, int i, int j) {
  const auto part = [&](int input, long long t, int which) {
    const long long at = ((1LL * c * v.shape.inputs() + input) * v.samples + t) * 2 + which;
    return static_cast<std::int64_t>(
        static_cast<std::int8_t>(v.bytes[static_cast<std::size_t>(at)]));
  };
  std::array<std::int64_t, 2> sum{};
  for (long long t = 0; t < v.samples; ++t) {
    const std::int64_t ar = part(i, t, 0), ai = part(i, t, 1), br = part(j, t, 0),
                       bi = part(j, t, 1);
    sum[0] += ar * br + ai * bi;
    sum[1] += ai * br - ar * bi;
  }
  return sum;
}

constexpr XEngineShape kOrdersShape{6, 2, 3};

TEST(XEngineOrders, Triangular) {
  const Voltages v = random_voltages(kOrdersShape, SampleType::ci8, 9, 1);
  const Sums sums =
      correlate(XEngine(kOrdersShape, with(VisibilityOrder::triangular)), v).as<std::int64_t>();
  std::size_t at = 0;
  for (int c = 0; c < 3; ++c)
    for (int a = 0; a < 6; ++a)
      for (int b = 0; b <= a; ++b)
        for (int p = 0; p < 2; ++p)
          for (int q = 0; q < 2; ++q)
            for (const std::int64_t part : visibility(v, c, 2 * a + p, 2 * b + q))
              ASSERT_EQ(sums.at(at++), part) << c << ": " << a << "." << p << " " << b << "." << q;
  EXPECT_EQ(at, sums.size());
}

TEST(XEngineOrders, Full) {
  const Voltages v = random_voltages(kOrdersShape, SampleType::ci8, 9, 2);
  const Sums sums =
      correlate(XEngine(kOrdersShape, with(VisibilityOrder::full)), v).as<std::int64_t>();
  std::size_t at = 0;
  for (int c = 0; c < 3; ++c)
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j)
        for (const std::int64_t part : visibility(v, c, i, j))
          ASSERT_EQ(sums.at(at++), part) << c << ": " << i << " " << j;
  EXPECT_EQ(at, sums.size());
}

// As xGPU's xgpuReorderMatrix reads it, for 8 antennas, where its N / 4 is exact.
TEST(XEngineOrders, RegisterTile) {
  const XEngineShape shape{8, 2, 3};
  const Voltages v = random_voltages(shape, SampleType::ci8, 9, 3);
  const Sums sums =
      correlate(XEngine(shape, with(VisibilityOrder::register_tile)), v).as<std::int64_t>();
  const int n = shape.antennas, tiles = (n / 2 + 1) * (n / 4), plane = 3 * 4 * tiles * 4;
  ASSERT_EQ(std::ssize(sums), 2 * plane);
  for (int c = 0; c < 3; ++c)
    for (int i = 0; i < n / 2; ++i)
      for (int rx = 0; rx < 2; ++rx)
        for (int j = 0; j <= i; ++j)
          for (int ry = 0; ry < 2; ++ry)
            for (int p = 0; p < 2; ++p)
              for (int q = 0; q < 2; ++q) {
                const int l = c * 4 * tiles + (2 * ry + rx) * tiles + i * (i + 1) / 2 + j;
                const auto at = static_cast<std::size_t>((l * 2 + p) * 2 + q);
                const auto expected = visibility(v, c, 2 * (2 * i + rx) + p, 2 * (2 * j + ry) + q);
                ASSERT_EQ(sums[at], expected[0]);
                ASSERT_EQ(sums[at + static_cast<std::size_t>(plane)], expected[1]);
              }
}

TEST(XEngineOrders, RegisterTilesOfSixAntennasAreAllThere) {
  const Voltages v = random_voltages(kOrdersShape, SampleType::ci8, 9, 3);
  const XEngine plan(kOrdersShape, with(VisibilityOrder::register_tile));
  EXPECT_EQ(plan.output().values, 6 * 4 * 4);
  const Sums sums = correlate(plan, v).as<std::int64_t>();
  // The last value of the first channel is both second antennas of the last tile, YY.
  EXPECT_EQ(sums[95], visibility(v, 0, 11, 11)[0]);
}

TEST(XEngineOrders, AveragesAreSumsOfNeighbours) {
  const XEngineShape shape{2, 2, 6};
  const Voltages v = random_voltages(shape, SampleType::ci8, 9, 4);
  for (const auto& [name, order] : Names<VisibilityOrder>::list) {
    const Sums all = correlate(XEngine(shape, with(order)), v).as<std::int64_t>();
    const XEngine plan(shape, with(order, 3));
    ASSERT_EQ(plan.output().channels, 2);
    const Sums averaged = correlate(plan, v).as<std::int64_t>();
    const bool planes = order == VisibilityOrder::register_tile;
    const auto values = static_cast<std::size_t>(plan.output().values) * (planes ? 1 : 2);
    for (std::size_t k = 0; k < averaged.size(); ++k) {
      const std::size_t from = k / values * 3 * values + k % values;
      ASSERT_EQ(averaged[k], all[from] + all[from + values] + all[from + 2 * values]) << name;
    }
  }
}

TEST(XEngineOrders, TypesAndSaturation) {
  const XEngineShape shape{2, 1, 1};
  // 0.75 of 2^31 each: one sample is held by i32, two are not. V_10 of A_1 = -A_0 is negative.
  const auto voltages = [&](long long samples) {
    const auto count = static_cast<std::size_t>(2 * samples);
    std::vector<short> parts(2 * count, 28377);
    std::fill(parts.begin() + 2 * samples, parts.end(), short{-28377});
    Voltages v{shape, SampleType::ci16, samples, std::vector<unsigned char>(4 * count)};
    std::memcpy(v.bytes.data(), parts.data(), v.bytes.size());
    return v;
  };
  const std::int64_t one = 2LL * 28377 * 28377;
  const auto run = [&](VisibilityType type, long long samples) {
    return correlate(
        XEngine(shape, {.samples = SampleType::ci16, .output_type = type, .backend = Backend::cpu}),
        voltages(samples));
  };
  const auto small = run(VisibilityType::i32, 1), large = run(VisibilityType::i32, 2);
  const auto whole = static_cast<std::int32_t>(one);
  EXPECT_EQ(small.as<std::int32_t>(), (std::vector<std::int32_t>{whole, 0, -whole, 0, whole, 0}));
  EXPECT_EQ(small.dump.saturated, 0);
  using Limits = std::numeric_limits<std::int32_t>;
  EXPECT_EQ(large.as<std::int32_t>(),
            (std::vector<std::int32_t>{Limits::max(), 0, Limits::min(), 0, Limits::max(), 0}));
  EXPECT_EQ(large.dump.saturated, 3);
  const auto sum = static_cast<double>(2 * one);
  EXPECT_EQ(run(VisibilityType::f64, 2).as<double>(),
            (std::vector<double>{sum, 0, -sum, 0, sum, 0}));
  const auto rounded = static_cast<float>(2 * one);
  EXPECT_EQ(run(VisibilityType::f32, 2).as<float>(),
            (std::vector<float>{rounded, 0, -rounded, 0, rounded, 0}));
  EXPECT_EQ(run(VisibilityType::f32, 2).dump.saturated, 0);
}

TEST(XEngineOrders, CountsOfValidPairs) {
  const XEngineShape shape{4, 2, 4};
  Voltages v = random_voltages(shape, SampleType::ci8, 500, 5);
  testing::add_random_mask(v, 3, 6);  // 166 stretches of 3, one of 2
  const auto valid = [&](int input, long long t) {
    return v.valid[static_cast<std::size_t>(t / 3 * 8 + input)] != 0;
  };
  const auto common = [&](int i, int j) {
    long long count = 0;
    for (long long t = 0; t < v.samples; ++t) count += valid(i, t) && valid(j, t) ? 1 : 0;
    return count;
  };
  const auto full = correlate(XEngine(shape, with(VisibilityOrder::full, 2)), v).dump.valid;
  ASSERT_EQ(full.size(), 64u);
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      EXPECT_EQ(full[static_cast<std::size_t>(8 * i + j)], 2 * common(i, j)) << i << " " << j;
  const auto triangular =
      correlate(XEngine(shape, with(VisibilityOrder::triangular)), v).dump.valid;
  ASSERT_EQ(triangular.size(), 40u);
  EXPECT_EQ(triangular[4 * 7 + 1], common(2 * 3 + 0, 2 * 1 + 1));  // antennas 3 and 1, XY
  const auto tiles = correlate(XEngine(shape, with(VisibilityOrder::register_tile)), v).dump.valid;
  ASSERT_EQ(tiles.size(), 48u);
  EXPECT_EQ(tiles[4 * (3 * 1 + 1) + 2], common(2 * 3 + 1, 2 * 0 + 0));  // rx 1, ry 0: antennas 3, 0
}

TEST(XEngineOrders, CountsAddUpOverBlocksWithAndWithoutMasks) {
  const XEngineShape shape{1, 2, 1};
  const std::vector<unsigned char> bytes(400), none{1, 1, 1, 1}, some{1, 1, 0, 1};
  const XEngine plan(shape, {.backend = Backend::cpu});
  XEngineState state = plan.start();
  Stream stream;
  Sums sums(8);
  VoltageBlock block{bytes.data(), 10, voltage_layout("tci", shape, SampleType::ci8, 10)};
  plan.add(state, block, stream);
  block.valid_samples = 6;
  block.valid = none;
  plan.add(state, block, stream);
  EXPECT_TRUE(plan.dump(state, {sums.data()}, stream).valid.empty());
  block.valid = some;  // X misses the last 4 of 10
  plan.add(state, block, stream);
  block.valid = {};
  plan.add(state, block, stream);
  EXPECT_EQ(plan.dump(state, {sums.data()}, stream).valid,
            (std::vector<long long>{16, 16, 16, 20}));
}

TEST(XEngineLayouts, SayWhereSamplesLie) {
  const XEngineShape s{3, 2, 5};
  const auto offset = [&](const char* name, SampleType type, long long samples) {
    const std::vector<unsigned char> all(
        static_cast<std::size_t>(samples * s.inputs() * s.channels * bytes_of(type)));
    const VoltageBlock block{all.data(), samples, voltage_layout(name, s, type, samples)};
    return sample_address(block, 2, 1, 1, 37) - all.data();
  };
  using enum SampleType;
  EXPECT_EQ(offset("tci", ci8, 64), (((37 * 5 + 2) * 3 + 1) * 2 + 1) * 2);
  EXPECT_EQ(offset("cti", ci8, 64), (((2 * 64 + 37) * 3 + 1) * 2 + 1) * 2);
  EXPECT_EQ(offset("cit", cf32, 64), (((2 * 3 + 1) * 2 + 1) * 64 + 37) * 8);
  EXPECT_EQ(offset("act", ci16, 64), (((1 * 5 + 2) * 64 + 37) * 2 + 1) * 4);
  EXPECT_EQ(offset("tcc", ci8, 64), ((((2 * 4 + 2) * 3 + 1) * 2 + 1) * 16 + 5) * 2);
  EXPECT_EQ(offset("tcc", ci4, 64), ((((2 * 2 + 1) * 3 + 1) * 2 + 1) * 32 + 5) * 1);
  EXPECT_EQ(offset("tcc", cf16, 64), ((((2 * 8 + 4) * 3 + 1) * 2 + 1) * 8 + 5) * 4);
  EXPECT_EQ(offset("dp4a", ci8, 64), (((9 * 5 + 2) * 3 + 1) * 2 + 1) * 8 + 1);
  EXPECT_EQ(voltage_layout("dp4a", s, ci8, 64).imaginary, 4);
  EXPECT_EQ(voltage_layout("tci", s, ci8, 64).imaginary, 1);
  EXPECT_EQ(voltage_layout("tci", s, ci4, 64).imaginary, 0);
  EXPECT_EQ(voltage_layout("tci", s, cf32, 64).imaginary, 4);
}

}  // namespace
}  // namespace tessera
