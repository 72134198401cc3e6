// SPDX-License-Identifier: Apache-2.0
// Splits of filters into products of rows and columns, and what the methods that use them do with
// numbers that are not finite.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tessera/convolve.hpp"
#include "tessera/error.hpp"
#include "tests/support/filter_for.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

using testing::all_ways;
using testing::bytes_of_view;
using testing::filter_for;
using testing::ForcedIsa;
using testing::random_image;
using testing::Way;

/// sum |filter - sum of the split's terms|.
double left_over(const Image& filter, const FilterSplit& split) {
  double sum = 0;
  for (int y = 0; y < filter.info().size.height; ++y)
    for (int x = 0; x < filter.info().size.width; ++x) {
      double weight = filter.as<double>().at(x, y);
      for (const auto& term : split.terms) weight -= term.row[x] * term.column[y];
      sum += std::abs(weight);
    }
  return sum;
}

double magnitude_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::abs(value);
  return sum;
}

TEST(FilterSplit, ProductsAreFound) {
  std::vector<Image> filters;
  filters.push_back(gaussian(2.5));
  filters.push_back(gaussian(0.7));
  filters.push_back(box(5, 3));
  filters.push_back(triangle(7));
  filters.push_back(sobel('x'));
  filters.push_back(sobel('y'));
  filters.push_back(box(1, 1));
  filters.push_back(filter_for("separable", {1, 17}, 1));
  filters.push_back(filter_for("separable", {17, 1}, 1));
  filters.push_back(filter_for("separable", {43, 17}, 1));
  for (const Image& filter : filters) {
    const FilterSplit split = separable(filter.view());
    EXPECT_TRUE(split.exact()) << split.width << "x" << split.height << " leaves "
                               << split.residual;
    EXPECT_NEAR(split.residual, left_over(filter, split), 1e-15 * split.magnitude);
    EXPECT_LE(magnitude_of(split.terms[0].row), 0.5);
    EXPECT_EQ(low_rank(filter.view()).terms.size(), 1U);
  }
}

TEST(FilterSplit, OthersAreNotProducts) {
  for (const Image& filter : {laplacian(), gabor(8, 30, 5), anisotropic_gaussian(3, 1, 30),
                              random_image({5, 5}, Type::f64, 1)}) {
    const FilterSplit split = separable(filter.view());
    EXPECT_FALSE(split.exact());
    EXPECT_NEAR(split.residual, left_over(filter, split), 1e-12 * split.magnitude);
  }
}

TEST(FilterSplit, AFilterOfZerosIsAProduct) {
  Image zeros({4, 3}, Type::f64);
  std::fill_n(zeros.as<double>().data, 12, 0.0);
  EXPECT_TRUE(separable(zeros.view()).exact());
  EXPECT_EQ(left_over(zeros, separable(zeros.view())), 0);
}

TEST(FilterSplit, FewTermsWithinTheBoundOfDirect) {
  struct Wanted {
    Image filter;
    std::size_t terms;
  };
  std::vector<Wanted> list;
  list.push_back({gabor(8, 30, 5), 2});
  list.push_back({filter_for("lowrank", {21, 33}, 4), 2});
  list.push_back({filter_for("lowrank", {33, 21}, 4), 2});
  for (const auto& [filter, terms] : list)
    for (const double eps : {0x1p-23, 0x1p-52}) {
      const FilterSplit split = low_rank(filter.view(), eps);
      EXPECT_EQ(split.terms.size(), terms);
      const auto n = static_cast<double>(split.width * split.height);
      EXPECT_LE(split.bound(eps), 2 * n * eps * split.magnitude);
      EXPECT_NEAR(split.residual, left_over(filter, split), 1e-13 * split.magnitude);
    }
  EXPECT_TRUE(low_rank(testing::short_view(random_image({15, 15}, Type::f64, 1))).terms.empty());
}

TEST(FilterSplit, OuterProductByHand) {
  const Image filter = outer({1, 10}, {2, 3, 5});
  ASSERT_EQ(filter.info().size.width, 2);
  ASSERT_EQ(filter.info().size.height, 3);
  EXPECT_EQ(filter.as<double>().at(1, 2), 50);
  EXPECT_THROW(outer({}, {1}), Error);
  EXPECT_EQ(bytes_of_view(testing::short_view(filter_from_text("outer:1:10,2:3:5"))),
            bytes_of_view(filter.view()));
}

TEST(FilterSplit, MethodsSayWhyTheyRefuse) {
  const Image in({64, 64}, Type::f32), filter = random_image({15, 15}, Type::f64, 1);
  for (const char* method : {"separable", "lowrank"}) try {
      convolve(in.view(), filter.view(), {.backend = Backend::cpu, .method = method});
      ADD_FAILURE() << method << " took a filter that it cannot split";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("of a row and a column"), std::string::npos)
          << error.what();
    }
}

/// The same kinds of numbers: NaN, both infinities, finite.
int kind_of(float value) {
  return std::isnan(value) ? 2 : std::isinf(value) ? (value > 0 ? 1 : -1) : 0;
}

void expect_kinds_of_direct(const Image& in, const Image& filter, const char* method) {
  const auto with = [&](const char* name) {
    return convolve(in.view(), filter.view(), {.backend = Backend::cpu, .method = name});
  };
  const Image expected = with("direct"), actual = with(method);
  for (int y = 0; y < in.info().size.height; ++y)
    for (int x = 0; x < in.info().size.width; ++x)
      ASSERT_EQ(kind_of(expected.as<float>().at(x, y)), kind_of(actual.as<float>().at(x, y)))
          << method << " at " << x << ", " << y;
}

TEST(FilterSplit, NumbersThatAreNotFiniteComeOutAsOfDirect) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const Way& way : all_ways()) {
    if (way.backend != Backend::cpu) continue;
    const ForcedIsa forced(way.isa);
    Image in = random_image({300, 150}, Type::f32, 3);
    in.as<float>().at(35, 20) = std::numeric_limits<float>::quiet_NaN();
    in.as<float>().at(100, 40) = kInfinity;
    in.as<float>().at(102, 41) = -kInfinity;
    in.as<float>().at(200, 100) = kInfinity;
    in.as<float>().at(203, 103) = kInfinity;
    in.as<float>().at(299, 149) = -kInfinity;
    // Sobel has zeros; the far weights of the last Gaussian vanish in f32 while its rows' do not.
    for (const Image& filter : {box(5, 3), sobel('x'), gaussian(2), gaussian(1, 12)})
      expect_kinds_of_direct(in, filter, "separable");
    expect_kinds_of_direct(in, gabor(8, 30, 3), "lowrank");
  }
}

TEST(FilterSplit, LowRankKeepsItsBitsAroundNotANumber) {
  Image in = random_image({300, 150}, Type::f32, 3);
  in.as<float>().at(150, 70) = std::numeric_limits<float>::quiet_NaN();
  const Image filter = gabor(8, 30, 3);
  const Convolve plan(in.info(), filter.view(), {.backend = Backend::cpu, .method = "lowrank"});
  Image whole(plan.output()), strips(plan.output());
  plan(in.view(), whole.view());
  Stream stream(kHost, 2);
  for (int row = 0; row < 150; row += 7) {
    const int count = std::min(7, 150 - row);
    plan(Piece{in.view(), 0}, MutablePiece{strips.view().rows(row, count), row}, stream);
  }
  EXPECT_EQ(bytes_of_view(whole.view()), bytes_of_view(strips.view()));
}

}  // namespace
}  // namespace tessera
