// SPDX-License-Identifier: Apache-2.0
// The kernel that joins the planes of a filter, run thread by thread on the CPU: the values of a
// plain loop. Only a GPU can show speed and the driver.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/cuda/volume_join_args.cuh"
#include "core/samples.hpp"
#include "tests/support/poison.hpp"
// The shim, after all other headers, then what is read through it.
#include "tests/support/block_on_cpu.hpp"
//
#include "core/cuda/volume_join.cuh"

namespace tessera {
namespace {

using testing::Guarded;
using testing::random_image;

/// Infinities, NaN and zeros of both signs among the values of floats.
Image given_rows(Size size, Type type, unsigned seed) {
  Image image = random_image(size, type, seed);
  const double strange[] = {INFINITY, -INFINITY, NAN, 0.0, -0.0};
  if (!is_integer(type))
    for (int k = 0; k < 5; ++k)
      store_sample(image.view(), (3 * k + static_cast<int>(seed)) % size.width, 0, 0, 0,
                   strange[(k + seed) % 5]);
  return image;
}

/// The minimum of zeros is the negative one.
double plain_choice(Join join, double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::quiet_NaN();
  if (a == b) return std::signbit(a) == (join == Join::minimum) ? a : b;
  return join == Join::minimum ? std::fmin(a, b) : std::fmax(a, b);
}

/// The factor of a slice, and the value of those that have no rows.
double factor_of(int slice) { return 0.25 * (slice % 7) - 0.5; }
constexpr double kOutside = 3;

template <Join join, class T>
T plain_join(const std::vector<Image>& given, int slices, int x, int y, int c) {
  T sum{};
  double best = join == Join::minimum ? std::numeric_limits<double>::infinity()
                                      : -std::numeric_limits<double>::infinity();
  for (int k = 0; k < slices; ++k) {
    const bool outside = k % 5 == 4;
    const double value =
        outside ? kOutside : sample_at(given[static_cast<std::size_t>(k % 3)].view(), x, y, c, 0);
    const T factor = outside ? T{1} : static_cast<T>(factor_of(k));
    const T product = static_cast<T>(factor * static_cast<T>(value));
    sum = static_cast<T>(sum + product);
    best = plain_choice(join, best, value);
  }
  return join == Join::sum ? sum : static_cast<T>(best);
}

struct Steps {
  Size size;
  int pixel_gap, slices;
};

template <Join join, class T, class Out>
void expect_plain_join(const Steps& s) {
  const Type in = TypeOf<T>::value, type = TypeOf<Out>::value;
  std::vector<Image> given;
  for (unsigned seed = 1; seed <= 3; ++seed) given.push_back(given_rows(s.size, in, seed));
  Image truth(s.size, type), so_far(s.size, in);
  for (int y = 0; y < s.size.height; ++y)
    for (int x = 0; x < s.size.width; ++x)
      for (int c = 0; c < s.size.channels; ++c)
        store_sample(truth.view(), x, y, c, 0,
                     static_cast<double>(plain_join<join, T>(given, s.slices, x, y, c)));
  const Guarded out(s.size, type, s.pixel_gap);
  const AnyMutableView to = out.view();
  VolumeJoinArgs args{};
  args.so_far = so_far.view().data;
  args.out = to.data;
  args.out_pixel = to.pixel;
  args.out_row = to.row;
  args.columns = s.size.width;
  args.channels = s.size.channels;
  args.rows = s.size.height;
  const auto blocks = [](int count, int each) {
    return static_cast<unsigned>((count + each - 1) / each);
  };
  for (int next = 0; next < s.slices;) {
    args.begins = next == 0;
    for (args.count = 0; args.count < kSlicesPerLaunch && next < s.slices; ++args.count, ++next)
      args.slices[args.count] =
          next % 5 == 4 ? JoinedSlice{nullptr, 1, kOutside}
                        : JoinedSlice{given[static_cast<std::size_t>(next % 3)].view().data,
                                      factor_of(next), 0};
    args.ends = next == s.slices;
    testing::run_each_thread({blocks(s.size.width * s.size.channels, kVolumeJoinKnobs.threads),
                              blocks(s.size.height, kVolumeJoinKnobs.rows)},
                             static_cast<unsigned>(kVolumeJoinKnobs.threads),
                             [&] { volume_join_rows<join, T, Out, kVolumeJoinKnobs>(args); });
  }
  for (int y = 0; y < s.size.height; ++y)
    for (int x = 0; x < s.size.width; ++x)
      for (int c = 0; c < s.size.channels; ++c) {
        const double made = sample_at(AnyView(to), x, y, c, 0);
        const double expected = sample_at(truth.view(), x, y, c, 0);
        ASSERT_TRUE(std::isnan(made)
                        ? std::isnan(expected)
                        : made == expected && std::signbit(made) == std::signbit(expected))
            << made << " instead of " << expected << " at " << x << ", " << y << ", " << c << ", "
            << s.slices << " slices";
      }
  EXPECT_TRUE(out.untouched_outside());
}

TEST(VolumeJoinKernel, IsAPlainLoop) {
  for (const Size size : {Size{50, 19, 3}, Size{17, 3}, Size{129, 8}, Size{128, 9, 2}})
    for (const int pixel_gap : {0, 2})
      for (const int slices : {1, 4, 32, 33, 70}) {
        const Steps steps{size, pixel_gap, slices};
        expect_plain_join<Join::sum, float, unsigned char>(steps);
        expect_plain_join<Join::sum, float, unsigned short>(steps);
        expect_plain_join<Join::sum, float, float>(steps);
        expect_plain_join<Join::sum, double, float>(steps);
        expect_plain_join<Join::sum, double, double>(steps);
        expect_plain_join<Join::minimum, unsigned char, unsigned char>(steps);
        expect_plain_join<Join::maximum, unsigned short, unsigned short>(steps);
        expect_plain_join<Join::minimum, float, float>(steps);
        expect_plain_join<Join::maximum, double, double>(steps);
      }
}

}  // namespace
}  // namespace tessera
