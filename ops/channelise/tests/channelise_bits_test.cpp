// SPDX-License-Identifier: Apache-2.0
// The bits of a spectrum do not depend on blocks, threads, layouts or on what lies around it.
#include <gtest/gtest.h>

#include "core/machine.hpp"
#include "tests/support/spectra_bounds.hpp"

namespace tessera {
namespace {

using testing::channelise_all;
using testing::Channelised;
using testing::ChanneliseWay;
using testing::Recording;

constexpr XEngineShape kBitsShape{2, 2, 2};

struct BitsCase {
  ChanneliseOptions options;
  ChanneliseTables tables;
};

std::vector<BitsCase> bits_cases(Backend backend) {
  std::vector<BitsCase> cases;
  for (const int channels : {12, 32, 48})
    for (const bool real : {false, true})
      for (const char* oversample : {"1", "4/3"})
        for (const SampleType output : {SampleType::cf32, SampleType::ci8}) {
          ChanneliseOptions options{.channels = channels,
                                    .taps = 3,
                                    .oversample = oversample,
                                    .samples = SampleType::ci8,
                                    .real = real,
                                    .output_type = output,
                                    .backend = backend};
          for (const std::string& method : testing::methods_for(kBitsShape, options, backend)) {
            if (std::string(oversample) != "1" && channels * (real ? 2 : 1) % 4 != 0) continue;
            options.method = method;
            std::vector<float> gains;
            if (output == SampleType::ci8)
              for (int k = 0; k < kBitsShape.channels * channels * kBitsShape.inputs(); ++k)
                gains.push_back(1.0F + 0.37F * static_cast<float>(k % 11));
            cases.push_back({options, {.coefficients = {}, .gains = gains}});
          }
        }
  return cases;
}

void expect_bits(const Channelised& a, const Channelised& b) {
  ASSERT_EQ(a.values.size(), b.values.size());
  EXPECT_EQ(std::memcmp(a.values.data(), b.values.data(), a.values.size() * sizeof(a.values[0])),
            0);
  EXPECT_EQ(a.valid, b.valid);
  EXPECT_EQ(a.counts, b.counts);
}

void check_bits(Backend backend) {
  for (const BitsCase& c : bits_cases(backend)) {
    const Channelise plan(kBitsShape, c.options, c.tables);
    SCOPED_TRACE(plan.describe());
    Recording r = testing::random_recording(kBitsShape, SampleType::ci8, c.options.real,
                                            plan.length() + 77 * plan.hop(), 11);
    r.valid.assign(static_cast<std::size_t>(r.samples * kBitsShape.inputs()), 1);
    r.valid[static_cast<std::size_t>(r.samples / 2 * kBitsShape.inputs() + 2)] = 0;
    const Channelised whole = channelise_all(plan, r);
    ASSERT_EQ(whole.spectra, 78);
    for (const long long block : {1, 3, 16, 50})
      for (const int threads : {1, 3}) {
        if (block == 1 && threads == 3) continue;
        Stream stream(plan.device(), threads);
        const char* const layout = block == 3 ? "tci" : block == 16 ? "odd" : "act";
        expect_bits(channelise_all(plan, r, stream, {layout, block == 16 ? "cti" : "tci", block}),
                    whole);
      }
  }
}

TEST(ChanneliseBits, DoNotDependOnBlocksThreadsAndLayouts) { check_bits(Backend::cpu); }

TEST(ChanneliseBits, DoNotDependOnBlocksAndLayoutsOnADevice) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  check_bits(Backend::cuda);
}

void check_not_a_number(Backend backend) {
  for (const bool real : {false, true})
    for (const char* oversample : {"1", "4/3"})
      for (const std::string& method : testing::methods_for(
               {1, 2, 1}, {.channels = 32, .samples = SampleType::cf32, .real = real}, backend)) {
        const Channelise plan({1, 2, 1}, {.channels = 32,
                                          .taps = 4,
                                          .oversample = oversample,
                                          .samples = SampleType::cf32,
                                          .real = real,
                                          .backend = backend,
                                          .method = method});
        SCOPED_TRACE(plan.describe());
        Recording r = testing::random_recording({1, 2, 1}, SampleType::cf32, real,
                                                plan.length() + 40 * plan.hop(), 3);
        const Channelised clean = channelise_all(plan, r, {"tci", "cit", 1000});
        const long long bad = plan.length() + 9 * plan.hop() + 5;
        const float nan = std::nanf(""), inf = HUGE_VALF;
        const auto one = static_cast<std::size_t>(r.bytes_a_sample());
        // Input 1, in samples next to each other.
        const std::size_t at =
            (static_cast<std::size_t>(r.samples) + static_cast<std::size_t>(bad)) * one;
        std::memcpy(&r.bytes[at], &nan, 4);
        std::memcpy(&r.bytes[at + one], &inf, 4);
        const Channelised y = channelise_all(plan, r, {"tci", "cit", 1000});
        for (long long line = 0; line < y.lines; ++line)
          for (long long m = 0; m < y.spectra; ++m) {
            const long long first = m * plan.hop(), end = first + plan.length();
            if (line % 2 == 1 && bad >= first && bad < end) {
              EXPECT_FALSE(std::isfinite(y.at(line, m).real() + y.at(line, m).imag()))
                  << line << " " << m;
            } else if (line % 2 == 0 || bad + 1 < first || bad + 1 >= end) {
              EXPECT_EQ(y.at(line, m), clean.at(line, m)) << line << " " << m;
            }
          }
      }
}

TEST(ChanneliseBits, WhatIsNotANumberStaysInItsSpectraAndInput) {
  check_not_a_number(Backend::cpu);
}

TEST(ChanneliseBits, WhatIsNotANumberStaysInItsSpectraOnADevice) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  check_not_a_number(Backend::cuda);
}

TEST(ChanneliseBits, MissingSamplesMayHoldAnything) {
  for (const char* method : {"fft", "direct", "reference"}) {
    const Channelise plan({1, 1, 1}, {.channels = 16,
                                      .taps = 2,
                                      .samples = SampleType::cf32,
                                      .output_type = SampleType::ci8,
                                      .backend = Backend::cpu,
                                      .method = method});
    Recording r = testing::random_recording({1, 1, 1}, SampleType::cf32, false, 16 * 20, 3);
    r.valid.assign(static_cast<std::size_t>(r.samples), 1);
    const float nan = std::nanf("");
    for (std::size_t t = 100; t < 140; ++t) {
      r.valid[t] = 0;
      std::memcpy(&r.bytes[8 * t], &nan, 4);
    }
    const Channelised y = channelise_all(plan, r);
    EXPECT_EQ(y.counts, ChanneliseCounts{});
    for (long long m = 0; m < y.spectra; ++m) {
      const bool missing = 16 * m + 32 > 100 && 16 * m < 140;
      EXPECT_EQ(y.valid[static_cast<std::size_t>(m)], missing ? 0 : 1) << m;
      for (long long c = 0; missing && c < 16; ++c) EXPECT_EQ(y.at(c, m), 0.0F);
    }
  }
}

}  // namespace
}  // namespace tessera
