// SPDX-License-Identifier: Apache-2.0
// Values between measured ones.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tune/table_index.hpp"

namespace tessera {
namespace {

/// A table of f(fw, fh) at every pair of these sides.
template <class Function>
TableIndex table_of(const std::vector<int>& sides, Function f) {
  std::vector<TuningLine> lines;
  for (const int fw : sides)
    for (const int fh : sides) {
      TuningLine& line = lines.emplace_back();
      line.machine = "m";
      line.site = "time@1";
      line.problem.numbers = {{"fw", fw}, {"fh", fh}};
      line.knobs.values["fs"] = static_cast<int>(std::lround(f(fw, fh)));
    }
  return TableIndex(lines);
}

double at(const TableIndex& index, double fw, double fh) {
  return index.interpolated("m", "time@1", {{}, {{"fw", fw}, {"fh", fh}}}, "fs").value_or(-1);
}

const std::vector<int> kSides{3, 5, 9, 15, 21, 31, 43};

double direct(double fw, double fh) { return 1e4 + 1e3 * fw * fh; }
double separable(double fw, double fh) { return 3e4 + 2e3 * (fw + fh); }

TEST(Interpolation, MeasuredValuesAreKept) {
  const TableIndex index = table_of(kSides, direct);
  for (const int fw : kSides)
    for (const int fh : kSides) EXPECT_NEAR(at(index, fw, fh), direct(fw, fh), 0.5);
}

TEST(Interpolation, FollowsTheCostsOfMethodsBetweenThem) {
  const TableIndex by_direct = table_of(kSides, direct), by_separable = table_of(kSides, separable);
  for (int fw = 3; fw <= 43; ++fw)
    for (int fh = 3; fh <= 43; ++fh) {
      EXPECT_NEAR(at(by_direct, fw, fh) / direct(fw, fh), 1, 0.12) << fw << "x" << fh;
      EXPECT_NEAR(at(by_separable, fw, fh) / separable(fw, fh), 1, 0.12) << fw << "x" << fh;
    }
}

TEST(Interpolation, GrowsBeyondTheMeasuredSizes) {
  const TableIndex index = table_of(kSides, [](double fw, double fh) { return 1e3 * fw * fh; });
  EXPECT_NEAR(at(index, 86, 86) / (1e3 * 86 * 86), 1, 0.05);
  const TableIndex flat = table_of(kSides, [](double, double) { return 5e4; });
  EXPECT_NEAR(at(flat, 200, 1), 5e4, 1);
}

TEST(Interpolation, NoiseDoesNotMakeItFall) {
  const TableIndex index =
      table_of({41, 43}, [](double fw, double fh) { return 1e6 - 1e3 * (fw + fh); });
  EXPECT_GT(at(index, 400, 400), 0.9e6);
}

TEST(Interpolation, OneLineAndNone) {
  const TableIndex one = table_of({9}, direct);
  EXPECT_NEAR(at(one, 21, 3), direct(9, 9), 1);
  EXPECT_EQ(at(TableIndex(), 3, 3), -1);
  EXPECT_FALSE(one.interpolated("m", "time@2", {{}, {{"fw", 9}, {"fh", 9}}}, "fs"));
  EXPECT_FALSE(one.interpolated("m", "time@1", {{}, {{"fw", 9}, {"fh", 9}}}, "ps"));
}

}  // namespace
}  // namespace tessera
