// SPDX-License-Identifier: Apache-2.0
// Filters made of Gaussians and their derivatives, against arithmetic by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "tessera/convolve.hpp"
#include "tessera/error.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

using testing::bytes_of_view;
using testing::short_view;

double sum_of(const Image& filter) {
  double sum = 0;
  const auto weights = filter.as<double>();
  for (int y = 0; y < weights.size.height; ++y)
    for (int x = 0; x < weights.size.width; ++x) sum += weights.at(x, y);
  return sum;
}

/// sum of filter(i, j) * (x^power_x y^power_y) around the middle: the moments of a derivative are
/// those of the function that it differentiates.
double moment_of(const Image& filter, int power_x, int power_y) {
  double sum = 0;
  const auto weights = filter.as<double>();
  for (int y = 0; y < weights.size.height; ++y)
    for (int x = 0; x < weights.size.width; ++x)
      sum += weights.at(x, y) * std::pow(x - weights.size.width / 2, power_x) *
             std::pow(y - weights.size.height / 2, power_y);
  return sum;
}

TEST(GaussianFilters, LinesByHand) {
  const double e = std::exp(-0.5), sum = 1 + 2 * e;
  EXPECT_EQ(gaussian_line(1, 0, 1), (std::vector<double>{e / sum, 1 / sum, e / sum}));
  EXPECT_EQ(gaussian_line(1, 1, 1), (std::vector<double>{-e / sum, 0, e / sum}));
  // The second derivative of exp(-x^2 / 2) is x^2 - 1 times the same.
  EXPECT_EQ(gaussian_line(1, 2, 1), (std::vector<double>{0, -1 / sum, 0}));
  EXPECT_EQ(gaussian_line(0, 0, 0), std::vector<double>{1});
}

TEST(GaussianFilters, EndsWhereSciPyEndsThem) {
  EXPECT_EQ(gaussian_radius(0.6), 2);  // ceil(4 sigma) is 3
  EXPECT_EQ(gaussian_radius(2), 8);
  EXPECT_EQ(gaussian_radius(2, 3.2), 6);
  EXPECT_EQ(gaussian_derivative({0.6, 2}, 0, 0).info().size, (Size{5, 17}));
  EXPECT_EQ(gaussian_derivative({0.6, 2, 7, 1}, 0, 0).info().size, (Size{15, 3}));
}

TEST(GaussianFilters, DerivativesOfPolynomials) {
  // d/dx of x is 1, d2/dx2 of x^2 is 2, whatever the smoothing; sampling leaves a little.
  EXPECT_NEAR(moment_of(gaussian_derivative({3, 2}, 1, 0), 1, 0), 1, 2e-3);
  EXPECT_NEAR(moment_of(gaussian_derivative({3, 2}, 0, 1), 0, 1), 1, 2e-3);
  EXPECT_NEAR(moment_of(gaussian_derivative({3, 2}, 2, 0), 2, 0), 2, 2e-2);
  EXPECT_NEAR(moment_of(gaussian_derivative({3, 2}, 1, 1), 1, 1), 1, 4e-3);
  EXPECT_NEAR(moment_of(gaussian_derivative({3, 3}, 3, 0), 3, 0), 6, 2e-1);
  EXPECT_NEAR(moment_of(laplacian_of_gaussian({3, 3}), 2, 0), 2, 2e-2);
  EXPECT_NEAR(moment_of(laplacian_of_gaussian({3, 3}), 0, 2), 2, 2e-2);
}

TEST(GaussianFilters, SumsByHand) {
  EXPECT_NEAR(sum_of(difference_of_gaussians({1, 1}, {3, 3})), 0, 1e-14);
  EXPECT_NEAR(sum_of(unsharp({2, 2}, 0.7)), 1, 1e-14);
  const Image sharp = unsharp({1, 1, 1, 1}, 2), blur = gaussian_derivative({1, 1, 1, 1}, 0, 0);
  EXPECT_DOUBLE_EQ(sharp.as<double>().at(1, 1), 3 - 2 * blur.as<double>().at(1, 1));
  EXPECT_DOUBLE_EQ(sharp.as<double>().at(0, 1), -2 * blur.as<double>().at(0, 1));
}

TEST(GaussianFilters, ALineHasNoSecondAxis) {
  const Image line = laplacian_of_gaussian({1.5, 0});
  ASSERT_EQ(line.info().size, (Size{13, 1}));
  const std::vector<double> by_hand = gaussian_line(1.5, 2, 6);
  for (int x = 0; x < 13; ++x)
    EXPECT_EQ(line.as<double>().at(x, 0), by_hand[static_cast<std::size_t>(x)]);
}

TEST(GaussianFilters, ProductsAreSeparable) {
  for (const char* name : {"gaussian:2", "gauss-x:1.5", "gauss-y:1.5,9", "uniform:5", "scharr:x",
                           "scharr:y", "prewitt:x", "prewitt:y"})
    EXPECT_TRUE(separable(short_view(filter_from_text(name))).exact()) << name;
  EXPECT_EQ(low_rank(short_view(filter_from_text("log:3"))).terms.size(), 2U);
  EXPECT_EQ(low_rank(short_view(filter_from_text("dog:2"))).terms.size(), 2U);
  EXPECT_EQ(low_rank(short_view(filter_from_text("unsharp:3"))).terms.size(), 2U);
}

TEST(GaussianFilters, OtherNamesAreTheSameFilters) {
  const auto bytes = [](const char* name) {
    return bytes_of_view(short_view(filter_from_text(name)));
  };
  EXPECT_EQ(bytes("gaussian:2,5"), bytes("gauss:2,5"));
  EXPECT_EQ(bytes("box:5"), bytes("box:5x5"));
  EXPECT_EQ(bytes("uniform:4x3"), bytes("box:4x3"));
  EXPECT_EQ(bytes("laplace"), bytes("laplacian"));
  EXPECT_EQ(bytes("gaussian-x:2"), bytes("gauss-x:2"));
  EXPECT_EQ(bytes("gaussian-laplace:2"), bytes("log:2"));
  EXPECT_EQ(bytes("dog:2"), bytes("dog:2,3.2"));
  EXPECT_EQ(bytes("unsharp:2"), bytes("unsharp:2,1"));
  EXPECT_EQ(bytes("prewitt:y"), bytes("outer:1:1:1,-1:0:1"));
  EXPECT_EQ(bytes("scharr:x"), bytes("outer:-1:0:1,3:10:3"));
}

TEST(GaussianFilters, BadOnesAreRefused) {
  const auto message = [](const char* text) -> std::string {
    try {
      filter_from_text(text);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message("dog:3,2"),
            "filter: a difference of Gaussians of sigma 3 (rows 3) and 2 (rows 2) is not offered; "
            "the second must not be less than the first");
  EXPECT_EQ(message("gauss-x:0"), "filter: a derivative needs a sigma of more than 0; it is 0");
  for (const char* text : {"log:-1", "gauss-x:-1", "dog:-1", "unsharp:-1"})
    EXPECT_EQ(message(text), "filter: sigma is -1; it must be 0 or more");
  EXPECT_EQ(message("unsharp:1e6"),
            "filter: a Gaussian of sigma 1000000 that ends at 4 sigma is not offered; its radius "
            "can be 0 to 4095");
  EXPECT_EQ(message("prewitt:z"), "filter: prewitt along 'z' is not known; it can be x or y");
  EXPECT_EQ(message("scharr"), "filter: 'scharr' is not complete; write scharr:x|y");
  EXPECT_THROW(gaussian_line(1, 11, 4), Error);
  EXPECT_THROW(gaussian_line(1, -1, 4), Error);
  EXPECT_THROW(gaussian_line(-1, 0, 4), Error);
}

}  // namespace
}  // namespace tessera
