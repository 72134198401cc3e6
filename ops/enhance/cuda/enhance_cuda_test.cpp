// SPDX-License-Identifier: Apache-2.0
// What only a GPU can get wrong: kernels for every chain, type and place of pixels in memory, and
// kernels made in two ways. Everything is compared with the reference, byte by byte.
#include <gtest/gtest.h>

#include <cstdlib>

#include "core/kernel.hpp"
#include "core/machine.hpp"
#include "tessera/enhance.hpp"
#include "tessera/error.hpp"
#include "tests/support/device_image.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/views.hpp"
#include "tune/found_tables.hpp"

namespace tessera {
namespace {

using testing::DeviceImage;
using testing::random_image;
using testing::run_small;
using testing::same_samples;

class EnhanceOnCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    if (this_machine().devices.empty())
      GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  }

  static EnhanceOptions with(EnhanceOptions options, Backend backend, const std::string& method) {
    options.backend = backend;
    options.method = method;
    return options;
  }
  static Image truth(const Image& in, const EnhanceOptions& options, AnyView weights = {}) {
    const Enhance plan(in.info(), with(options, Backend::cpu, "reference"), weights);
    Image out(plan.output());
    plan(in.view(), out.view());
    return out;
  }
  /// Both methods on the GPU give the reference's bytes, of host images and of device images.
  static void expect_truth(const Image& in, const EnhanceOptions& options, AnyView weights = {}) {
    const Image expected = truth(in, options, weights);
    for (const char* method : {"fused", "steps"}) {
      std::unique_ptr<const Enhance> plan;
      try {
        plan = std::make_unique<const Enhance>(in.info(), with(options, Backend::cuda, method),
                                               weights);
      } catch (const Error& error) {
        ASSERT_STREQ(method, "fused") << error.what();
        continue;
      }
      Image out(plan->output());
      (*plan)(in.view(), out.view());
      EXPECT_TRUE(same_samples(out.view(), expected.view())) << plan->describe();
      Stream stream(0);
      const DeviceImage device_in = testing::upload(in, stream);
      const Enhance on_device(device_in.view.info(), with(options, Backend::cuda, method), weights);
      const DeviceImage device_out(on_device.output(), stream);
      on_device(device_in.view, device_out.view, stream);
      EXPECT_TRUE(
          same_samples(testing::short_view(testing::download(device_out, stream)), expected.view()))
          << on_device.describe();
    }
  }
};

TEST_F(EnhanceOnCuda, EveryChainTypeAndNumberOfChannels) {
  const std::vector<const char*> chains{"grey",
                                        "histogram",
                                        "contrast",
                                        "equalise",
                                        "smooth",
                                        "clahe",
                                        "grey,histogram",
                                        "grey,contrast",
                                        "contrast,smooth",
                                        "grey,contrast,smooth",
                                        "grey,histogram,equalise,smooth",
                                        "smooth,grey,contrast",
                                        "contrast,grey,smooth,equalise",
                                        "grey,clahe,smooth"};
  for (const char* steps : chains)
    for (const Type type : {Type::u8, Type::u16})
      for (int channels = 1; channels <= 4; ++channels)
        for (const ChannelCurves curves : {ChannelCurves::together, ChannelCurves::each}) {
          if (run_small() && (channels + (curves == ChannelCurves::each)) % 2 == 0) continue;
          // The second is large enough for the kernels of pixels side by side.
          for (const Size size : {Size{37, 29, channels, 2}, Size{150, 130, channels, 1}}) {
            if (run_small() && size.planes == 1 && type == Type::u16) continue;
            expect_truth(random_image(size, type, 1), {.steps = steps, .channels = curves});
          }
        }
}

// Groups of 16 pixels, columns of 240, rows that begin at any byte.
TEST_F(EnhanceOnCuda, WidthsRoundGroupsAndColumns) {
  std::vector<Size> sizes{{1, 1, 3}, {1, 20000, 3}, {20000, 1, 3}, {20001, 1, 1}, {5, 4000, 3}};
  for (const int width : {15,  16,  17,  31,  33,  63,  64,  65,  239, 240, 241,
                          244, 245, 255, 256, 257, 479, 480, 481, 484, 485, 730})
    sizes.push_back({width, (1 << 14) / width + 1 + width % 3, 3});
  for (const Size& size : sizes) {
    if (run_small() && size.width % 2 == 0) continue;
    expect_truth(random_image(size, Type::u8, 1), {});
    expect_truth(random_image(size, Type::u8, 2), {.steps = "grey"});
  }
}

TEST_F(EnhanceOnCuda, AnyWeights) {
  const Image colours = random_image({150, 140, 3}, Type::u8, 1),
              wide = random_image({70, 50, 3}, Type::u16, 2);
  for (const char* smooth :
       {"triangle:3", "triangle:7", "binomial:3", "binomial:5", "binomial:7", "ones:3x3",
        "ones:1x1", "ones:9x5", "ones:4x6", "ones:15x17", "triangle:21", "ones:64x1"})
    for (const char* steps : {"grey,contrast,smooth", "smooth"}) {
      expect_truth(colours, {.steps = steps, .smooth = smooth});
      expect_truth(wide, {.steps = steps, .smooth = smooth});
    }
  for (const auto& list :
       {std::vector<int>{0, -1, 0, -1, 5, -1, 0, -1, 0},
        std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 10}, std::vector<int>{3, 0, 0, 0, 0, 0, 0, 0, 0},
        std::vector<int>{-1, -1, -1, -1, 4, 0, 0, 0, 0}}) {
    Image weights({3, 3}, Type::f32);
    for (int k = 0; k < 9; ++k)
      weights.as<float>().at(k % 3, k / 3) = static_cast<float>(list[static_cast<std::size_t>(k)]);
    expect_truth(colours, {}, weights.view());
    expect_truth(wide, {.steps = "smooth"}, weights.view());
  }
}

TEST_F(EnhanceOnCuda, AnyGreyAndAnyRule) {
  const Image in = random_image({151, 140, 3}, Type::u8, 1);
  for (const char* grey :
       {"classic", "bt601", "bt709", "65536,0,0", "0,0,256", "20000,30000,10000"})
    expect_truth(in, {.grey = grey});
  expect_truth(in, {.low = 0, .high = 100});
  expect_truth(in, {.low = 30, .high = 30.1});
  for (const long long threshold : {0LL, 80LL, 100LL, 1000000LL})
    expect_truth(in, {.rule = ContrastRule::threshold, .threshold = threshold});
}

// All threads count the same value.
TEST_F(EnhanceOnCuda, ImagesOfFewValues) {
  const Size size = run_small() ? Size{200, 180, 3} : Size{900, 700, 3};
  for (const Type type : {Type::u8, Type::u16})
    for (const int values : {1, 2}) {
      Image in(size, type);
      for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x)
          for (int c = 0; c < 3; ++c) {
            const int v = 90 + (values == 2 && x > y ? 3 : 0);
            if (type == Type::u8)
              in.as<unsigned char>().at(x, y, c) = static_cast<unsigned char>(v);
            else
              in.as<unsigned short>().at(x, y, c) = static_cast<unsigned short>(v * 200);
          }
      for (const char* steps : {"grey,contrast,smooth", "equalise", "histogram,contrast"})
        expect_truth(in, {.steps = steps});
    }
}

/// A region at every offset within 16 bytes, of an image on the device, into one of another.
TEST_F(EnhanceOnCuda, RegionsAtAnyOffset) {
  const Size size{131, 130, 3};
  const Image large = random_image({size.width + 40, size.height + 3, 3}, Type::u8, 1),
              poison = random_image({size.width + 37, size.height + 4}, Type::u8, 2);
  for (const char* steps : {"grey,contrast,smooth", "grey", "grey,contrast"})
    for (int offset = 0; offset < 16; ++offset) {
      if (run_small() && offset % 5 != 0) continue;
      const AnyView part = AnyView(large.view()).region(offset, 1, size.width, size.height);
      const Image expected = truth(copy(part), {.steps = steps});
      for (const char* method : {"fused", "steps"}) {
        Stream stream(0);
        const DeviceImage in = testing::upload(large, stream),
                          out = testing::upload(poison, stream);
        const AnyView from = AnyView(in.view).region(offset, 1, size.width, size.height);
        const Enhance plan(from.info(), with({.steps = steps}, Backend::cuda, method));
        plan(from, out.view.region(2 * offset + 1, 2, size.width, size.height), stream);
        Image wanted = copy(poison.view());
        copy_samples(expected.view(),
                     wanted.view().region(2 * offset + 1, 2, size.width, size.height));
        EXPECT_TRUE(
            same_samples(testing::short_view(testing::download(out, stream)), wanted.view()))
            << offset << ": " << plan.describe();
      }
    }
}

TEST_F(EnhanceOnCuda, StepsAreFollowed) {
  for (const Type type : {Type::u8, Type::u16}) {
    const Image large = random_image({260, 240, 4, 2}, type, 1);
    Size size{120, 110, 3, 2};
    const AnyView part = testing::every_second_upwards(AnyView(large.view()), size);
    const Image expected = truth(copy(part), {});
    for (const char* method : {"fused", "steps"}) {
      Stream stream(0);
      const DeviceImage in = testing::upload(large, stream),
                        out = testing::upload(random_image({240, 220, 1, 2}, type, 2), stream);
      const AnyView from = testing::every_second_upwards(AnyView(in.view), size);
      const Enhance plan(from.info(), with({}, Backend::cuda, method));
      size.channels = 1;
      plan(from, testing::every_second_upwards(out.view, size), stream);
      size.channels = 3;
      const Image got = testing::download(out, stream);
      EXPECT_TRUE(
          same_samples(testing::every_second_upwards(AnyView(got.view()), expected.info().size),
                       expected.view()))
          << plan.describe();
    }
  }
}

/// Kernels for many pixels are not what runs on few.
TEST_F(EnhanceOnCuda, SaysWhichKernelsItTakes) {
  const auto said = [](Size size) {
    return Enhance({size, Type::u8, kHost}, with({.steps = "grey"}, Backend::cuda, "steps"))
        .describe();
  };
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(said({127, 129, 3}), "one pixel per thread")) << said({127, 129, 3});
  EXPECT_TRUE(has(said({128, 128, 3}), "16 pixels per thread")) << said({128, 128, 3});
}

TEST_F(EnhanceOnCuda, BothWaysToMakeAKernelGiveTheSameBytes) {
  if (!run_time_compiler_found()) GTEST_SKIP() << "no run-time compiler";
  for (const Type type : {Type::u8, Type::u16})
    for (const char* steps : {"grey,contrast,smooth", "smooth,equalise", "grey,clahe"}) {
      const Image in = random_image({150, 130, 3}, type, 1);
      const Image expected = truth(in, {.steps = steps});
      setenv("TESSERA_KERNELS", "run-time", 1);
      const Enhance plan(in.info(), with({.steps = steps}, Backend::cuda, "auto"));
      unsetenv("TESSERA_KERNELS");
      EXPECT_EQ(plan.describe().find("ahead of time"), std::string::npos) << plan.describe();
      Image out(plan.output());
      plan(in.view(), out.view());
      EXPECT_TRUE(same_samples(out.view(), expected.view())) << plan.describe();
    }
}

TEST_F(EnhanceOnCuda, KnobsChangeNoByte) {
  if (!run_time_compiler_found()) GTEST_SKIP() << "no run-time compiler";
  const Image in = random_image({777, 150, 3}, Type::u8, 1);
  const Image expected = truth(in, {});
  const auto expect_same = [&](const char* site, const Knobs& knobs) {
    const ScopedKnobs forced(site, knobs);
    const Enhance plan(in.info(), with({}, Backend::cuda, "fused"));
    Image out(plan.output());
    plan(in.view(), out.view());
    EXPECT_TRUE(same_samples(out.view(), expected.view())) << plan.describe();
  };
  expect_same("enhance.grey@1", {{{"warps", 4}, {"blocks", 4}}});
  expect_same("enhance.grey@1", {{{"warps", 8}, {"blocks", 4}, {"atomics", 1}}});
  expect_same("enhance.smooth@1", {{{"warps", 4}, {"blocks", 6}}});
  expect_same("enhance.smooth@1", {{{"warps", 2}, {"blocks", 8}}});
}

// Not the same bytes: floats. Alpha is.
TEST_F(EnhanceOnCuda, FloatFiltersComeFromConvolve) {
  const Image in = random_image({90, 70, 4}, Type::u8, 1);
  const EnhanceOptions options{.steps = "smooth", .smooth = "gauss:1.5"};
  const Image expected = truth(in, options);
  const Enhance plan(in.info(), with(options, Backend::cuda, "steps"));
  Image out(plan.output());
  plan(in.view(), out.view());
  for (int y = 0; y < 70; ++y)
    for (int x = 0; x < 90; ++x)
      for (int c = 0; c < 4; ++c)
        ASSERT_NEAR(out.as<unsigned char>().at(x, y, c), expected.as<unsigned char>().at(x, y, c),
                    c == 3 ? 0 : 1)
            << x << "," << y;
}

}  // namespace
}  // namespace tessera
