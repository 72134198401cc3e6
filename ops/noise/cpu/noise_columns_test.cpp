// SPDX-License-Identifier: Apache-2.0
// Sliding boxes against the definition, byte by byte.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "ops/noise/noise_check.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/views.hpp"

namespace tessera {
namespace {

using testing::Guarded, testing::same_samples;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// All of `problem` by columns; every `row_step`-th row by the reference.
void expect_same(const NoiseProblem& problem, AnyView in, int row_step = 1, int threads = 2) {
  Stream stream(kHost, threads);
  Guarded maps(problem.output.size, problem.output.type);
  make_noise_columns_cpu(problem)->run({in, 0}, {maps.view(), 0}, stream);
  EXPECT_TRUE(maps.untouched_outside());
  const auto reference = make_noise_reference(problem);
  for (int row = 0; row < in.size.height; row += row_step) {
    ImageInfo info = problem.output;
    info.size.height = 1;
    Image expected(info);
    reference->run({in, 0}, {expected.view(), row}, stream);
    ASSERT_TRUE(same_samples(expected.view(), maps.view().rows(row, 1))) << "row " << row;
  }
}

NoiseProblem problem_of(AnyView in, const NoiseOptions& options) {
  return make_noise_problem(in.info(), options);
}

/// Normal noise, the same for the same seed.
Image normal_image(Size size, unsigned seed) {
  Image image(size, Type::f32);
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::generate_n(image.as<float>().data, size.samples(), [&] { return normal(random); });
  return image;
}
Image image_by(Size size, const std::function<double(int, int)>& value) {
  Image image(size, Type::f32);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      image.as<float>().at(x, y) = static_cast<float>(value(x, y));
  return image;
}
void blank_some(Image& image, double share, unsigned seed) {
  std::mt19937 random(seed);
  std::bernoulli_distribution blank(share);
  float* first = image.as<float>().data;
  for (long long i = 0; i < image.info().size.samples(); ++i)
    if (blank(random)) first[i] = i % 3 ? kNan : std::numeric_limits<float>::infinity();
}

TEST(NoiseColumns, EveryTypeBorderAndMode) {
  unsigned seed = 0;
  for (const Type type : {Type::u8, Type::u16, Type::f32, Type::f64})
    for (const Border border :
         {Border::inside, Border::reflect, Border::reflect_101, Border::replicate})
      for (const NoiseMode mode : {NoiseMode::exact, NoiseMode::binned}) {
        const Image in = testing::random_image({61, 47}, type, ++seed);
        expect_same(problem_of(in.view(), {.box = {9, 6}, .mode = mode, .border = border}),
                    in.view());
      }
}

TEST(NoiseColumns, BoxesOfEveryShape) {
  for (const NoiseBox box : {NoiseBox{3, 3}, {4, 4}, {5, 12}, {33, 3}, {3, 40}, {64, 64}, {200, 7}})
    for (const Size size : {Size{1, 1}, {1, 50}, {50, 1}, {40, 33}}) {
      const Image in = normal_image(size, 3);
      for (const NoiseMode mode : {NoiseMode::exact, NoiseMode::binned})
        expect_same(problem_of(in.view(), {.box = box, .mode = mode}), in.view());
    }
}

TEST(NoiseColumns, AnyNumberOfQuantiles) {
  const Image in = normal_image({70, 30}, 4);
  for (const NoiseMode mode : {NoiseMode::exact, NoiseMode::binned})
    for (const NoiseQuantiles& quantiles :
         {NoiseQuantiles{{0.5}}, NoiseQuantiles{{0, 1}},
          NoiseQuantiles{{0.9, 0.01, 0.3, 0.5, 0.5001, 0.75, 0.99, 1}}})
      expect_same(problem_of(in.view(), {.box = {12, 12}, .mode = mode, .quantiles = quantiles}),
                  in.view());
}

/// Sources and holes beyond the bins: some pixels of a tile have a quantile there.
TEST(NoiseColumns, QuantilesInEndBins) {
  Image in = normal_image({290, 60}, 17);
  for (int i = 0; i < 40; ++i) {
    in.as<float>().at(i * 71 % 290, i * 13 % 60) = 50.0F + static_cast<float>(i);
    in.as<float>().at(i * 37 % 290, i * 29 % 60) = -50.0F - static_cast<float>(i);
  }
  for (const NoiseQuantiles& quantiles : {NoiseQuantiles{{0, 0.5}}, NoiseQuantiles{{0.5, 1}}})
    expect_same(
        problem_of(in.view(), {.box = {9, 9}, .mode = NoiseMode::binned, .quantiles = quantiles}),
        in.view(), 3);
}

TEST(NoiseColumns, TiesAndEqualValues) {
  const Image few = image_by({90, 80}, [](int x, int y) { return (x * 7 + y * 13) % 4; });
  const Image one = image_by({90, 80}, [](int, int) { return -2.5; });
  const Image zeros = image_by({90, 80}, [](int x, int y) { return (x + y) % 2 ? 0.0 : -0.0; });
  for (const Image* in : {&few, &one, &zeros})
    for (const NoiseMode mode : {NoiseMode::exact, NoiseMode::binned})
      expect_same(problem_of(in->view(), {.box = {16, 11}, .mode = mode}), in->view());
}

TEST(NoiseColumns, Blanks) {
  for (const double share : {0.01, 0.5, 0.9, 1.0})
    for (const NoiseMode mode : {NoiseMode::exact, NoiseMode::binned})
      for (const bool nomask : {false, true}) {
        Image in = normal_image({100, 60}, 5);
        blank_some(in, share, 6);
        expect_same(problem_of(in.view(), {.box = {14, 10}, .mode = mode, .nomask = nomask}),
                    in.view());
      }
  Image zeros = image_by({60, 60}, [](int x, int y) { return (x * y) % 5; });
  expect_same(problem_of(zeros.view(), {.box = {8, 8}, .zero_is_blank = true}), zeros.view());
}

TEST(NoiseColumns, BlankRowsEnterAndLeave) {
  Image in = normal_image({80, 120}, 7);
  for (int y = 0; y < 120; ++y)
    if (y % 40 > 25 || y % 7 == 0)
      for (int x = y % 3; x < 80; ++x) in.as<float>().at(x, y) = kNan;
  for (const NoiseMode mode : {NoiseMode::exact, NoiseMode::binned})
    expect_same(problem_of(in.view(), {.box = {15, 15}, .mode = mode, .nomask = true}), in.view());
}

/// Brackets must jump: the quantiles of one pixel say nothing of the next one's.
TEST(NoiseColumns, ImagesThatNoBracketFollows) {
  std::vector<Image> images;
  images.push_back(image_by({330, 70}, [](int x, int y) { return std::exp(0.2 * x) + y; }));
  images.push_back(image_by({330, 70}, [](int x, int y) { return (x + y) % 2 ? 1e30 : x - 1e30; }));
  images.push_back(image_by(
      {330, 70}, [](int x, int y) { return x / 20 % 2 ? 1e6 + y * 331 + x : -1e6 - y * 331 - x; }));
  images.push_back(image_by({330, 70}, [](int x, int y) { return (x * 7919 + y * 104729) % 331; }));
  images.push_back(image_by({330, 70}, [](int x, int y) { return x * 1000 + y; }));
  for (const Image& in : images)
    for (const NoiseMode mode : {NoiseMode::exact, NoiseMode::binned})
      for (const NoiseBox box : {NoiseBox{3, 3}, {18, 18}})
        expect_same(problem_of(in.view(), {.box = box, .mode = mode}), in.view(), 5);
}

TEST(NoiseColumns, TilesMeet) {
  Image in = normal_image({530, 520}, 8);
  for (int y = 0; y < 520; ++y)
    for (int x = 0; x < 530; ++x) in.as<float>().at(x, y) *= 1.0F + 0.01F * static_cast<float>(x);
  blank_some(in, 0.02, 9);
  for (const NoiseMode mode : {NoiseMode::exact, NoiseMode::binned})
    expect_same(problem_of(in.view(), {.box = {21, 20}, .mode = mode}), in.view(), 37);
}

/// Wide regions, high boxes, codes of several words, sums of 32 bits: against boxes by themselves,
/// for the reference would take long.
TEST(NoiseColumns, LargeBoxes) {
  const Image in = normal_image({700, 600}, 10);
  const NoiseLattice points{{0, 1, 255, 256, 257, 350, 511, 512, 699}, {0, 255, 256, 300, 599}};
  const std::size_t columns = points.columns.size(), rows = points.rows.size();
  for (const NoiseBox box : {NoiseBox{150, 300}, {300, 150}, {256, 256}, {1024, 1024}}) {
    const NoiseProblem problem = problem_of(in.view(), {.box = box});
    Stream stream(kHost, 2);
    Image maps(problem.output);
    make_noise_columns_cpu(problem)->run({in.view(), 0}, {maps.view(), 0}, stream);
    std::vector<double> values(2 * columns * rows);
    make_noise_points_cpu(problem)->at({in.view(), 0}, points, values.data(), stream);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const int x = points.columns[i % columns], y = points.rows[i / columns % rows];
      ASSERT_EQ(maps.as<float>().at(x, y, 0, static_cast<int>(i / columns / rows)),
                static_cast<float>(values[i]))
          << x << ", " << y;
    }
  }
}

/// A box of 256 columns and one output: the region is as narrow as can be, but the box's width is
/// more than a byte holds.
TEST(NoiseColumns, BoxesOf256ColumnsAndOneOutput) {
  for (const Size size : {Size{385, 6}, {1, 5}}) {
    const Image in = normal_image(size, 18);
    for (const NoiseBox box : {NoiseBox{256, 3}, {256, 256}})
      expect_same(problem_of(in.view(), {.box = box}), in.view(), 3);
    expect_same(make_percentile_problem(in.info(), 30, {.box = {256, 3}}), in.view(), 3);
  }
}

/// Only the first column of the second tile reaches the outliers, which are computed exactly.
TEST(NoiseColumns, BoxesOf256ColumnsByBins) {
  Image in = normal_image({300, 12}, 19);
  for (int y = 0; y < 12; ++y) in.as<float>().at(128, y) = -50;
  const NoiseProblem problem =
      problem_of(in.view(), {.box = {256, 5}, .mode = NoiseMode::binned, .quantiles = {{0, 0.5}}});
  expect_same(problem, in.view(), 5);
}

TEST(NoiseColumns, LargeBoxesByBins) {
  const Image in = normal_image({60, 300}, 16);
  for (const NoiseBox box : {NoiseBox{300, 20}, {20, 300}, {256, 256}, {400, 400}})
    expect_same(problem_of(in.view(), {.box = box, .mode = NoiseMode::binned}), in.view(), 101);
}

TEST(NoiseColumns, ManyBinsAndFew) {
  const Image in = normal_image({80, 60}, 11);
  for (const int bins : {8, 17, 100, 5000, 65535})
    expect_same(problem_of(in.view(), {.box = {10, 10}, .mode = NoiseMode::binned, .bins = bins}),
                in.view(), 3);
}

TEST(NoiseColumns, ByRank) {
  for (const Type type : {Type::u8, Type::u16, Type::f32, Type::f64})
    for (const Border border : {Border::constant, Border::wrap, Border::reflect, Border::inside}) {
      const Image in = testing::random_image({50, 40}, type, 12);
      for (const double percentile : {0.0, 20.0, 50.0, 100.0, -10.0}) {
        PercentileOptions options{.box = {7, 10}, .border = border, .constant = 3};
        const NoiseProblem problem = make_percentile_problem(in.info(), percentile, options);
        expect_same(problem, in.view());
      }
    }
}

TEST(NoiseColumns, ViewsWithSteps) {
  const Image whole = normal_image({140, 90}, 13);
  const AnyView in = testing::every_second_upwards(whole.view(), {70, 45});
  for (const NoiseMode mode : {NoiseMode::exact, NoiseMode::binned})
    expect_same(problem_of(in, {.box = {9, 9}, .mode = mode}), in);
}

TEST(NoiseColumns, PiecesOfAnImage) {
  const Image in = normal_image({300, 600}, 14);
  for (const NoiseMode mode : {NoiseMode::exact, NoiseMode::binned}) {
    const NoiseProblem problem = problem_of(in.view(), {.box = {20, 31}, .mode = mode});
    const auto columns = make_noise_columns_cpu(problem);
    Stream stream(kHost, 2);
    Image whole(problem.output);
    columns->run({in.view(), 0}, {whole.view(), 0}, stream);
    for (const Rows rows : {Rows{0, 7}, {250, 261}, {300, 301}, {512, 600}}) {
      const Rows needs = problem.needs(rows);
      const int first = std::max(0, needs.first), end = std::min(600, needs.end);
      ImageInfo info = problem.output;
      info.size.height = rows.count();
      Image part(info);
      columns->run({in.view().rows(first, end - first), first}, {part.view(), rows.first}, stream);
      EXPECT_TRUE(same_samples(part.view(), AnyView(whole.view()).rows(rows.first, rows.count())));
    }
  }
}

TEST(NoiseColumns, EveryInstructionSet) {
  const Image in = normal_image({120, 70}, 15);
  for (const std::string& isa : isa_names()) {
    const testing::ForcedIsa forced(isa);
    for (const NoiseMode mode : {NoiseMode::exact, NoiseMode::binned})
      for (const NoiseBox box : {NoiseBox{12, 10}, {200, 12}, {12, 300}})
        expect_same(problem_of(in.view(), {.box = box, .mode = mode}), in.view(), 9);
  }
}

}  // namespace
}  // namespace tessera
