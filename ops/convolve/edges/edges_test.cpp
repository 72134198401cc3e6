// SPDX-License-Identifier: Apache-2.0
// Magnitudes of two derivatives, against two calls of convolve and a root.
#include "tessera/edges.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/compare.hpp"
#include "core/samples.hpp"
#include "tessera/convolve.hpp"
#include "tessera/error.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

using testing::bytes_of_view;
using testing::random_image;

/// The definition, from two images of doubles.
Image by_hand(const Image& in, const char* filters, const EdgesOptions& options) {
  const EdgeFilters pair = edge_filters(filters);
  const ConvolveOptions own{.border = options.border,
                            .constant = options.constant,
                            .output_type = Type::f64,
                            .backend = Backend::cpu,
                            .method = "reference"};
  const Image x = convolve(in.view(), pair.x.view(), own),
              y = convolve(in.view(), pair.y.view(), own);
  Image out({x.info().size, in.info().type, kHost});
  const AnyMutableView to = out.view();
  const Size size = to.size;
  for (int p = 0; p < size.planes; ++p)
    for (int row = 0; row < size.height; ++row)
      for (int column = 0; column < size.width; ++column)
        for (int c = 0; c < size.channels; ++c)
          store_sample(to, column, row, c, p,
                       options.scale * pair.scale *
                           std::hypot(sample_at(x.view(), column, row, c, p),
                                      sample_at(y.view(), column, row, c, p)));
  return out;
}

double farthest(const Image& a, const Image& b) {
  double most = 0;
  const Size size = a.info().size;
  for (int p = 0; p < size.planes; ++p)
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x)
        for (int c = 0; c < size.channels; ++c)
          most = std::max(
              most, std::abs(sample_at(a.view(), x, y, c, p) - sample_at(b.view(), x, y, c, p)));
  return most;
}

TEST(Edges, TheRootOfTwoFilteredImages) {
  for (const char* filters : {"sobel", "scharr", "prewitt", "gauss:1.5", "gaussian:3"})
    for (const Border border :
         {Border::reflect, Border::constant, Border::wrap, Border::valid, Border::inside})
      for (const Type type : {Type::u8, Type::u16, Type::f32, Type::f64})
        for (const Size size : {Size{37, 41, 2, 2}, Size{1, 1}, Size{64, 3}}) {
          const Image in = random_image(size, type, 7);
          const EdgesOptions options{.border = border, .constant = 3};
          const EdgeFilters pair = edge_filters(filters);
          const Edges plan(in.info(), pair.x.view(), pair.y.view(),
                           {.border = border, .constant = 3, .scale = pair.scale});
          const Image out = edges(in.view(), filters, options);
          const Image expected = by_hand(in, filters, options);
          ASSERT_EQ(out.info().size, expected.info().size);
          const double largest = largest_magnitude(in.view());
          // Integers differ by one where the bound reaches over half a unit.
          const double most = is_integer(type) ? 1 : plan.error_bound(largest);
          EXPECT_LE(farthest(out, expected), most)
              << filters << " " << name_of(border) << " " << name_of(type);
        }
}

TEST(Edges, ExactForIntegersAndSmallWeights) {
  // Sums of whole numbers below 2^24 are exact in float, and the rest is in double.
  for (const char* filters : {"sobel", "scharr", "prewitt"}) {
    const Image in = random_image({130, 77}, Type::u8, 3);
    EXPECT_EQ(bytes_of_view(testing::short_view(edges(in.view(), filters))),
              bytes_of_view(testing::short_view(by_hand(in, filters, {}))));
  }
}

TEST(Edges, ByHand) {
  Image step({4, 3}, Type::u8);
  for (int y = 0; y < 3; ++y)
    for (int x = 2; x < 4; ++x) step.as<unsigned char>().at(x, y) = 100;
  const Image out = edges(step.view(), "sobel");
  for (int y = 0; y < 3; ++y) {
    EXPECT_EQ(out.as<unsigned char>().at(0, y), 0);
    EXPECT_EQ(out.as<unsigned char>().at(1, y), 71);  // 100 / sqrt(2)
    EXPECT_EQ(out.as<unsigned char>().at(2, y), 71);
  }
  const Image twice = edges(step.view(), "sobel", {.scale = 2, .output_type = Type::f64});
  EXPECT_DOUBLE_EQ(twice.as<double>().at(1, 1), 200 / std::sqrt(2.0));
}

TEST(Edges, SquaresMayLeaveTheRangeOfFloats) {
  for (const float value : {1e30F, 1e-30F}) {
    Image step({4, 1}, Type::f32);
    step.as<float>().at(2, 0) = step.as<float>().at(3, 0) = value;
    const Image out = edges(step.view(), "prewitt");
    EXPECT_NEAR(out.as<float>().at(1, 0) / value, 1 / std::sqrt(2.0), 1e-6);
  }
}

TEST(Edges, NotANumberStaysInReach) {
  Image in = random_image({40, 40}, Type::f32, 5);
  in.as<float>().at(20, 20) = std::numeric_limits<float>::quiet_NaN();
  const Image out = edges(in.view(), "sobel");
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 40; ++x)
      EXPECT_EQ(std::isnan(out.as<float>().at(x, y)),
                std::abs(x - 20) <= 1 && std::abs(y - 20) <= 1);
}

TEST(Edges, SameBitsForAnyThreadsAndStrips) {
  for (const char* filters : {"sobel", "gauss:3"}) {
    const EdgeFilters pair = edge_filters(filters);
    const Image in = random_image({301, 203, 2}, Type::f32, 9);
    testing::expect_same_bits(Edges(in.info(), pair.x.view(), pair.y.view()), in);
  }
}

TEST(Edges, BadCallsAreRefused) {
  const auto message = [](auto call) -> std::string {
    try {
      call();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  const Image in({8, 8}, Type::u8), small = box(3, 3), large = box(5, 5);
  EXPECT_EQ(message([&] { Edges(in.info(), small.view(), large.view()); }),
            "edges: the filters are 3x3 and 5x5; they must have the same size");
  EXPECT_EQ(message([&] { edges(in.view(), "sobel", {.output_type = Type::u16}); }),
            "edges: output type u16 of input u8 is not offered; it can be u8, f32 or f64");
  EXPECT_EQ(message([&] { edges(in.view(), "sobl"); }),
            "edges: 'sobl' is not known (did you mean sobel?); it can be sobel, scharr, prewitt or "
            "gauss:SIGMA[,RADIUS]");
  EXPECT_EQ(message([&] { edges(in.view(), "gauss"); }),
            "edges: 'gauss' is not complete; write gauss:SIGMA[,RADIUS]");
  EXPECT_EQ(message([&] { edges(in.view(), "sobel", {.scale = INFINITY}); }),
            "edges: scale is inf; it can be any finite number");
  EXPECT_EQ(message([&] { edges(in.view(), "sobel", {.backend = Backend::cuda}); }),
            "edges: there is no method on a device; give backend cpu or auto");
  const Image empty({0, 8}, Type::u8);
  EXPECT_EQ(edges(empty.view(), "sobel").info().size, (Size{0, 8}));
}

}  // namespace
}  // namespace tessera
