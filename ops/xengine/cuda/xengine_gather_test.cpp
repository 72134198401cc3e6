// SPDX-License-Identifier: Apache-2.0
// Pieces of host blocks, copied together: every sample where the copy's layout says.
#include "ops/xengine/cuda/xengine_gather.hpp"

#include <gtest/gtest.h>

#include "tests/support/voltages.hpp"

namespace tessera {
namespace {

using testing::LaidOut;
using testing::random_voltages;
using testing::Voltages;

void expect_same(const Voltages& v, const VoltageBlock& block, long long most, int threads) {
  const int parts = v.type == SampleType::ci4 ? 1 : 2, one = bytes_of(v.type) / parts;
  for (long long first = 0, count; first < block.samples; first += count) {
    count = piece_samples(block.layout, block.samples, first, most);
    ASSERT_GE(count, 1);
    ASSERT_LE(count, std::max<long long>(most, block.layout.group));
    ASSERT_LE(first + count, block.samples);
    const XEngineGather gather(v.shape, v.type, block, first, count);
    ASSERT_EQ(gather.bytes(),
              static_cast<std::size_t>(parts * one * v.shape.inputs() * v.shape.channels * count));
    std::vector<unsigned char> copy(gather.bytes() + 1, 0x77);
    gather.copy(copy.data(), threads);
    ASSERT_EQ(copy.back(), 0x77);
    if (const void* there = gather.in_place()) {
      ASSERT_EQ(std::memcmp(there, copy.data(), gather.bytes()), 0);
    }
    const VoltageBlock piece{copy.data(), count, gather.layout()};
    for (int c = 0; c < v.shape.channels; ++c)
      for (int i = 0; i < v.shape.inputs(); ++i)
        for (long long t = 0; t < count; ++t)
          for (int part = 0; part < parts; ++part) {
            const int a = i / v.shape.polarisations, p = i % v.shape.polarisations;
            const unsigned char* from =
                sample_address(block, c, a, p, first + t) + part * block.layout.imaginary;
            const unsigned char* to =
                sample_address(piece, c, a, p, t) + part * gather.layout().imaginary;
            ASSERT_EQ(std::memcmp(from, to, static_cast<std::size_t>(one)), 0)
                << c << " " << i << " " << first + t << " " << part;
          }
  }
}

TEST(XEngineGather, TakesEveryLayoutApartAndTogether) {
  const SampleType types[] = {SampleType::ci8, SampleType::ci4, SampleType::ci16, SampleType::cf32};
  for (const SampleType type : types)
    for (const XEngineShape& shape : {XEngineShape{5, 2, 3}, {1, 1, 1}, {3, 3, 2}, {8, 1, 1}})
      for (const char* layout : {"tci", "cti", "cit", "act", "odd", "tcc", "dp4a"}) {
        if (layout == std::string("dp4a") && type != SampleType::ci8) continue;
        if (layout == std::string("tcc") && type == SampleType::cf32) continue;
        const Voltages v = random_voltages(shape, type, 64, 3);
        const LaidOut laid = testing::lay_out(v, layout, 0, v.samples);
        SCOPED_TRACE(layout);
        for (const long long most : {1LL, 3LL, 16LL, 48LL, 50LL, 64LL, 1000LL})
          expect_same(v, laid.block, most, 2);
      }
}

TEST(XEngineGather, PackedPiecesNeedNoCopy) {
  const auto in_place = [](const char* layout, long long first, long long count) {
    const Voltages v = random_voltages({5, 2, 3}, SampleType::ci8, 64, 3);
    const LaidOut laid = testing::lay_out(v, layout, 0, v.samples);
    return XEngineGather(v.shape, v.type, laid.block, first, count).in_place() != nullptr;
  };
  EXPECT_TRUE(in_place("tci", 0, 64));
  EXPECT_TRUE(in_place("tci", 16, 16));
  EXPECT_TRUE(in_place("cit", 0, 64));
  EXPECT_FALSE(in_place("cit", 0, 32));
  EXPECT_FALSE(in_place("odd", 0, 64));
}

TEST(XEngineGather, GroupsNeedNotBeWholeAtTheEnd) {
  const XEngineShape shape{2, 2, 2};
  const Voltages v = random_voltages(shape, SampleType::ci8, 64, 3);
  LaidOut laid = testing::lay_out(v, "tcc", 0, v.samples);
  laid.block.samples = 39;  // two groups and a part
  for (const long long most : {1LL, 7LL, 16LL, 33LL, 39LL, 100LL})
    expect_same(v, laid.block, most, 1);
}

/// Runs longer than what a thread takes at a time, and the same bytes for any threads.
TEST(XEngineGather, LongRunsAreDivided) {
  const XEngineShape shape{64, 2, 16};
  const Voltages v = random_voltages(shape, SampleType::ci8, 640, 3);
  for (const char* layout : {"tci", "cit"}) {
    const LaidOut laid = testing::lay_out(v, layout, 0, v.samples);
    const XEngineGather gather(shape, v.type, laid.block, 0, v.samples);
    std::vector<unsigned char> one(gather.bytes()), more(gather.bytes());
    gather.copy(one.data(), 1);
    EXPECT_EQ(std::memcmp(one.data(), laid.block.data, one.size()), 0);
    for (const int threads : {2, 3, 7}) {
      std::fill(more.begin(), more.end(), 0);
      gather.copy(more.data(), threads);
      EXPECT_EQ(one, more) << threads;
    }
  }
}

}  // namespace
}  // namespace tessera
