// SPDX-License-Identifier: Apache-2.0
// Marks and maxima against their references.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "ops/sources/fit/sources_peaks.hpp"
#include "ops/sources/sources_problem.hpp"
#include "tessera/image.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/picker.hpp"
#include "tests/support/poison.hpp"

namespace tessera {
namespace {

using testing::all_ways;
using testing::ForcedIsa;
using testing::Guarded;
using testing::Way;

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN(),
                 kEndless = std::numeric_limits<double>::infinity();

// Sides around one vector, one word of marks, and one piece.
struct MarkCase {
  Size size;
  Type type, map;
  int gap, sign;
  std::string name() const {
    return fmt::format("{}x{} {} with maps of {}, gap {}, sign {}", size.width, size.height,
                       name_of(type), name_of(map), gap, sign);
  }
};

MarkCase mark_case(int k) {
  testing::Picker p(k);
  MarkCase c;
  c.size.width = p.pick<int>({1, 2, 3, 7, 8, 9, 15, 16, 17, 63, 64, 65, 127, 128, 129, 200});
  c.size.height = p.pick<int>({1, 2, 15, 16, 17, 33});
  c.type = p.pick<Type>({Type::f32, Type::f64, Type::u8, Type::u16, Type::f32});
  c.map = p.pick<Type>({Type::f32, Type::f64, Type::f32});
  c.gap = p.pick<int>({0, 0, 1, 3});
  c.sign = p.pick<int>({1, -1});
  return c;
}

void fill_odd(const AnyMutableView& view, double low, double high, std::mt19937& random) {
  std::uniform_real_distribution<double> value(low, high);
  const double odd[] = {kNotANumber, kEndless, -kEndless, 0, -1, 1e38, 1e-40};
  for (int y = 0; y < view.size.height; ++y)
    for (int x = 0; x < view.size.width; ++x) {
      double put = value(random);
      const bool real = view.type == Type::f32 || view.type == Type::f64;
      if (real && random() % 11 == 0) put = odd[random() % 7];
      if (view.type == Type::u8)
        view.as<unsigned char>().at(x, y) = static_cast<unsigned char>(std::abs(put));
      if (view.type == Type::u16)
        view.as<unsigned short>().at(x, y) = static_cast<unsigned short>(std::abs(put));
      if (view.type == Type::f32) view.as<float>().at(x, y) = static_cast<float>(put);
      if (view.type == Type::f64) view.as<double>().at(x, y) = put;
    }
}

TEST(SourcesMarks, EveryWayAgreesWithTheReference) {
  for (const Way& way : all_ways())
    for (int k = 0; k < (testing::run_all() ? 1000 : 120); ++k) {
      const MarkCase c = mark_case(k);
      SCOPED_TRACE(way.name() + ": " + c.name());
      const ForcedIsa forced(way.isa);
      std::mt19937 random(static_cast<unsigned>(k));
      const Guarded image(c.size, c.type, c.gap), background(c.size, c.map, c.gap),
          rms(c.size, c.map, c.gap);
      fill_odd(image.view(), -9, 9, random);
      fill_odd(background.view(), -1, 1, random);
      fill_odd(rms.view(), 0.5, 2, random);
      SourcesProblem problem;
      problem.image = {c.size, c.type};
      problem.options.grow = 2;
      const SourceRows rows{image.view(), background.view(), rms.view()};
      Stream stream;
      SourceBits truth(c.size.width, c.size.height), found(c.size.width, c.size.height);
      std::ranges::fill(found.bits, ~0ULL);
      make_sources_reference(problem)->mark(rows, c.sign, truth, stream);
      for (const SourcesMethod& method : sources_methods())
        if (method.backend == way.backend && method.name != std::string("reference"))
          method.make(problem)->mark(rows, c.sign, found, stream);
      EXPECT_EQ(found.bits, truth.bits);
      EXPECT_EQ(found.valid, truth.valid);
    }
}

/// One island over a rectangle with pixels of a few heights, so that many are equal.
SourceGroup random_group(int width, int height, int levels, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<SourceRun> runs;
  std::vector<SourcePixel> values;
  std::vector<SourceIslandRun> islands;
  for (int y = 0; y < height; ++y) {
    runs.push_back({y, 0, width});
    for (int x = 0; x < width; ++x)
      values.push_back({4 + static_cast<double>(random() % static_cast<unsigned>(levels)), 0, 1});
    islands.push_back({{y, 0, width}, 0});
  }
  return source_groups(runs, values, islands).front();
}

TEST(SourcesPeaks, AgreeWithTheDefinition) {
  for (unsigned k = 0; k < (testing::run_all() ? 400U : 20U); ++k)
    for (const int levels : {3, 10, 1000000}) {
      const SourceGroup group =
          random_group(1 + static_cast<int>(k % 9), 1 + static_cast<int>(k % 7), levels, k);
      for (const double rise : {0.0, 1.0, 2.0, levels / 3.0, 1e9}) {
        const auto fast = source_peaks(group, {5, rise});
        const auto plain = source_peaks_reference(group, {5, rise});
        ASSERT_EQ(fast.size(), plain.size()) << k << ' ' << levels << ' ' << rise;
        for (std::size_t p = 0; p < fast.size(); ++p) {
          EXPECT_EQ(fast[p].top, plain[p].top);
          EXPECT_EQ(fast[p].pixels, plain[p].pixels);
        }
      }
    }
}

}  // namespace
}  // namespace tessera
