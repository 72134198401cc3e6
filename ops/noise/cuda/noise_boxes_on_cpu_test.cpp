// SPDX-License-Identifier: Apache-2.0
// The kernel of boxes, run thread by thread on the CPU: the reference's bytes. Only a GPU
// can show speed and the driver.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ops/noise/cuda/noise_boxes_cuda.hpp"
#include "ops/noise/noise_check.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/warps_on_cpu.hpp"
// After the shim, which this is read through.
#include "ops/noise/cuda/noise_boxes.cuh"
#include "tests/support/short_view.hpp"

namespace tessera {

/// The shared memory of the block that runs.
unsigned long long noise_box_memory[8192];

namespace {

using testing::bytes_of_view;
using testing::random_image;

/// Ties, blanks, zeros of both signs and a source.
Image image_with_everything(Size size, Type type) {
  Image image = random_image(size, type, 7);
  if (type != Type::f32) return image;
  const View<float> v = image.as<float>();
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const int k = y * size.width + x;
      if (k % 5 == 0) v.at(x, y) = 0.25F;
      if (k % 7 == 0) v.at(x, y) = k % 2 ? 0.0F : -0.0F;
      if (k % 11 == 0) v.at(x, y) = std::numeric_limits<float>::quiet_NaN();
      if (k % 23 == 0) v.at(x, y) = 50;
    }
  v.at(1, 1) = std::numeric_limits<float>::infinity();
  return image;
}

template <class T, int kThreads>
void run_kernel(const NoiseProblem& problem, const Image& in, Image& out, bool keeps) {
  NoiseBoxesArgs args = noise_boxes_args(problem);
  static_cast<PieceArgs&>(args) = noise_piece(problem, {in.view(), 0}, {out.view(), 0});
  args.out_type = problem.output.type;
  args.keeps = keeps;
  const int bytes = noise_boxes_shared_bytes(args, sizeof(typename NoiseKeys<T>::Key));
  ASSERT_LE(bytes, static_cast<int>(sizeof noise_box_memory) - 8);
  std::fill(std::begin(noise_box_memory), std::end(noise_box_memory), 0x7777777777777777ULL);
  const Size size = in.info().size;
  testing::run_warps({static_cast<unsigned>(size.width), static_cast<unsigned>(size.height)},
                     kThreads, [&] { noise_boxes_point<T, kThreads>(args); });
  EXPECT_TRUE(std::all_of(noise_box_memory + (bytes + 7) / 8, std::end(noise_box_memory),
                          [](unsigned long long v) { return v == 0x7777777777777777ULL; }))
      << "shared memory written past its end";
}

Image by_reference(const NoiseProblem& problem, const Image& in) {
  Image out(problem.output);
  Stream stream;
  make_noise_reference(problem)->run({in.view(), 0}, {out.view(), 0}, stream);
  return out;
}

template <class T, int kThreads>
void expect_reference(const NoiseProblem& problem, bool keeps) {
  const Image in = image_with_everything(problem.image.size, problem.image.type);
  Image made(problem.output);
  run_kernel<T, kThreads>(problem, in, made, keeps);
  EXPECT_EQ(bytes_of_view(made.view()),
            bytes_of_view(testing::short_view(by_reference(problem, in))));
}

template <class T>
NoiseProblem problem_of(const NoiseOptions& options, Size size = {6, 5}) {
  return make_noise_problem({size, TypeOf<T>::value}, options);
}

TEST(NoiseBoxesKernel, QuartilesOfFloatsAtEveryBorder) {
  for (const Border border :
       {Border::inside, Border::reflect, Border::reflect_101, Border::replicate})
    expect_reference<float, 32>(problem_of<float>({.box = {6, 5}, .border = border}), true);
}

TEST(NoiseBoxesKernel, QuantilesOfOtherTypesByBlocks) {
  const NoiseOptions options{.box = {9, 11}, .quantiles = {{0, 0.1, 0.5, 0.93, 1}}};
  expect_reference<unsigned char, 64>(problem_of<unsigned char>(options, {5, 3}), true);
  expect_reference<unsigned short, 64>(problem_of<unsigned short>(options, {5, 3}), false);
  expect_reference<double, 64>(problem_of<double>(options, {5, 3}), false);
}

TEST(NoiseBoxesKernel, MedianDistances) {
  const NoiseOptions options{.box = {7, 4}, .estimator = NoiseEstimator::mad, .nomask = true};
  expect_reference<float, 32>(problem_of<float>(options), true);
  expect_reference<unsigned char, 32>(problem_of<unsigned char>(options, {4, 3}), false);
}

TEST(NoiseBoxesKernel, ScipysPercentilesOutsideTheImageToo) {
  PercentileOptions options{.box = {5, 4}, .border = Border::constant, .constant = 0.125};
  expect_reference<float, 32>(make_percentile_problem({{7, 6}, Type::f32}, 30, options), true);
  options.border = Border::wrap;
  expect_reference<unsigned char, 32>(make_percentile_problem({{7, 3}, Type::u8}, 100, options),
                                      true);
}

TEST(NoiseBoxesKernel, ClippedSumsAgreeToRounding) {
  for (const NoiseEstimator estimator : {NoiseEstimator::clip, NoiseEstimator::mode}) {
    const NoiseProblem problem = problem_of<double>(
        {.box = {12, 9}, .estimator = estimator, .border = Border::reflect}, {6, 4});
    Image in = random_image(problem.image.size, Type::f64, 3);
    in.as<double>().at(3, 2) = 40;
    const Image expected = by_reference(problem, in);
    Image made(problem.output);
    run_kernel<double, 64>(problem, in, made, true);
    for (int k = 0; k < made.info().size.samples(); ++k)
      EXPECT_NEAR(made.as<double>().data[k], expected.as<double>().data[k], 1e-12);
  }
}

}  // namespace
}  // namespace tessera
