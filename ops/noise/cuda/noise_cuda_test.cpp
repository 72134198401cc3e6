// SPDX-License-Identifier: Apache-2.0
// Noise maps on a GPU: the bytes of the reference, whatever the box, the border and the values.
#include <gtest/gtest.h>

#include <cstdlib>

#include "core/kernel.hpp"
#include "core/machine.hpp"
#include "tessera/noise.hpp"
#include "tessera/percentile_filter.hpp"
#include "tests/support/noise_images.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/views.hpp"

namespace tessera {
namespace {

using testing::noise_image;
using testing::run_small;
using testing::same_samples;

/// The reference takes this many values of boxes in a few tenths of a second; others are made of
/// each box by itself, which slides nowhere, or in mode binned by the method that slides on the
/// CPU. Other tests compare both with the reference.
constexpr long long kReferenceValues = 4'000'000;

class NoiseOnCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    if (this_machine().devices.empty())
      GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  }
};

Image made(const Image& in, NoiseOptions options, Backend backend, const std::string& method) {
  options.backend = backend;
  options.method = method;
  const Noise plan(in.info(), options);
  Image out(plan.output());
  plan(in.view(), out.view());
  return out;
}

Image expected(const Image& in, const NoiseOptions& options) {
  const long long values = in.info().size.pixels() * options.box.width * options.box.height;
  const char* const quick = options.mode == NoiseMode::binned ? "columns" : "boxes";
  return made(in, options, Backend::cpu, values <= kReferenceValues ? "reference" : quick);
}

void expect_bytes_of_cpu(const Image& in, const NoiseOptions& options,
                         const std::vector<std::string>& methods = {"warps", "boxes"}) {
  const Image wanted = expected(in, options);
  for (const std::string& method : methods)
    EXPECT_TRUE(
        same_samples(wanted.view(), testing::short_view(made(in, options, Backend::cuda, method))))
        << method << ", " << in.info().size.width << "x" << in.info().size.height << ", box "
        << to_text(options.box) << ", border " << name_of(options.border);
}

struct SizeCase {
  Size image;
  NoiseBox box;
};

TEST_F(NoiseOnCuda, SizesAboutTilesAndBoxesOfAllSizes) {
  std::vector<SizeCase> cases{{{1, 1}, {3, 3}},     {{2, 70}, {5, 4}},    {{31, 33}, {3, 3}},
                              {{33, 31}, {24, 25}}, {{65, 64}, {16, 33}}, {{40, 30}, {300, 300}}};
  if (!run_small())
    cases.insert(cases.end(), {{{64, 32}, {25, 24}},
                               {{129, 127}, {48, 49}},
                               {{130, 257}, {64, 64}},
                               {{127, 130}, {129, 128}},
                               {{257, 255}, {200, 100}},
                               {{300, 270}, {300, 17}},
                               {{290, 513}, {7, 255}},
                               {{530, 40}, {1024, 1024}}});
  for (const SizeCase& c : cases)
    expect_bytes_of_cpu(noise_image(c.image, Type::f32, "normal", 1), {.box = c.box});
}

TEST_F(NoiseOnCuda, EveryTypeAtEveryBorder) {
  const Size size = run_small() ? Size{37, 20} : Size{70, 45};
  for (const Type type : {Type::u8, Type::u16, Type::f32, Type::f64})
    for (const Border border :
         {Border::inside, Border::reflect, Border::reflect_101, Border::replicate})
      expect_bytes_of_cpu(noise_image(size, type, "sources", 2),
                          {.box = {17, 20}, .border = border});
}

TEST_F(NoiseOnCuda, ImagesSmallerThanTheirBox) {
  for (const Border border :
       {Border::inside, Border::reflect, Border::reflect_101, Border::replicate})
    expect_bytes_of_cpu(noise_image({9, 5}, Type::f32, "1 % blank", 3),
                        {.box = {41, 37}, .border = border});
}

TEST_F(NoiseOnCuda, ValuesOfEveryKind) {
  const Size size = run_small() ? Size{40, 20} : Size{67, 40};
  for (const std::string& filling : testing::noise_fillings())
    for (const bool nomask : {false, true}) {
      SCOPED_TRACE(filling);
      NoiseOptions options{.box = {15, 14}, .zero_is_blank = nomask, .nomask = nomask};
      expect_bytes_of_cpu(noise_image(size, Type::f32, filling, 4), options);
      options.estimator = NoiseEstimator::mad;
      expect_bytes_of_cpu(noise_image(size, Type::f64, filling, 4), options, {"boxes"});
      options.estimator = NoiseEstimator::iqr;
      options.mode = NoiseMode::binned;
      expect_bytes_of_cpu(noise_image(size, Type::f32, filling, 4), options, {"warps"});
    }
}

TEST_F(NoiseOnCuda, UpToEightQuantiles) {
  const Image in = noise_image(run_small() ? Size{40, 20} : Size{140, 50}, Type::f32, "ties", 5);
  for (const std::vector<double>& orders : {std::vector<double>{0.5},
                                            {0, 1},
                                            {0.9, 0.1, 0.5},
                                            {0, 0.001, 0.2, 0.21, 0.5, 0.77, 0.999, 1}})
    for (const NoiseMode mode : {NoiseMode::exact, NoiseMode::binned}) {
      const NoiseOptions options{.box = {20, 21}, .mode = mode, .quantiles = {orders}};
      if (mode == NoiseMode::exact) expect_bytes_of_cpu(in, options);
      if (mode == NoiseMode::binned) expect_bytes_of_cpu(in, options, {"warps"});
    }
}

/// Noise with patches that have no spread, or lie far from what is about them.
Image patches(Size size, Type type) {
  Image image = noise_image(size, type, "normal", 6);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      if (x / 40 % 3 == 1 && y / 30 % 2 == 1) store_sample(image.view(), x, y, 0, 0, 2000 + x % 7);
      if (x >= 256) store_sample(image.view(), x, y, 0, 0, 5);
    }
  return image;
}

TEST_F(NoiseOnCuda, BinsAndPixelsThatFallOutOfThem) {
  const Size size = run_small() ? Size{60, 50} : Size{270, 262};
  for (const Type type : {Type::u16, Type::f32, Type::f64})
    for (const int bins : {8, 256, 65535}) {
      if (run_small() && bins != 256) continue;
      SCOPED_TRACE(bins);
      const NoiseOptions options{.box = {9, 11}, .mode = NoiseMode::binned, .bins = bins};
      expect_bytes_of_cpu(patches(size, type), options, {"warps"});
    }
  if (run_small()) return;
  for (const NoiseBox box : {NoiseBox{60, 64}, {40, 130}, {200, 150}, {256, 256}})
    expect_bytes_of_cpu(patches({300, 270}, Type::f32), {.box = box, .mode = NoiseMode::binned},
                        {"warps"});
}

TEST_F(NoiseOnCuda, LargeBoxesAreReadFromMemory) {
  // 13200 keys are more than shared memory has room for.
  const Image in = noise_image(run_small() ? Size{6, 3} : Size{40, 30}, Type::f32, "sources", 7);
  for (const NoiseEstimator estimator : {NoiseEstimator::iqr, NoiseEstimator::mad})
    expect_bytes_of_cpu(in, {.box = {120, 110}, .estimator = estimator, .border = Border::reflect},
                        {"boxes"});
}

TEST_F(NoiseOnCuda, ClippedSumsAgreeToRounding) {
  for (const NoiseEstimator estimator : {NoiseEstimator::clip, NoiseEstimator::mode})
    for (const NoiseBox box : {NoiseBox{12, 11}, NoiseBox{50, 40}}) {
      const Size size = run_small() ? Size{20, 8} : Size{60, 45};
      const Image in = noise_image(size, Type::f64, "sources", 8);
      const NoiseOptions options{.box = box, .estimator = estimator};
      const Image wanted = expected(in, options), maps = made(in, options, Backend::cuda, "boxes");
      for (long long k = 0; k < wanted.info().size.samples(); ++k) {
        const double value = wanted.as<double>().data[k];
        ASSERT_NEAR(maps.as<double>().data[k], value, 1e-12 * (1 + std::abs(value)))
            << name_of(estimator) << " " << k;
      }
    }
}

TEST_F(NoiseOnCuda, TwoPassesAreTheCpus) {
  const Image in = noise_image(run_small() ? Size{40, 30} : Size{120, 90}, Type::f32, "ramp", 9);
  expect_bytes_of_cpu(in, {.box = {14, 15}, .two_pass = true});
  expect_bytes_of_cpu(in, {.box = {14, 15}, .mode = NoiseMode::binned, .two_pass = true},
                      {"warps"});
}

TEST_F(NoiseOnCuda, PercentilesByScipysRule) {
  for (const Type type : {Type::u8, Type::u16, Type::f32, Type::f64})
    for (const Border border : {Border::inside, Border::reflect, Border::reflect_101,
                                Border::replicate, Border::constant, Border::wrap})
      for (const double percentile : {0.0, 37.0, 100.0, -20.0}) {
        if (run_small() && percentile != 37) continue;
        const Image in = noise_image({70, 33}, type, "1 % blank", 10);
        PercentileOptions options{.box = {8, 13}, .border = border, .constant = 90};
        options.backend = Backend::cpu;
        options.method = "reference";
        const Image wanted = percentile_filter(in.view(), percentile, options);
        options.backend = Backend::cuda;
        for (const char* method : {"warps", "boxes"}) {
          options.method = method;
          const Image filtered = percentile_filter(in.view(), percentile, options);
          EXPECT_TRUE(same_samples(filtered.view(), wanted.view()))
              << method << " " << name_of(type) << " " << name_of(border) << " " << percentile;
        }
      }
}

TEST_F(NoiseOnCuda, BothWaysToMakeAKernelGiveTheSameBytes) {
  if (!run_time_compiler_found()) GTEST_SKIP() << "no run-time compiler";
  const Image in = noise_image({90, 70}, Type::f32, "sources", 11);
  for (const auto& [method, mode] : {std::pair{"warps", NoiseMode::exact},
                                     {"warps", NoiseMode::binned},
                                     {"boxes", NoiseMode::exact}}) {
    NoiseOptions options{.box = {20, 20}, .mode = mode};
    const Image ahead = made(in, options, Backend::cuda, method);
    options.backend = Backend::cuda;
    options.method = method;
    setenv("TESSERA_KERNELS", "run-time", 1);
    const Noise plan(in.info(), options);
    unsetenv("TESSERA_KERNELS");
    EXPECT_EQ(plan.describe().find("ahead of time"), std::string::npos) << plan.describe();
    Image at_run_time(plan.output());
    plan(in.view(), at_run_time.view());
    EXPECT_TRUE(same_samples(at_run_time.view(), ahead.view())) << plan.describe();
  }
}

}  // namespace
}  // namespace tessera
