// SPDX-License-Identifier: Apache-2.0
/// Products of matrices on a device. Skipped, and counted, without a device.
#include "core/device_blas.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <thread>
#include <vector>

#include "core/device.hpp"
#include "tests/support/device_image.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

using testing::DeviceImage;
using testing::random_image;

class ProductsOnCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string reason;
    if (find_devices(reason).empty()) GTEST_SKIP() << "no device: " << reason;
    if (!why_no_device_blas().empty()) GTEST_SKIP() << why_no_device_blas();
  }
};

/// Matrices are images with one image row per matrix row.
struct Matrices {
  Matrices(Type type, int rows, int inner, int columns)
      : a(random_image({inner, rows}, type, 1)), b(random_image({columns, inner}, type, 2)) {}

  Image product(Stream& stream) const {
    const DeviceImage there_a = testing::upload(a, stream), there_b = testing::upload(b, stream);
    const ImageInfo info{{b.info().size.width, a.info().size.height}, a.info().type, kHost};
    const DeviceImage c(info, stream);
    multiply_on_device({info.type, info.size.height, a.info().size.width, info.size.width,
                        there_a.view.data, there_b.view.data, c.view.data},
                       stream);
    return testing::download(c, stream);
  }
  Image a, b;
};

/// Each of `inner` products and sums may be wrong by half a unit in the last place of sums of
/// |a b| < inner.
template <class T>
void expect_right(int rows, int inner, int columns, double unit) {
  const Matrices m(TypeOf<T>::value, rows, inner, columns);
  Stream stream(0);
  const Image c = m.product(stream);
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) {
      double sum = 0, size = 0;
      for (int k = 0; k < inner; ++k) {
        const double term = static_cast<double>(m.a.as<const T>().at(k, y)) *
                            static_cast<double>(m.b.as<const T>().at(x, k));
        sum += term;
        size += std::abs(term);
      }
      ASSERT_NEAR(static_cast<double>(c.as<const T>().at(x, y)), sum, inner * unit * size + 1e-300)
          << rows << "x" << inner << "x" << columns << " at " << x << ", " << y;
    }
}

TEST_F(ProductsOnCuda, AreRightInTheirOwnArithmetic) {
  // TF32 has units of 2^-11: such a product would fail for any `inner` below a few thousand.
  expect_right<float>(1, 1, 1, 0x1p-24);
  expect_right<float>(3, 5, 7, 0x1p-24);
  expect_right<float>(64, 48, 128, 0x1p-24);
  expect_right<float>(129, 77, 33, 0x1p-24);
  expect_right<double>(3, 5, 7, 0x1p-52);  // the sum here is rounded too
  expect_right<double>(64, 48, 128, 0x1p-52);
}

/// Whole numbers: products of few of them are exact. Values of a row are re and im side by side.
void expect_complex_right(Type type, int rows, int inner, int columns, AdjointFactor adjoint) {
  const bool left = adjoint == AdjointFactor::left, right = adjoint == AdjointFactor::right;
  Image a(left ? Size{2 * rows, inner} : Size{2 * inner, rows}, type);
  Image b(right ? Size{2 * inner, columns} : Size{2 * columns, inner}, type);
  int next = 1;
  const auto set = [](Image& image, int x, int y, int value) {
    image.info().type == Type::f64
        ? void(image.view().as<double>().at(x, y) = value)
        : void(image.view().as<float>().at(x, y) = static_cast<float>(value));
  };
  const auto at = [](const Image& image, int x, int y) {
    const auto part = [&](int k) {
      return image.info().type == Type::f64 ? image.as<const double>().at(2 * x + k, y)
                                            : double{image.as<const float>().at(2 * x + k, y)};
    };
    return std::complex<double>(part(0), part(1));
  };
  for (Image* image : {&a, &b})
    for (int y = 0; y < image->info().size.height; ++y)
      for (int x = 0; x < image->info().size.width; ++x)
        set(*image, x, y, (next = next * 37 % 101) - 50);
  Stream stream(0);
  const DeviceImage there_a = testing::upload(a, stream), there_b = testing::upload(b, stream);
  const DeviceImage c({{2 * columns, rows}, type, 0}, stream);
  DeviceComplexProduct product{
      type, rows, inner, columns, there_a.view.data, there_b.view.data, c.view.data, adjoint};
  multiply_complex_on_device(product, stream);
  product.add = true;
  multiply_complex_on_device(product, stream);  // twice the product
  const Image got = testing::download(c, stream);
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) {
      std::complex<double> sum = 0;
      for (int k = 0; k < inner; ++k)
        sum += (left ? std::conj(at(a, y, k)) : at(a, k, y)) *
               (right ? std::conj(at(b, k, x)) : at(b, x, k));
      ASSERT_EQ(at(got, x, y), 2.0 * sum) << rows << "x" << inner << "x" << columns << " at " << x;
    }
}

TEST_F(ProductsOnCuda, OfComplexNumbersAreRight) {
  for (const Type type : {Type::f32, Type::f64})
    for (const AdjointFactor adjoint :
         {AdjointFactor::none, AdjointFactor::left, AdjointFactor::right}) {
      expect_complex_right(type, 1, 1, 1, adjoint);
      expect_complex_right(type, 3, 5, 7, adjoint);
      expect_complex_right(type, 33, 70, 18, adjoint);
    }
}

TEST_F(ProductsOnCuda, OfBytesAreExact) {
  constexpr int kRows = 12, kColumns = 20, kInner = 68;
  Image a(Size{kInner, kRows}, Type::u8), b(Size{kInner, kColumns}, Type::u8);
  for (Image* image : {&a, &b})
    for (long long k = 0; k < image->info().size.samples(); ++k)
      static_cast<unsigned char*>(image->view().data)[k] = static_cast<unsigned char>(k * k + 128);
  Stream stream(0);
  const DeviceImage there_a = testing::upload(a, stream), there_b = testing::upload(b, stream);
  const DeviceImage c({{kColumns, kRows}, Type::f32, 0}, stream);  // of 4 bytes, as int
  multiply_bytes_on_device(
      {kRows, kColumns, kInner, static_cast<const signed char*>(there_a.view.data),
       static_cast<const signed char*>(there_b.view.data), static_cast<int*>(c.view.data)},
      stream);
  const Image got = testing::download(c, stream);
  const auto byte = [](const Image& image, int k, int row) {
    return int{static_cast<signed char>(image.as<const unsigned char>().at(k, row))};
  };
  for (int y = 0; y < kRows; ++y)
    for (int x = 0; x < kColumns; ++x) {
      int sum = 0;
      for (int k = 0; k < kInner; ++k) sum += byte(a, k, y) * byte(b, k, x);
      ASSERT_EQ(static_cast<const int*>(got.view().data)[y * kColumns + x], sum) << x << ", " << y;
    }
}

TEST_F(ProductsOnCuda, GiveTheSameBitsFromManyThreads) {
  const Matrices m(Type::f32, 40, 60, 256);
  Stream stream(0);
  const auto expected = testing::bytes_of_view(testing::short_view(m.product(stream)));
  std::vector<std::vector<unsigned char>> got(4);
  std::vector<std::thread> threads;
  for (auto& bytes : got)
    threads.emplace_back([&] {
      Stream own(0);
      for (int repeat = 0; repeat < 3; ++repeat)
        bytes = testing::bytes_of_view(testing::short_view(m.product(own)));
    });
  for (std::thread& thread : threads) thread.join();
  for (const auto& bytes : got) EXPECT_EQ(bytes, expected);
}

}  // namespace
}  // namespace tessera
