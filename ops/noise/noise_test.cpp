// SPDX-License-Identifier: Apache-2.0
// Every method against the reference: byte by byte, except for clipped means, whose sums may
// differ in their last bits between backends.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <span>

#include "ops/noise/noise_check.hpp"
#include "ops/noise/rank/rank_problem.hpp"
#include "tessera/percentile_filter.hpp"
#include "tests/support/noise_images.hpp"
#include "tests/support/picker.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/views.hpp"

namespace tessera {
namespace {

using testing::bytes_of_view;
using testing::Guarded;
using testing::noise_image;
using testing::noise_plan;
using testing::Picker;

/// One problem of the sweep.
struct Case {
  Size size;
  Type type;
  std::string filling;
  int pixel_gap;
  NoiseOptions options;

  std::string name() const {
    return fmt::format("{}x{} {} {}, gap {}, {}", size.width, size.height, name_of(type), filling,
                       pixel_gap, changed_options(options));
  }
};

/// Less of an image where the reference would take long.
Size affordable(Size size, const NoiseOptions& options) {
  const long long most = testing::run_small() ? 50'000 : 700'000;
  const long long box = 1LL * options.box.width * options.box.height;
  while (size.pixels() * box > most && size.height > 3) size.height -= 1 + size.height / 4;
  while (size.pixels() * box > most && size.width > 3) size.width -= 1 + size.width / 4;
  return size;
}

Case make_case(int k) {
  Picker p(k);
  Case c;
  c.size = p.pick<Size>({{1, 1},
                         {2, 5},
                         {17, 9},
                         {70, 65},
                         {130, 40},
                         {1, 40},
                         {300, 3},
                         {40, 270},
                         {257, 12},
                         {64, 64},
                         {33, 31},
                         {5, 2}});
  c.options.box = p.pick<NoiseBox>({{3, 3},
                                    {4, 4},
                                    {7, 7},
                                    {16, 16},
                                    {33, 5},
                                    {64, 64},
                                    {5, 40},
                                    {3, 64},
                                    {9, 8},
                                    {15, 3},
                                    {24, 24},
                                    {300, 3},
                                    {3, 500},
                                    {10, 4},
                                    {31, 31}});
  c.options.border =
      p.pick<Border>({Border::inside, Border::reflect, Border::reflect_101, Border::replicate});
  c.type = p.pick<Type>({Type::f32, Type::f64, Type::u16, Type::u8, Type::f32});
  c.filling = p.pick(testing::noise_fillings());
  c.pixel_gap = p.pick<int>({0, 1, 0, 3});
  c.options.mode = p.pick<NoiseMode>({NoiseMode::exact, NoiseMode::exact, NoiseMode::binned});
  const int bins = p.pick<int>({1024, 8, 64, 65535, 1000});
  if (c.options.mode == NoiseMode::binned) c.options.bins = bins;
  c.options.nomask = p.pick<int>({0, 0, 1}) == 1;
  c.options.zero_is_blank = p.pick<int>({0, 0, 0, 0, 1}) == 1;
  const bool normal = p.pick<int>({0, 0, 0, 0, 0, 0, 1}) == 1;
  c.options.two_pass = p.pick<int>({0, 0, 0, 0, 0, 1}) == 1;
  const auto quantiles = p.pick<std::vector<double>>(
      {{}, {}, {}, {0.5}, {}, {}, {1, 0}, {}, {0.1, 0.9, 0.25, 0.1, 0.75, 0.5, 0.3, 0.999}});
  const auto estimator =
      p.pick<NoiseEstimator>({NoiseEstimator::iqr, NoiseEstimator::iqr, NoiseEstimator::mad,
                              NoiseEstimator::iqr, NoiseEstimator::clip, NoiseEstimator::mode});
  if (c.options.mode == NoiseMode::exact) c.options.estimator = estimator;
  if (c.options.estimator == NoiseEstimator::iqr) {
    if (!c.options.two_pass) c.options.quantiles.orders = quantiles;
    c.options.normal = normal && c.options.quantiles.orders.empty();
  }
  c.size = affordable(c.size, c.options);
  return c;
}

bool clips(const NoiseOptions& options) {
  return options.estimator == NoiseEstimator::clip || options.estimator == NoiseEstimator::mode;
}

/// To 1e-12 of the larger of background and noise, except for the last rounding to the map's type.
void expect_close(const Image& truth, AnyView got, Type type) {
  const double tolerance = 1e-12 + (type == Type::f32 ? 1.2e-7 : 2.3e-16);
  for (int y = 0; y < got.size.height; ++y)
    for (int x = 0; x < got.size.width; ++x) {
      double scale = 0;
      for (int p = 0; p < 2; ++p)
        if (const double size = std::abs(sample_at(truth.view(), x, y, 0, p)); !std::isnan(size))
          scale += size;
      for (int p = 0; p < 2; ++p) {
        const double want = sample_at(truth.view(), x, y, 0, p), have = sample_at(got, x, y, 0, p);
        EXPECT_TRUE(std::isnan(want) ? std::isnan(have)
                                     : std::abs(want - have) <= tolerance * scale)
            << "at " << x << ", " << y << ": " << have << " for " << want;
      }
    }
}

void check_case(const Case& c, unsigned seed, Backend backend) {
  const Image values = noise_image(c.size, c.type, c.filling, seed);
  const Guarded in(c.size, c.type, c.pixel_gap);
  copy_samples(values.view(), in.view());
  NoiseOptions options = c.options;
  options.method = "reference";
  const Noise reference(values.info(), options);
  Image truth(reference.output());
  reference(values.view(), truth.view());
  for (const NoiseMethod& method : noise_methods()) {
    if (method.backend != backend || method.name == options.method) continue;
    SCOPED_TRACE(fmt::format("{} {}: {}", name_of(backend), method.name, c.name()));
    const auto plan = noise_plan(method, values.info(), c.options);
    if (!plan) continue;
    const Guarded out(plan->output().size, plan->output().type, c.pixel_gap);
    (*plan)(in.view(), out.view());
    if (clips(c.options))
      expect_close(truth, out.view(), plan->output().type);
    else
      EXPECT_TRUE(testing::same_samples(truth.view(), out.view()));
    EXPECT_TRUE(out.untouched_outside());
  }
}

void sweep(Backend backend) {
  const int count = testing::run_all() ? 3000 : testing::run_small() ? 30 : 120;
  for (int k = 0; k < count && !::testing::Test::HasFailure(); ++k)
    check_case(make_case(k), static_cast<unsigned>(k), backend);
}

TEST(Noise, CpuMatchesReference) { sweep(Backend::cpu); }

TEST(NoiseCuda, MatchesReference) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  sweep(Backend::cuda);
}

/// Boxes of 64 and more in an image of several tiles: where methods slide for long.
void large_boxes(Backend backend) {
  for (const auto& [box, filling] : std::vector<std::pair<NoiseBox, std::string>>{
           {{64, 64}, "normal"}, {{65, 33}, "sources"}, {{40, 90}, "1 % blank"}}) {
    for (const NoiseMode mode : {NoiseMode::exact, NoiseMode::binned}) {
      Case c{{530, 5}, Type::f32, filling, 0, {.box = box, .mode = mode}};
      check_case(c, 11, backend);
      c.size = {6, 530};
      check_case(c, 12, backend);
    }
  }
}

TEST(Noise, CpuLargeBoxesMatchReference) { large_boxes(Backend::cpu); }

TEST(NoiseCuda, LargeBoxesMatchReference) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  large_boxes(Backend::cuda);
}

void percentiles(Backend backend) {
  for (const Border border : {Border::reflect, Border::reflect_101, Border::replicate,
                              Border::constant, Border::wrap, Border::inside})
    for (const Type type : {Type::f32, Type::u8, Type::u16, Type::f64})
      for (const double percent : {0.0, 20.0, 50.0, 99.5, 100.0, -30.0}) {
        const NoiseBox box = percent == 20 ? NoiseBox{1, 6} : NoiseBox{7, 4};
        const Image in = noise_image({37, 22}, type, percent == 0 ? "half blank" : "ties", 4);
        PercentileOptions options{.box = box, .border = border, .constant = 2.5};
        options.method = "reference";
        const auto truth =
            bytes_of_view(testing::short_view(percentile_filter(in.view(), percent, options)));
        for (const RankMethod& method : rank_methods()) {
          if (method.backend != backend) continue;
          options.backend = backend;
          options.method = method.name;
          const auto got =
              testing::if_offered([&] { return percentile_filter(in.view(), percent, options); });
          EXPECT_TRUE(!got || bytes_of_view(got->view()) == truth)
              << fmt::format("{} {}, {} {} {}", name_of(backend), method.name, name_of(border),
                             name_of(type), percent);
        }
      }
}

TEST(PercentileFilter, CpuMatchesReference) { percentiles(Backend::cpu); }

TEST(PercentileFilterCuda, MatchesReference) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  percentiles(Backend::cuda);
}

/// Sorted values of the box about a pixel that lies well inside.
std::vector<double> sorted_box(const Image& in, NoiseBox box, int x, int y) {
  std::vector<double> values;
  for (int j = y - box.above(); j <= y + box.below(); ++j)
    for (int i = x - box.left(); i <= x + box.right(); ++i)
      values.push_back(in.as<double>().at(i, j));
  std::sort(values.begin(), values.end());
  return values;
}

TEST(Noise, BinnedStaysWithinItsBound) {
  const Image in = noise_image({70, 60}, Type::f64, "normal", 5);
  const NoiseBox box{31, 24};
  for (const int bins : {64, 1024, 4096}) {
    NoiseOptions options{.box = box, .mode = NoiseMode::binned, .quantiles = {{0.2, 0.5, 0.75}}};
    options.bins = bins;
    options.method = "reference";
    const Image maps = noise_quantiles(in.view(), options);
    // The image's own noise is 1, within 5 %.
    const double width = 12 * 1.05 / bins;
    for (int y = 15; y < 45; ++y)
      for (int x = 20; x < 50; ++x) {
        const std::vector<double> sorted = sorted_box(in, box, x, y);
        for (int p = 0; p < 3; ++p) {
          const int count = static_cast<int>(sorted.size());
          const int index = quantile_place(options.quantiles.orders[p], count).index;
          EXPECT_GE(maps.as<double>().at(x, y, 0, p), sorted[index] - width);
          EXPECT_LE(maps.as<double>().at(x, y, 0, p), sorted[index] + 1.5 * width);
        }
      }
  }
}

TEST(Noise, TwoPassIsTheNoiseOfTheDifference) {
  const Image in = noise_image({60, 50}, Type::f64, "ramp", 5);
  NoiseOptions options{.box = {9, 9}, .backend = Backend::cpu, .method = "boxes"};
  const NoiseMaps once = noise(in.view(), options);
  Image difference(in.info());
  for (int k = 0; k < 60 * 50; ++k)
    difference.as<double>().data[k] =
        in.as<double>().data[k] - once.background.as<double>().data[k];
  const NoiseMaps second = noise(difference.view(), options);
  options.two_pass = true;
  const NoiseMaps maps = noise(in.view(), options);
  EXPECT_EQ(bytes_of_view(maps.background.view()), bytes_of_view(once.background.view()));
  EXPECT_EQ(bytes_of_view(maps.rms.view()), bytes_of_view(second.rms.view()));
  EXPECT_EQ(maps.rms.as<double>().at(30, 25), 0) << "a ramp is all background";
  EXPECT_GT(once.rms.as<double>().at(30, 25), 1);
}

/// Differences beyond the range of double are infinite or NaN, and NaN are all the same.
TEST(Noise, DifferencesThatOverflowGiveTheReferencesBytes) {
  Image in(Size{30, 20}, Type::f64);
  for (int k = 0; k < 600; ++k)
    in.as<double>().data[k] = (k * 7 % 3 ? 1.5e308 : -1.5e308) / (1 + k % 2);
  bool overflows = false;
  for (const auto estimator : {NoiseEstimator::iqr, NoiseEstimator::mad}) {
    NoiseOptions options{.box = {5, 4}, .estimator = estimator, .method = "reference"};
    options.backend = Backend::cpu;
    const NoiseMaps truth = noise(in.view(), options);
    for (const double rms : std::span(truth.rms.as<double>().data, 600)) {
      overflows |= !std::isfinite(rms);
      EXPECT_FALSE(std::isnan(rms) && std::signbit(rms));
    }
    options.method = "auto";
    const NoiseMaps maps = noise(in.view(), options);
    EXPECT_EQ(bytes_of_view(maps.rms.view()), bytes_of_view(truth.rms.view()));
    EXPECT_EQ(bytes_of_view(maps.background.view()), bytes_of_view(truth.background.view()));
  }
  EXPECT_TRUE(overflows);
}

TEST(Noise, FillsFromTheNearestPixel) {
  Image in = noise_image({40, 30}, Type::f32, "normal", 5);
  for (int y = 5; y < 25; ++y)
    for (int x = 10; x < 30; ++x) in.as<float>().at(x, y) = std::numeric_limits<float>::quiet_NaN();
  const NoiseOptions options{.box = {5, 5}, .backend = Backend::cpu, .method = "boxes"};
  const NoiseMaps holes = noise(in.view(), options), filled = noise(in.view(), options, true);
  EXPECT_TRUE(std::isnan(holes.rms.as<float>().at(10, 14)));
  EXPECT_EQ(filled.rms.as<float>().at(10, 14), holes.rms.as<float>().at(9, 14));
  EXPECT_EQ(filled.rms.as<float>().at(20, 24), holes.rms.as<float>().at(20, 25));
  for (int k = 0; k < 40 * 30; ++k) EXPECT_FALSE(std::isnan(filled.rms.as<float>().data[k]));
}

/// The two share a block of memory: either may go first.
TEST(Noise, MapsOutliveEachOther) {
  const Image in = noise_image({40, 30}, Type::f32, "normal", 5);
  const NoiseOptions options{.box = {5, 5}, .backend = Backend::cpu};
  const Noise plan(in.info(), options);
  Image both(plan.output());
  plan(in.view(), both.view());
  const Image background = noise(in.view(), options).background;
  const Image rms = noise(in.view(), options).rms;
  EXPECT_EQ(bytes_of_view(background.view()), bytes_of_view(both.view().only_plane(0)));
  EXPECT_EQ(bytes_of_view(rms.view()), bytes_of_view(both.view().only_plane(1)));
}

TEST(Noise, EmptyImagesGiveEmptyMaps) {
  for (const Size size : {Size{0, 5}, Size{5, 0}, Size{0, 0}})
    for (const NoiseMode mode : {NoiseMode::exact, NoiseMode::binned, NoiseMode::grid}) {
      NoiseOptions options{.mode = mode, .backend = Backend::cpu};
      if (mode != NoiseMode::grid) options.method = "reference";
      EXPECT_TRUE(noise(testing::short_view(Image(size, Type::f32)), options, true)
                      .rms.info()
                      .size.empty());
    }
}

TEST(Noise, ChoosesByTheEstimator) {
  const auto method = [](const NoiseOptions& options) -> std::string {
    const NoiseProblem problem = make_noise_problem({{640, 480}, Type::f32}, options);
    return choose("noise", noise_methods(), problem, Backend::cpu, "auto", this_machine()).name;
  };
  EXPECT_EQ(method({.box = {64, 64}}), "columns");
  EXPECT_EQ(method({.box = {3, 3}, .mode = NoiseMode::binned}), "columns");
  EXPECT_EQ(method({.box = {64, 64}, .estimator = NoiseEstimator::mad}), "boxes");
}

}  // namespace
}  // namespace tessera
