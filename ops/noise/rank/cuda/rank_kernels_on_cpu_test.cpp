// SPDX-License-Identifier: Apache-2.0
// The kernels of rank filters, run thread by thread on the CPU: the reference's bytes. Only a GPU
// can show speed and the driver.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "core/piece_launch.hpp"
#include "ops/noise/rank/cuda/rank_cuda.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/warps_on_cpu.hpp"
// After the shim, which these are read through.
#include "ops/noise/rank/cuda/rank_bisect.cuh"
#include "ops/noise/rank/cuda/rank_square.cuh"

namespace tessera {
namespace {

using testing::bytes_of_view;

/// Ties, NaN, zeros of both signs and infinities.
Image image_with_everything(Size size, Type type) {
  Image image = testing::random_image(size, type, 7);
  if (type != Type::f32) return image;
  const View<float> v = image.as<float>();
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const int k = y * size.width + x;
      if (k % 5 == 0) v.at(x, y) = 0.25F;
      if (k % 7 == 0) v.at(x, y) = k % 2 ? 0.0F : -0.0F;
      if (k % 31 == 0) v.at(x, y) = std::numeric_limits<float>::quiet_NaN();
    }
  v.at(1, 1) = std::numeric_limits<float>::infinity();
  return image;
}

template <class T>
void run_rank_kernel(const RankArgs& args, RankKnobs knobs, int rows,
                     const std::function<void()>& kernel) {
  const unsigned across =
      static_cast<unsigned>((args.out_width * args.channels + knobs.threads - 1) / knobs.threads);
  testing::run_each_thread({across, static_cast<unsigned>((rows + knobs.rows - 1) / knobs.rows)},
                           static_cast<unsigned>(knobs.threads), kernel);
}

/// The kernel of the given side (0: any footprint) against the reference.
template <class T, int kSide, RankKnobs knobs = usual_rank_knobs(kSide)>
void expect_reference(Size size, const Image& footprint, const RankOptions& options) {
  const Image in = image_with_everything(size, TypeOf<T>::value);
  const RankProblem problem = make_rank_problem(in.info(), footprint.view(), options);
  Image made(problem.output), truth(problem.output);
  Stream stream;
  make_rank_reference(problem)->run({in.view(), 0}, {truth.view(), 0}, stream);
  RankArgs args = rank_args(problem, {in.view(), 0}, {made.view(), 0});
  const std::vector<RankPixel> pixels = rank_pixels(problem);
  args.pixels = pixels.data();
  for (args.plane = 0; args.plane < size.planes; ++args.plane) {
    move_to_part(args, {in.view(), 0}, {made.view(), 0}, {0, size.height}, args.plane);
    if constexpr (kSide == 0)
      run_rank_kernel<T>(args, kRankBisectKnobs, size.height,
                         [&] { rank_bisect_column<T, kRankBisectKnobs>(args); });
    else
      run_rank_kernel<T>(args, knobs, size.height,
                         [&] { rank_square_column<T, kSide, knobs>(args); });
  }
  const Size shape = footprint.info().size;
  EXPECT_EQ(bytes_of_view(made.view()), bytes_of_view(truth.view())) << fmt::format(
      "{}x{}x{}, {}", shape.planes, shape.height, shape.width, changed_options(options));
}

const std::vector<Border> kRankBorders{Border::reflect, Border::constant,    Border::replicate,
                                       Border::wrap,    Border::reflect_101, Border::inside};

template <int kSide>
void squares() {
  const Image box = box_element(kSide, kSide);
  for (const Border border : kRankBorders) {
    expect_reference<float, kSide>({21, 13}, box, {.border = border, .constant = 0.5});
    expect_reference<unsigned char, kSide>({9, 6, 3}, box,
                                           {.percentile = 30, .border = border, .constant = 7});
  }
  for (const int rank : {0, 1, kSide * kSide / 2 - 1, -2, -1})
    expect_reference<unsigned short, kSide>({17, 9}, box, {.rank = rank});
  expect_reference<double, kSide>({12, 11}, box, {.anchor = Point{0, kSide - 1}});
}

template <int kSide>
void small_squares() {
  constexpr RankKnobs knobs = small_rank_knobs(kSide);
  for (const Border border : kRankBorders)
    expect_reference<float, kSide, knobs>({21, 13}, box_element(kSide, kSide), {.border = border});
}

TEST(RankSquareKernel, SmallImages) {
  small_squares<3>();
  small_squares<5>();
}
TEST(RankSquareKernel, ThreeByThree) { squares<3>(); }
TEST(RankSquareKernel, FiveByFive) { squares<5>(); }
TEST(RankSquareKernel, SevenBySeven) { squares<7>(); }

TEST(RankBisectKernel, AnyFootprint) {
  for (const Border border : kRankBorders)
    for (const char* footprint : {"disk:2.5", "line:7,30", "box:4x2"}) {
      const Image shape = element_from_text(footprint);
      expect_reference<float, 0>({15, 11}, shape, {.border = border, .constant = -0.0});
      expect_reference<unsigned char, 0>({9, 6, 3}, shape,
                                         {.percentile = 80, .border = border, .constant = 300});
      expect_reference<double, 0>({7, 9}, shape, {.rank = 0, .border = border});
      expect_reference<unsigned short, 0>({8, 5}, shape, {.border = border});
    }
}

/// Windows that reach beyond the first and the last plane, and further than the image is deep.
TEST(RankBisectKernel, FootprintsOfSeveralPlanes) {
  Image cube({3, 2, 1, 3}, Type::u8), pole({1, 1, 1, 9}, Type::u8);
  for (Image* shape : {&cube, &pole})
    std::memset(shape->view().data, 1, static_cast<std::size_t>(bytes_of(shape->info())));
  *static_cast<unsigned char*>(cube.view().address(0, 0, 1)) = 0;
  for (const Border border : kRankBorders)
    for (const Image* shape : {&cube, &pole}) {
      expect_reference<float, 0>({7, 5, 1, 4}, *shape, {.border = border, .constant = 0.25});
      expect_reference<unsigned char, 0>({4, 6, 3, 2}, *shape,
                                         {.percentile = 30, .border = border, .constant = 9});
    }
}

}  // namespace
}  // namespace tessera
