// SPDX-License-Identifier: Apache-2.0
// The kernel that subtracts, run thread by thread on the CPU: the differences of a plain loop. Only
// a GPU can show speed and the driver.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/samples.hpp"
#include "ops/morphology/cuda/morphology_subtract_args.cuh"
#include "tests/support/poison.hpp"
// The shim, after all other headers, then what is read through it.
#include "tests/support/block_on_cpu.hpp"
//
#include "ops/morphology/cuda/morphology_subtract.cuh"

namespace tessera {
namespace {

using testing::bytes_of_view;
using testing::Guarded;
using testing::random_image;

/// Values of erosions: infinities, NaN and zeros of both signs among them.
Image operand(Size size, Type type, unsigned seed) {
  Image image = random_image(size, type, seed);
  const double limits[] = {-HUGE_VAL, 7, HUGE_VAL};
  if (type == Type::f64)
    for (unsigned k = 0; k < 20; ++k) image.as<double>().data[k] = limits[k * seed % 3];
  if (type != Type::f32) return image;
  const float infinity = std::numeric_limits<float>::infinity();
  const float values[] = {infinity, -infinity, NAN, 0.0F, -0.0F};
  for (int k = 0; k < 5; ++k) {
    image.as<float>().data[3 * k] = values[k];
    image.as<float>().data[3 * k + 1] = values[(k + static_cast<int>(seed)) % 5];
  }
  return image;
}

double plain_difference(DifferenceRule rule, double a, double b, Type type) {
  if (rule == DifferenceRule::truth) return (a != 0) != (b != 0);
  if (type == Type::f32) {
    const float difference = static_cast<float>(a) - static_cast<float>(b);
    return std::isnan(difference) ? std::numeric_limits<double>::quiet_NaN() : difference;
  }
  if (type == Type::f64) {
    const double least = rule == DifferenceRule::i32 ? -2147483648.0 : 0, most = least + 4294967295;
    const bool whole = rule != DifferenceRule::numbers;
    const auto limited = [&](double value) {
      return whole ? std::clamp(value, least, most) : value;
    };
    const double difference = limited(a) - limited(b);
    return std::isnan(difference) ? std::numeric_limits<double>::quiet_NaN() : difference;
  }
  return a - b + (rule == DifferenceRule::numbers ? 0 : type == Type::u8 ? 128 : 32768);
}

template <class T>
void expect_plain_differences(Size size, DifferenceRule rule, int pixel_gap) {
  const Type type = TypeOf<T>::value;
  const Image a = operand(size, type, 1), values = operand(size, type, 2);
  Image truth(size, type);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      for (int c = 0; c < size.channels; ++c)
        store_sample(truth.view(), x, y, c, 0,
                     plain_difference(rule, sample_at(a.view(), x, y, c, 0),
                                      sample_at(values.view(), x, y, c, 0), type));
  // The output is its second operand, as in white top-hats.
  const Guarded out(size, type, pixel_gap);
  copy_samples(values.view(), out.view());
  const AnyView from = a.view(), to = out.view();
  const MorphologySubtractArgs args{
      from.data, out.view().data, out.view().data, from.pixel,    from.row,    to.pixel, to.row,
      to.pixel,  to.row,          size.width,      size.channels, size.height, rule};
  const auto blocks = [](int count, int each) {
    return static_cast<unsigned>((count + each - 1) / each);
  };
  testing::run_each_thread({blocks(size.width * size.channels, kSubtractKnobs.threads),
                            blocks(size.height, kSubtractKnobs.rows)},
                           static_cast<unsigned>(kSubtractKnobs.threads),
                           [&] { morphology_subtract_rows<T, kSubtractKnobs>(args); });
  EXPECT_EQ(bytes_of_view(out.view()), bytes_of_view(truth.view()));
  EXPECT_TRUE(out.untouched_outside());
}

TEST(MorphologySubtractKernel, IsAPlainDifference) {
  for (const Size size : {Size{50, 19, 3}, Size{7, 3}, Size{129, 8}, Size{128, 9, 2}})
    for (const int pixel_gap : {0, 2}) {
      expect_plain_differences<unsigned char>(size, DifferenceRule::numbers, pixel_gap);
      expect_plain_differences<unsigned char>(size, DifferenceRule::shifted, pixel_gap);
      expect_plain_differences<unsigned char>(size, DifferenceRule::truth, pixel_gap);
      expect_plain_differences<unsigned short>(size, DifferenceRule::numbers, pixel_gap);
      expect_plain_differences<unsigned short>(size, DifferenceRule::shifted, pixel_gap);
      expect_plain_differences<float>(size, DifferenceRule::numbers, pixel_gap);
      for (const auto rule : {DifferenceRule::numbers, DifferenceRule::i32, DifferenceRule::u32})
        expect_plain_differences<double>(size, rule, pixel_gap);
    }
}

}  // namespace
}  // namespace tessera
