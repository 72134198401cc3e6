// SPDX-License-Identifier: Apache-2.0
// Percentiles that are guessed and proved, against those that are counted.
#include "ops/enhance/cpu/enhance_guess.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tessera/enhance.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/poison.hpp"

namespace tessera {
namespace {

using testing::bytes_of_view;
using testing::ForcedIsa;

/// Samples greater than each value.
std::array<std::uint64_t, kGuessedValues> compare(const std::vector<std::uint64_t>& counts,
                                                  const GuessedValues& values) {
  std::array<std::uint64_t, kGuessedValues> greater{};
  for (std::size_t k = 0; k < values.size(); ++k)
    for (std::size_t v = values[k] + 1U; v < counts.size(); ++v) greater[k] += counts[v];
  return greater;
}

/// Proved limits must stretch the image as counting all of it does.
void expect_same_curve(const EnhanceProblem& p, const SweepCounts& all, const SweepCounts& made) {
  std::vector<std::uint16_t> expected(all.values.size()), actual(all.values.size());
  int low = 0, high = 0, made_low = 0, made_high = 0;
  make_contrast_curve(p, all.values.data(), expected.data(), low, high);
  make_contrast_curve(p, made.values.data(), actual.data(), made_low, made_high);
  EXPECT_EQ(made_low, low);
  EXPECT_EQ(made_high, high);
  EXPECT_EQ(actual, expected);
}

TEST(EnhanceGuess, WhatIsProvedIsTrue) {
  std::mt19937 engine(1);
  int proved = 0, refused = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    EnhanceProblem p;
    p.image.type = Type::u8;
    p.low = static_cast<long long>(engine() % 100000000);
    p.high = 1000000000 - static_cast<long long>(engine() % 100000000);
    SweepCounts all{std::vector<std::uint64_t>(256)}, some = all, made;
    const unsigned levels = 1 + engine() % 256;
    for (unsigned k = 0; k < levels; ++k) {
      const unsigned v = engine() % 256;
      all.values[v] = engine() % 1000;
      some.values[v] = all.values[v] / 8 + engine() % (trial % 3 == 0 ? 100 : 2);
    }
    std::uint64_t total = 0;
    for (const std::uint64_t n : all.values) total += n;
    if (total == 0) continue;
    const GuessedValues values = guess_limits(p, some);
    const bool right = prove_limits(p, values, compare(all.values, values), total, made);
    (right ? proved : refused)++;
    if (!right) continue;
    expect_same_curve(p, all, made);
  }
  EXPECT_GT(proved, 500);
  EXPECT_GT(refused, 100);
}

TEST(EnhanceGuess, RangesThatAreProvedHoldThePercentiles) {
  std::mt19937 engine(2);
  int proved = 0, refused = 0;
  for (int trial = 0; trial < 400; ++trial) {
    EnhanceProblem p;
    p.image.type = Type::u16;
    p.low = trial % 7 == 0 ? 0 : static_cast<long long>(engine() % 100000000);
    p.high = 1000000000 - (trial % 5 == 0 ? 0 : static_cast<long long>(engine() % 100000000));
    SweepCounts all{std::vector<std::uint64_t>(65536)}, some = all;
    std::uint64_t total = 0;
    for (int k = 0; k < 20000; ++k) {
      const unsigned v = engine() % 65536;
      all.values[v] = engine() % 1000;
      some.values[v] = all.values[v] / 8 + (trial % 3 == 0 ? v / 600 : engine() % 2);
    }
    for (const std::uint64_t n : all.values) total += n;
    const auto ranges = guess_ranges(p, some);
    if (!ranges) continue;
    SweepCounts made = all;
    std::array<std::uint64_t, 2> below{};
    for (std::size_t k = 0; k < 2; ++k)
      for (std::size_t v = 0; v < ranges->first[k]; ++v) {
        below[k] += all.values[v];
        if (k == 0 || v > ranges->last[0]) made.values[v] = 12345;  // what means nothing
      }
    const bool right = prove_ranges(p, *ranges, below, total, made);
    (right ? proved : refused)++;
    if (!right) continue;
    expect_same_curve(p, all, made);
  }
  EXPECT_GT(proved, 100);
  EXPECT_GT(refused, 50);
}

/// Rows that mislead the guess are among them: then all is counted after all.
template <class T>
void compare_with_counting(const std::string& isa, bool misleading, int channels) {
  constexpr unsigned kUnit = sizeof(T) == 1 ? 1 : 257;
  Image in(ImageInfo{{701, 403, channels}, sizeof(T) == 1 ? Type::u8 : Type::u16});
  const auto view = in.as<T>();
  std::mt19937 engine(7);
  for (int y = 0; y < 403; ++y)
    for (int x = 0; x < 701; ++x)
      for (int c = 0; c < channels; ++c) {
        const auto noise = engine() % (64 * kUnit) + engine() % (64 * kUnit);
        view.at(x, y, c) = static_cast<T>(misleading && y % 32 == 16 ? noise : 60 * kUnit + noise);
      }
  for (const std::string steps : {"grey,contrast,smooth", "contrast"}) {
    EnhanceOptions options{.steps = steps, .backend = Backend::cpu, .method = "fused"};
    const Image guessed = enhance(in.view(), options);
    options.method = "steps";
    const Image counted = enhance(in.view(), options);
    EXPECT_EQ(bytes_of_view(guessed.view()), bytes_of_view(counted.view()))
        << isa << " " << steps << " " << channels << " " << misleading << " " << sizeof(T);
  }
}

TEST(EnhanceGuess, ImagesAreTheSameAsByCounting) {
  for (const std::string& isa : isa_names()) {
    const ForcedIsa forced(isa);
    for (const bool misleading : {false, true})
      for (const int channels : {1, 3}) {
        compare_with_counting<std::uint8_t>(isa, misleading, channels);
        compare_with_counting<std::uint16_t>(isa, misleading, channels);
      }
  }
}

}  // namespace
}  // namespace tessera
