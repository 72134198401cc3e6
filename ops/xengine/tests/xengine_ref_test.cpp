// SPDX-License-Identifier: Apache-2.0
// The reference against arithmetic by hand.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tessera/xengine.hpp"

namespace tessera {
namespace {

using Bytes = std::vector<std::int8_t>;
using Sums = std::vector<std::int64_t>;

XEngineOptions reference(XEngineOptions options = {}) {
  options.backend = Backend::cpu;
  options.method = "reference";
  return options;
}

/// Sums of one block of ci8 in layout tci.
Sums correlate(const XEngineShape& shape, const Bytes& samples, XEngineOptions options = {}) {
  const XEngine plan(shape, reference(options));
  XEngineState state = plan.start();
  VoltageBlock block{samples.data(), std::ssize(samples) / (bytes_of(options.samples) *
                                                            shape.inputs() * shape.channels)};
  block.layout = voltage_layout("tci", shape, options.samples, block.samples);
  plan.add(state, block, thread_stream());
  Sums sums(static_cast<std::size_t>(plan.output().bytes() / 8));
  plan.dump(state, {sums.data()}, thread_stream());
  return sums;
}

TEST(XEngineReference, OneAntennaIsItsPower) {
  // |3 + 4i|^2 + |-5 + 12i|^2 = 25 + 169
  EXPECT_EQ(correlate({1, 1, 1}, {3, 4, -5, 12}), (Sums{194, 0}));
}

TEST(XEngineReference, TwoAntennas) {
  // A_0 = 1 + 2i, A_1 = 3 + 5i: V_10 = (3 + 5i)(1 - 2i) = 13 - i
  EXPECT_EQ(correlate({2, 1, 1}, {1, 2, 3, 5}), (Sums{5, 0, 13, -1, 34, 0}));
}

TEST(XEngineReference, TheSecondInputIsConjugate) {
  // V_10 = A_1 conj(A_0): an antenna that is ahead by a quarter turn, i, has +i.
  EXPECT_EQ(correlate({2, 1, 1}, {1, 0, 0, 1}), (Sums{1, 0, 0, 1, 1, 0}));
  // Over a turn backwards, A_1(t) = i A_0(t) stays i.
  EXPECT_EQ(correlate({2, 1, 1}, {1, 0, 0, 1, 0, -1, 1, 0, -1, 0, 0, -1}),
            (Sums{3, 0, 0, 3, 3, 0}));
}

TEST(XEngineReference, ADelayTurnsThePhaseFromChannelToChannel) {
  // Two channels of a delayed antenna: 0 and a quarter of a turn late.
  EXPECT_EQ(correlate({2, 1, 2}, {2, 0, 2, 0, 2, 0, 0, -2}),
            (Sums{4, 0, 4, 0, 4, 0, 4, 0, 0, -4, 4, 0}));
}

TEST(XEngineReference, PolarisationsOfAnAntennaAreAllThere) {
  // X = 1 + 2i, Y = 3 - i: XY* = (1 + 2i)(3 + i) = 1 + 7i, YX* = 1 - 7i
  EXPECT_EQ(correlate({1, 2, 1}, {1, 2, 3, -1}), (Sums{5, 0, 1, 7, 1, -7, 10, 0}));
}

TEST(XEngineReference, LowestIntegersAreSamplesAsAnyOther) {
  // (-128 - 128i) conj(127 - 128i) = -16256 + 16384 + (-16384 - 16256)i
  EXPECT_EQ(correlate({2, 1, 1}, {127, -128, -128, -128}), (Sums{32513, 0, 128, -32640, 32768, 0}));
}

TEST(XEngineReference, OffsetBinaryCountsFromTheLowest) {
  // 0 is -128, 128 is 0, 129 is 1, 255 is 127.
  EXPECT_EQ(correlate({2, 1, 1}, {-127, -128, 0, -1}, {.offset_binary = true}),
            (Sums{1, 0, -128, 127, 16384 + 16129, 0}));
}

TEST(XEngineReference, HalvesOfBytes) {
  // 0x7c is 7 - 4i, or -4 + 7i; 0x81 is -8 + i, or 1 - 8i.
  const Bytes bytes{0x7c, static_cast<std::int8_t>(0x81)};
  EXPECT_EQ(correlate({2, 1, 1}, bytes, {.samples = SampleType::ci4}),
            (Sums{65, 0, -60, -25, 65, 0}));
  EXPECT_EQ(correlate({2, 1, 1}, bytes, {.samples = SampleType::ci4, .real_low = true}),
            (Sums{65, 0, -60, 25, 65, 0}));
  // Offset: 0xf4 is 7 - 4i, 0x09 is -8 + i.
  EXPECT_EQ(correlate({2, 1, 1}, {static_cast<std::int8_t>(0xf4), 0x09},
                      {.samples = SampleType::ci4, .offset_binary = true}),
            (Sums{65, 0, -60, -25, 65, 0}));
}

TEST(XEngineReference, HalvesAndFloats) {
  const XEngineShape shape{1, 2, 1};
  const auto run = [&](SampleType type, const void* data) {
    const XEngine plan(shape, reference({.samples = type}));
    XEngineState state = plan.start();
    plan.add(state, {data, 1, voltage_layout("cti", shape, type, 1)}, thread_stream());
    std::vector<double> sums(8);
    plan.dump(state, {sums.data()}, thread_stream());
    return sums;
  };
  // X = 0.5 - i, Y = 2^-24 - 2i, with the smallest half: XY* = 2 + 2^-25 + (1 - 2^-24)i
  const std::vector<double> expected{1.25,        0,           2 + 0x1p-25, 1 - 0x1p-24,
                                     2 + 0x1p-25, 0x1p-24 - 1, 4 + 0x1p-48, 0};
  const std::vector<std::uint16_t> halves{0x3800, 0xbc00, 0x0001, 0xc000};
  const std::vector<float> floats{0.5f, -1, 0x1p-24f, -2};
  EXPECT_EQ(run(SampleType::cf16, halves.data()), expected);
  EXPECT_EQ(run(SampleType::cf32, floats.data()), expected);
  // The largest half, the smallest normal one and the one before it, negative.
  const std::vector<std::uint16_t> large{0x7bff, 0, 0x0400, 0x83ff};
  const std::vector<double> sums = run(SampleType::cf16, large.data());
  EXPECT_EQ(sums[0], 65504.0 * 65504.0);
  EXPECT_EQ(sums[2], 65504.0 * 0x1p-14);
  EXPECT_EQ(sums[3], 65504.0 * (0x1p-14 - 0x1p-24));
}

}  // namespace
}  // namespace tessera
