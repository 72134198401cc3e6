// SPDX-License-Identifier: Apache-2.0
#include "jobs/xengine/voltage_copy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace tessera {
namespace {

const unsigned char* address(const VoltageBlock& b, int c, int a, int p, long long t) {
  const VoltageLayout& l = b.layout;
  return static_cast<const unsigned char*>(b.data) + c * l.channel + a * l.antenna +
         p * l.polarisation + t / l.group * l.group_step + t % l.group * l.time;
}

void expect_same(const VoltageBlock& a, const VoltageBlock& b, const XEngineShape& s,
                 SampleType type) {
  const auto part = static_cast<std::size_t>(type == SampleType::ci4 ? 1 : bytes_of(type) / 2);
  ASSERT_EQ(a.samples, b.samples);
  for (int c = 0; c < s.channels; ++c)
    for (int n = 0; n < s.antennas; ++n)
      for (int p = 0; p < s.polarisations; ++p)
        for (long long t = 0; t < a.samples; ++t) {
          const auto *x = address(a, c, n, p, t), *y = address(b, c, n, p, t);
          ASSERT_EQ(std::memcmp(x, y, part), 0) << c << " " << n << " " << p << " " << t;
          if (type == SampleType::ci4) continue;
          ASSERT_EQ(std::memcmp(x + a.layout.imaginary, y + b.layout.imaginary, part), 0);
        }
}

std::vector<unsigned char> noise(std::size_t bytes) {
  std::vector<unsigned char> values(bytes);
  unsigned state = 12345;
  for (unsigned char& value : values)
    value = static_cast<unsigned char>((state = state * 1664525 + 1013904223) >> 24);
  return values;
}

// Only the copy is used afterwards: the original is overwritten.
void check_copy(VoltageBlock block, const XEngineShape& shape, SampleType type,
                std::vector<unsigned char>& data, long long wanted_bytes) {
  const std::vector<unsigned char> before = data;
  const KeptVoltages kept = keep_voltages(block, shape, type);
  EXPECT_GE(static_cast<long long>(kept.memory.bytes()), wanted_bytes);
  std::ranges::fill(data, static_cast<unsigned char>(0x5a));
  const auto offset = static_cast<const unsigned char*>(block.data) - data.data();
  block.data = before.data() + offset;
  expect_same(block, kept.block, shape, type);
}

TEST(VoltageCopy, EveryLayoutAndType) {
  const XEngineShape shape{5, 2, 3};
  for (const SampleType type :
       {SampleType::ci8, SampleType::ci4, SampleType::ci16, SampleType::cf32})
    for (const char* name : {"tci", "cti", "cit", "act", "tcc", "dp4a"}) {
      if (std::string(name) == "dp4a" && type != SampleType::ci8) continue;
      if (std::string(name) == "tcc" && type == SampleType::cf32) continue;
      const long long samples = 64;
      const long long bytes = samples * shape.inputs() * shape.channels * bytes_of(type);
      std::vector<unsigned char> data = noise(static_cast<std::size_t>(bytes));
      check_copy({data.data(), samples, voltage_layout(name, shape, type, samples)}, shape, type,
                 data, bytes);
    }
}

TEST(VoltageCopy, SlicesOfLongerRecordingsAndGroupsThatEnd) {
  const XEngineShape shape{3, 2, 4};
  std::vector<unsigned char> data = noise(200 * 6 * 4 * 2);
  const VoltageLayout whole = voltage_layout("cit", shape, SampleType::ci8, 200);
  check_copy({data.data() + 2 * 37, 21, whole}, shape, SampleType::ci8, data, 21 * 48);
  VoltageLayout groups = voltage_layout("tcc", shape, SampleType::ci8, 192);
  check_copy({data.data(), 41, groups}, shape, SampleType::ci8, data, 41 * 48);
  check_copy({data.data(), 7, groups}, shape, SampleType::ci8, data, 7 * 48);
  VoltageLayout back = voltage_layout("tci", shape, SampleType::ci8, 200);  // descending channels
  back.channel = -back.channel;
  check_copy({data.data() + 3 * 12, 200, back}, shape, SampleType::ci8, data, 200 * 48);
}

TEST(VoltageCopy, GroupsLongerThanTheBlockTakeNoMemory) {
  const XEngineShape shape{3, 2, 4};
  std::vector<unsigned char> data = noise(100 * 48);
  VoltageLayout frames{.channel = 2,
                       .antenna = 1600,
                       .polarisation = 800,
                       .time = 8,
                       .group = 1 << 24,
                       .group_step = 4800LL << 24,
                       .imaginary = 1};
  const VoltageBlock block{data.data(), 7, frames};
  EXPECT_LT(keep_voltages(block, shape, SampleType::ci8).memory.bytes(), 1U << 16);
  check_copy(block, shape, SampleType::ci8, data, 7 * 48);
}

TEST(VoltageCopy, MasksAreKept) {
  const XEngineShape shape{2, 1, 1};
  std::vector<unsigned char> data = noise(32), valid{1, 0, 0, 1};
  KeptVoltages kept = keep_voltages(
      {data.data(), 8, voltage_layout("tci", shape, SampleType::ci8, 8), kHost, valid, 4}, shape,
      SampleType::ci8);
  std::ranges::fill(valid, static_cast<unsigned char>(9));
  const KeptVoltages moved = std::move(kept);
  EXPECT_EQ(std::vector<unsigned char>(moved.block.valid.begin(), moved.block.valid.end()),
            (std::vector<unsigned char>{1, 0, 0, 1}));
  EXPECT_EQ(moved.block.valid_samples, 4);
}

}  // namespace
}  // namespace tessera
