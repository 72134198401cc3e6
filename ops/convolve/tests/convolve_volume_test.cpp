// SPDX-License-Identifier: Apache-2.0
// Filters with planes against a plain sum in double, in strips too.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/samples.hpp"
#include "tessera/convolve.hpp"

namespace tessera {
namespace {

Image random_volume(Size size, Type type, unsigned seed, double least, double most) {
  Image image(size, type);
  unsigned state = seed;
  for (int plane = 0; plane < size.planes; ++plane)
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x)
        for (int c = 0; c < size.channels; ++c) {
          state = state * 1664525U + 1013904223U;
          store_sample(image.view(), x, y, c, plane,
                       least + (most - least) * (state >> 8) / double(1U << 24));
        }
  return image;
}

struct VolumeCase {
  Size image, filter;
  Type type;
  Border border;
};

double plain_sum(const VolumeCase& given, AnyView in, AnyView filter, double constant, int x, int y,
                 int c, int z) {
  const bool valid = given.border == Border::valid;
  const Size f = given.filter;
  double sum = 0;
  for (int k = 0; k < f.planes; ++k)
    for (int j = 0; j < f.height; ++j)
      for (int i = 0; i < f.width; ++i) {
        const auto at = [&](int place, int n, int size) {
          return border_index(place - (valid ? 0 : size / 2), n, given.border);
        };
        const int column = at(x + i, given.image.width, f.width);
        const int row = at(y + j, given.image.height, f.height);
        const int plane = at(z + k, given.image.planes, f.planes);
        const bool outside = column == kNoPixel || row == kNoPixel || plane == kNoPixel;
        sum += sample_at(filter, i, j, 0, k) *
               (outside ? constant : sample_at(in, column, row, c, plane));
      }
  return sum;
}

void check(const VolumeCase& given) {
  const Image in = random_volume(given.image, given.type, 7, 0, is_integer(given.type) ? 200 : 1);
  const Image filter = random_volume(given.filter, Type::f64, 9, -0.3, 0.5);
  const ConvolveOptions options{.border = given.border, .constant = 3, .backend = Backend::cpu};
  const Convolve plan(in.info(), filter.view(), options);
  Image out(plan.output());
  plan(in.view(), out.view());
  const double allowed =
      plan.error_bound(is_integer(given.type) ? 200 : 1) + (is_integer(given.type) ? 0.5 : 0);
  for (int z = 0; z < out.info().size.planes; ++z)
    for (int y = 0; y < out.info().size.height; ++y)
      for (int x = 0; x < out.info().size.width; ++x)
        for (int c = 0; c < given.image.channels; ++c) {
          double expected = plain_sum(given, in.view(), filter.view(), 3, x, y, c, z);
          if (is_integer(given.type))
            expected = std::clamp(expected, 0.0, limits_of(given.type).most);
          ASSERT_NEAR(sample_at(out.view(), x, y, c, z), expected, allowed)
              << plan.describe() << " at " << x << ", " << y << ", " << z;
        }
  // Strips of rows, which hold all planes, give the same bits.
  Image strips(plan.output());
  Stream stream(kHost, 2);
  const int height = out.info().size.height, step = 5 * plan.row_step();
  for (int first = 0; first < height; first += step) {
    const int count = std::min(step, height - first);
    plan(Piece{in.view(), 0}, MutablePiece{strips.view().rows(first, count), first}, stream);
  }
  for (long long k = 0; k < bytes_of(out.info()); ++k)
    ASSERT_EQ(static_cast<const unsigned char*>(out.view().data)[k],
              static_cast<const unsigned char*>(strips.view().data)[k]);
}

TEST(ConvolveVolume, IsThePlainSum) {
  for (const Border border : {Border::valid, Border::constant, Border::replicate, Border::reflect,
                              Border::reflect_101, Border::wrap})
    for (const Type type : {Type::u8, Type::u16, Type::f32, Type::f64})
      for (const Size filter : {Size{3, 3, 1, 3}, Size{4, 1, 1, 2}, Size{2, 5, 1, 4}}) {
        check({{23, 19, 1, 6}, filter, type, border});
        check({{70, 9, 3, 1}, filter, type, border});
      }
}

TEST(ConvolveVolume, PlanesThatAreMultiplesShareAPlan) {
  Image product({3, 3, 1, 3}, Type::f64), other({3, 3, 1, 3}, Type::f64);
  const double along[]{1, 2, -0.5}, across[]{0.3, 1, 0.7};
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) {
        store_sample(product.view(), i, j, 0, k, along[k] * across[j] * across[i]);
        store_sample(other.view(), i, j, 0, k, along[k] * across[j] * across[i] + (k == i));
      }
  const ImageInfo image{{64, 64, 1, 9}, Type::f32};
  const ConvolveOptions options{.backend = Backend::cpu};
  // Sums of multiples are bounded alike: one plan's bound times the factors.
  EXPECT_LT(Convolve(image, product.view(), options).error_bound(1), 1e-3);
  EXPECT_NE(Convolve(image, product.view(), options).describe().find("by 3x3x3"),
            std::string::npos);
  EXPECT_EQ(Convolve(image, product.view(), options).method(), "separable");
  EXPECT_NE(Convolve(image, other.view(), options).method(), "separable");
}

}  // namespace
}  // namespace tessera
