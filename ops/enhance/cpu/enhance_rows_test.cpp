// SPDX-License-Identifier: Apache-2.0
// Row functions of every SIMD target against plain loops, and the numbers that stand for divisions
// against divisions.
#include "ops/enhance/cpu/enhance_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "ops/enhance/cpu/enhance_counters.hpp"
#include "tests/support/methods.hpp"

namespace tessera {
namespace {

using testing::ForcedIsa;

/// Around one and two vectors of every target.
const std::vector<int> kLengths{0, 1, 2, 7, 8, 15, 16, 17, 31, 33, 47, 63, 64, 65, 127, 130, 259};

template <class T>
std::vector<T> random_samples(std::size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::vector<T> samples(count);
  for (T& v : samples) v = static_cast<T>(engine());
  return samples;
}

template <class Work>
void for_targets(Work work) {
  for (const std::string& isa : isa_names()) {
    SCOPED_TRACE(isa);
    const ForcedIsa forced(isa);
    work();
  }
}

TEST(EnhanceDivide, SixteenBitsAreExactForEverySum) {
  int found = 0;
  for (int total = 1; total <= 256; ++total) {
    const ExactDivision d = division_of_16(total);
    if (d.way == ExactDivision::Way::none) continue;
    ++found;
    for (int sum = 0; sum <= 255 * total; ++sum)
      ASSERT_EQ(((sum + d.half) * static_cast<long long>(d.factor) >> 16) >> d.shift,
                (sum + total / 2) / total)
          << sum << " / " << total;
  }
  EXPECT_GT(found, 200);
  EXPECT_EQ(division_of_16(81).way, ExactDivision::Way::high16);   // triangle:5
  EXPECT_EQ(division_of_16(256).way, ExactDivision::Way::high16);  // binomial:5
  EXPECT_EQ(division_of_16(257).way, ExactDivision::Way::none);
}

TEST(EnhanceDivide, ContrastIsExactForEveryRange) {
  for (int range = 1; range <= 255; ++range) {
    const ContrastSteps c = contrast_steps(0, range);
    ASSERT_TRUE(c.exact) << range;
    for (unsigned x = 0; x <= static_cast<unsigned>(range); ++x) {
      const unsigned y = x << c.up;
      ASSERT_EQ((y + (y * c.factor >> 16) + c.bias) >> 8, (x * 255 + range / 2) / range);
    }
  }
}

/// Sums at and next to the places where the quotient changes.
TEST(EnhanceDivide, ThirtyTwoBitsAreExactAtEveryStep) {
  for_targets([] {
    const EnhanceRows<std::uint16_t> rows = enhance_rows<std::uint16_t>();
    const int one = 1;
    std::vector<int> totals{256, 1023, 4096, 16383, 32766};
    for (int total = 1; total < 130; ++total) totals.push_back(total);
    for (const int total : totals) {
      std::vector<std::uint32_t> sums;
      for (long long value = 0; value <= 65535; value += 1 + value % 7)
        for (long long sum = value * total - total / 2 - 1; sum <= value * total - total / 2 + 1;
             ++sum)
          if (sum >= 0 && sum <= 65535LL * total) sums.push_back(static_cast<std::uint32_t>(sum));
      std::vector<std::uint16_t> out(sums.size());
      const std::uint32_t* row = sums.data();
      const ExactDivision division = division_of_32(total, 65535);
      ASSERT_NE(division.way, ExactDivision::Way::none);
      rows.smooth32.down({&row, &one, 1, division}, static_cast<long long>(sums.size()),
                         out.data());
      for (std::size_t k = 0; k < sums.size(); ++k)
        ASSERT_EQ(out[k], (sums[k] + static_cast<std::uint32_t>(total) / 2) /
                              static_cast<std::uint32_t>(total))
            << sums[k] << " / " << total;
    }
  });
}

TEST(EnhanceDivide, CommonWeightsHaveAShortWay) {
  for (const int total : {9, 25, 49, 81})
    EXPECT_EQ(division_of_32(total, 65535).way, ExactDivision::Way::rounded) << total;
  EXPECT_EQ(division_of_32(256, 65535).way, ExactDivision::Way::shifted);
  EXPECT_EQ(division_of_32(169, 65535).way, ExactDivision::Way::floats);
  EXPECT_EQ(division_of_32(625, 255).way, ExactDivision::Way::rounded);
}

template <class T>
void check_grey(const std::array<int, 3>& weights, int channels, int pixels) {
  const auto in = random_samples<T>(static_cast<std::size_t>(pixels * channels), 1);
  const int made = channels - 2;
  std::vector<T> out(static_cast<std::size_t>(pixels * made) + 1, 77), counted = out;
  std::vector<std::uint32_t> tables(sizeof(T) == 1 ? 256 * kCountTables : 65536);
  const EnhanceRows<T> rows = enhance_rows<T>();
  rows.grey(GreyWeights(weights), channels, in.data(), pixels, out.data());
  if (channels == 3)
    rows.grey_and_count(GreyWeights(weights), in.data(), pixels, counted.data(), tables.data());
  std::vector<std::uint32_t> expected(static_cast<T>(~0) + 1U), seen = expected;
  for (std::size_t v = 0; v < tables.size(); ++v) seen[v % seen.size()] += tables[v];
  for (std::size_t x = 0; x < static_cast<std::size_t>(pixels); ++x) {
    const T* p = in.data() + x * static_cast<std::size_t>(channels);
    const long long sum =
        1LL * weights[0] * p[0] + 1LL * weights[1] * p[1] + 1LL * weights[2] * p[2];
    const T grey = static_cast<T>((sum + 32768) / 65536);
    ASSERT_EQ(out[x * static_cast<std::size_t>(made)], grey) << x;
    if (channels == 4) {
      ASSERT_EQ(out[x * 2 + 1], p[3]) << x;
    } else {
      ASSERT_EQ(counted[x], grey) << x;
      ++expected[grey];
    }
  }
  EXPECT_EQ(seen, expected);
  EXPECT_EQ(out.back(), 77);
}

TEST(EnhanceRows, GreyAndItsCounts) {
  for_targets([] {
    for (const std::array<int, 3>& weights :
         {std::array{77 * 256, 151 * 256, 28 * 256}, std::array{19595, 38470, 7471},
          std::array{65536, 0, 0}, std::array{0, 0, 0}})
      for (const int channels : {3, 4})
        for (const int pixels : kLengths) {
          check_grey<std::uint8_t>(weights, channels, pixels);
          check_grey<std::uint16_t>(weights, channels, pixels);
        }
  });
}

TEST(EnhanceDivide, ContrastOfWordsIsExact) {
  const auto made = [](const WideContrastSteps& c, std::uint64_t x) {
    const std::uint64_t factor = c.factor_high[0] << 16U | static_cast<unsigned>(c.factor_low[7]);
    const std::uint64_t bias = c.bias_high << 16U | static_cast<unsigned>(c.bias_low);
    return x * c.whole + ((x * (factor & 0xFFFFFFFF) + bias) >> 32);
  };
  for (std::uint64_t range = 1; range <= 65535; ++range) {
    const WideContrastSteps c = wide_contrast_steps(0, static_cast<int>(range));
    const std::uint64_t step = range < 300 || range > 65500 ? 1 : 1 + range / 97;
    for (std::uint64_t x = 0; x <= range; x += step)
      ASSERT_EQ(made(c, x), (x * 65535 + range / 2) / range) << x << " of " << range;
    ASSERT_EQ(made(c, range), 65535U) << range;
  }
}

template <class T>
void check_curve(int pixels, const decltype(RowCurves<T>::steps)& steps, int low = 0,
                 int high = 0) {
  const auto in = random_samples<T>(static_cast<std::size_t>(pixels), 2);
  auto curve = random_samples<T>(static_cast<T>(~0) + 1U, 3);
  const long long range = high - low;
  for (std::size_t v = 0; steps.exact && v < curve.size(); ++v) {
    const long long x = std::clamp<long long>(static_cast<long long>(v) - low, 0, range);
    curve[v] = static_cast<T>((x * static_cast<T>(~0) + range / 2) / range);
  }
  std::vector<T> out(in.size() + 1, 77);
  const RowCurves<T> curves{.channels = 1, .curve = {curve.data()}, .same = true, .steps = steps};
  enhance_rows<T>().follow(curves, in.data(), pixels, out.data());
  for (std::size_t x = 0; x < in.size(); ++x) ASSERT_EQ(out[x], curve[in[x]]) << x;
  EXPECT_EQ(out.back(), 77);
}

TEST(EnhanceRows, Curves) {
  for_targets([] {
    for (const int pixels : kLengths) {
      check_curve<std::uint8_t>(pixels, {});
      check_curve<std::uint16_t>(pixels, {});
      for (const int low : {0, 3, 100})
        for (const int high : {101, 127, 200, 255})
          check_curve<std::uint8_t>(pixels, contrast_steps(low, high), low, high);
      for (const int low : {0, 300, 20000})
        for (const int high : {20001, 32767, 60000, 65535})
          check_curve<std::uint16_t>(pixels, wide_contrast_steps(low, high), low, high);
    }
  });
}

TEST(EnhanceRows, SamplesInRangesAndBelow) {
  const ValueRanges ranges{{300, 40000}, {900, 65535}};
  for_targets([&] {
    for (const int count : {0, 1, 31, 32, 33, 259, 300000}) {
      auto in = random_samples<std::uint16_t>(static_cast<std::size_t>(count), 6);
      for (std::size_t x = 0; x < in.size(); ++x)  // long stretches with nothing to count
        if (x % 1000 < 900) in[x] = static_cast<std::uint16_t>(x % 2 ? 299 : 901 + in[x] % 39000);
      std::vector<std::uint32_t> table(65536), expected(65536);
      std::array<std::uint64_t, 2> below{5, 7}, smaller = below;
      enhance_rows<std::uint16_t>().count_ranges(ranges, in.data(), count, table.data(),
                                                 below.data());
      for (const std::uint16_t v : in) {
        ++expected[v];
        for (std::size_t k = 0; k < 2; ++k) smaller[k] += v < ranges.first[k];
      }
      EXPECT_EQ(below, smaller) << count;
      for (std::size_t k = 0; k < 2; ++k)
        for (std::size_t v = ranges.first[k]; v <= ranges.last[k]; ++v)
          ASSERT_EQ(table[v], expected[v]) << v << " of " << count;
    }
  });
}

template <class T, class Sum>
void check_smooth(const SmoothRows<T, Sum>& functions, const std::vector<int>& weights, int count,
                  int step, const ExactDivision& division) {
  const int taps = static_cast<int>(weights.size());
  const auto in = random_samples<T>(static_cast<std::size_t>(count + (taps - 1) * step), 4);
  std::vector<Sum> sums(static_cast<std::size_t>(count) + 1, 77);
  functions.across({weights.data(), taps, step}, in.data(), count, sums.data());
  for (int x = 0; x < count; ++x) {
    long long sum = 0;
    for (int i = 0; i < taps; ++i)
      sum +=
          1LL * weights[static_cast<std::size_t>(i)] * in[static_cast<std::size_t>(x + i * step)];
    ASSERT_EQ(sums[static_cast<std::size_t>(x)], static_cast<Sum>(sum)) << x;
  }
  EXPECT_EQ(sums.back(), 77);

  const int across = std::accumulate(weights.begin(), weights.end(), 0);
  std::vector<std::vector<Sum>> rows;
  std::vector<const Sum*> addresses;
  for (unsigned k = 0; k < 10; ++k) {
    rows.emplace_back();
    for (const T v : random_samples<T>(static_cast<std::size_t>(count), 5 + k))
      rows.back().push_back(static_cast<Sum>(v * across));
  }
  for (const auto& row : rows) addresses.push_back(row.data());
  const auto expected = [&](int first, int x) {
    long long sum = 0;
    for (int j = 0; j < taps; ++j)
      sum += 1LL * weights[static_cast<std::size_t>(j)] *
             rows[static_cast<std::size_t>(first + j)][static_cast<std::size_t>(x)];
    return (sum + division.half) / division.total;
  };
  std::vector<T> out(static_cast<std::size_t>(count) + 1, 77);
  functions.down({addresses.data(), weights.data(), taps, division}, count, out.data());
  for (int x = 0; x < count; ++x) ASSERT_EQ(out[static_cast<std::size_t>(x)], expected(0, x)) << x;
  EXPECT_EQ(out.back(), 77);
  if (!functions.four_down || !four_rows_fit(weights.data(), taps)) return;
  std::vector<std::vector<T>> four(4, std::vector<T>(static_cast<std::size_t>(count) + 1, 77));
  std::array<T*, 4> to{four[0].data(), four[1].data(), four[2].data(), four[3].data()};
  functions.four_down({addresses.data(), weights.data(), taps, division}, count, to.data());
  for (int k = 0; k < 4; ++k) {
    const auto& row = four[static_cast<std::size_t>(k)];
    for (int x = 0; x < count; ++x) ASSERT_EQ(row[static_cast<std::size_t>(x)], expected(k, x));
    EXPECT_EQ(row.back(), 77);
  }
}

TEST(EnhanceRows, Smoothing) {
  for_targets([] {
    const auto bytes = enhance_rows<std::uint8_t>();
    const auto words = enhance_rows<std::uint16_t>();
    for (const int count : kLengths)
      for (const int step : {1, 2, 3, 4}) {
        check_smooth(bytes.smooth16, {1, 2, 3, 2, 1}, count, step, division_of_16(81));
        check_smooth(bytes.smooth16, {1, 2, 1}, count, step, division_of_16(16));
        check_smooth(bytes.smooth32, {10, 0, 50, 7}, count, step, division_of_32(67 * 67, 255));
        check_smooth(bytes.smooth16, {1, 4, 6, 4, 1}, count, step, division_of_16(256));
        check_smooth(bytes.smooth16, {2, 1, 1, 0, 1, 1, 2}, count, step, division_of_16(64));
        check_smooth(words.smooth32, {1, 4, 6, 4, 1}, count, step, division_of_32(256, 65535));
        check_smooth(words.smooth32, {1, 2, 3, 2, 1}, count, step, division_of_32(81, 65535));
        check_smooth(words.smooth32, {1, 1, 1}, count, step, division_of_32(9, 65535));
        check_smooth(words.smooth32, {3, 0, 9, 11, 9, 0, 3}, count, step,
                     division_of_32(35 * 35, 65535));
      }
  });
}

TEST(EnhanceRows, WeightsOfAnySign) {
  for_targets([] {
    const std::vector<int> weights{-1, 3, -2, 5, 9, -4};
    for (const int count : kLengths) {
      const auto above = random_samples<std::uint8_t>(static_cast<std::size_t>(count) + 4, 1);
      const auto below = random_samples<std::uint8_t>(static_cast<std::size_t>(count) + 4, 2);
      const std::uint8_t* rows[] = {above.data(), below.data()};
      std::vector<std::uint8_t> out(static_cast<std::size_t>(count) + 1, 77);
      enhance_rows<std::uint8_t>().weigh({rows, weights.data(), 3, 2, 2, division_of_32(10, 255)},
                                         count, out.data());
      for (std::size_t x = 0; x < static_cast<std::size_t>(count); ++x) {
        int sum = 0;
        for (std::size_t i = 0; i < 3; ++i)
          sum += weights[i] * above[x + 2 * i] + weights[3 + i] * below[x + 2 * i];
        ASSERT_EQ(out[x], sum < 0 ? 0 : std::min((sum + 5) / 10, 255)) << x;
      }
      EXPECT_EQ(out.back(), 77);
    }
  });
}

// A thread may have counted 2^31 samples before a piece, all of one value.
TEST(EnhanceCounters, PiecesOfVeryWideImagesFit32Bits) {
  const EnhanceProblem problem;
  SweepCounts counts;
  for (const int width : {1000, 1 << 25, 1 << 27, 2'000'000'000}) {
    const ImageInfo image{{width, 64, 1}, Type::u16};
    const int rows = Counters(problem, image, counts).rows_at_once(64);
    EXPECT_GE(rows, 1);
    EXPECT_LE((1LL << 31) + 1LL * rows * width, 4294967295) << width;
    EXPECT_EQ(rows == 64, width == 1000) << width;
  }
}

}  // namespace
}  // namespace tessera
