// SPDX-License-Identifier: Apache-2.0
// What only a GPU can get wrong: its kernels against the reference, images that live on it, kernels
// made in two ways, samples that are not finite, memory that grows or runs out.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "core/device.hpp"
#include "core/kernel.hpp"
#include "core/machine.hpp"
#include "tessera/correlate.hpp"
#include "tessera/error.hpp"
#include "tests/support/device_image.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tune/found_tables.hpp"

namespace tessera {
namespace {

using testing::bytes_of_view;
using testing::DeviceImage;
using testing::Guarded;
using testing::random_image;

constexpr const char* kMethods[] = {"fft", "direct"};

/// The promised bound, as a share of the planes' energy.
double bound_of(const std::string& method) { return method == "fft" ? 5e-7 : 1e-6; }

CorrelateOptions on_cuda(CorrelateOptions options, const char* method) {
  options.backend = Backend::cuda;
  options.method = method;
  return options;
}
CorrelateOptions by_reference(CorrelateOptions options) {
  options.backend = Backend::cpu;
  options.method = "reference";
  return options;
}

/// Maps that are not finite in the same places, and else differ by `bound` at most, which stands
/// for an energy of 1.
void expect_near(const Image& got, const Image& truth, double bound, const std::string& what) {
  ASSERT_EQ(got.info().size, truth.info().size);
  for (long long k = 0; k < got.info().size.samples(); ++k) {
    const float a = got.as<const float>().data[k], b = truth.as<const float>().data[k];
    ASSERT_EQ(std::isnan(a), std::isnan(b)) << what << ", sample " << k;
    if (std::isnan(b)) continue;
    if (std::isinf(b)) {
      ASSERT_EQ(a, b) << what << ", sample " << k;
    } else {
      ASSERT_NEAR(a, b, bound) << what << ", sample " << k;
    }
  }
}

class CorrelateOnCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    if (this_machine().devices.empty())
      GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  }

  /// Divided by energies, so that errors are shares of them.
  static void expect_agreement(const Image& image, const Image& other, CorrelateOptions options) {
    options.scale = ShiftScale::energy;
    const Image truth = correlate(image.view(), other.view(), by_reference(options));
    for (const char* method : kMethods) {
      const Correlate plan(image.info(), on_cuda(options, method));
      Image got(plan.output());
      plan(image.view(), other.view(), got.view());
      expect_near(got, truth, bound_of(method), plan.describe());
    }
  }
};

/// Around a run (24), a warp's shifts (32), a block's (64), a job's columns (168) and lengths.
TEST_F(CorrelateOnCuda, AgreesWithTheReferenceForEverySize) {
  struct Sized {
    Size size;
    int max_shift;
  };
  std::vector<Sized> all{{{1, 1}, 1},           {{7, 5, 1, 3}, 5},  {{5, 7, 3, 2}, 4},
                         {{33, 129, 1, 2}, 33}, {{25, 24}, 24},     {{64, 65, 1, 5}, 33},
                         {{1, 40}, 1},          {{171, 40, 2}, 40}, {{167, 96}, 64}};
  if (!testing::run_small())
    all.insert(all.end(), {{{130, 300, 1, 4}, 30},
                           {{500, 500, 1, 4}, 5},
                           {{640, 480}, 9},
                           {{1100, 900}, 5},
                           {{40, 3000}, 9},
                           {{3000, 40}, 9}});
  for (const Sized& s : all)
    for (const Quadrants quadrants : {Quadrants::one, Quadrants::all}) {
      const Image image = random_image(s.size, Type::f32, 1);
      expect_agreement(image, image, {.max_shift = s.max_shift, .quadrants = quadrants});
    }
}

TEST_F(CorrelateOnCuda, AgreesWithTheReferenceForAllSumsAndPairsOfImages) {
  const Size size = testing::run_small() ? Size{40, 33, 1, 4} : Size{150, 133, 1, 4};
  const Image image = random_image(size, Type::f32, 1), other = random_image(size, Type::f32, 2);
  for (const char* sums : {"all", "each", "pairs", "joint", "0:0+1:1,0:2", "3:3,3:3+0:0+1:1,2:2"})
    for (const Quadrants quadrants : {Quadrants::one, Quadrants::all}) {
      const CorrelateOptions options{.max_shift = 15, .quadrants = quadrants, .sums = sums};
      expect_agreement(image, image, options);
      expect_agreement(image, other, options);
    }
}

/// The size that speeds are given for: the CPU's direct method is the truth, 1e-6 itself.
TEST_F(CorrelateOnCuda, AgreesForFourPlanesOf500x500) {
  if (testing::run_small()) GTEST_SKIP() << "too large for the sanitizer";
  const Image image = random_image({500, 500, 1, 4}, Type::f32, 1);
  CorrelateOptions options{.max_shift = 250, .scale = ShiftScale::energy};
  options.backend = Backend::cpu;
  options.method = "direct";
  const Image truth = correlate(image.view(), options);
  for (const char* method : kMethods)
    expect_near(correlate(image.view(), on_cuda(options, method)), truth, 1e-6 + bound_of(method),
                method);
}

TEST_F(CorrelateOnCuda, TakesEveryTypeAndScale) {
  for (const Type type : {Type::u8, Type::u16, Type::f32, Type::f64})
    for (const ShiftScale scale :
         {ShiftScale::none, ShiftScale::overlap, ShiftScale::energy, ShiftScale::coefficient}) {
      const Image image = random_image({61, 47, 4, 2}, type, 1);
      const CorrelateOptions options{.max_shift = 20, .sums = "pairs", .scale = scale, .batch = 2};
      // Sums without signs are large everywhere, and so are sums of squares.
      const Image truth = correlate(image.view(), by_reference(options));
      double most = 0;
      for (long long k = 0; k < truth.info().size.samples(); ++k)
        most = std::max(most, std::abs(double{truth.as<const float>().data[k]}));
      for (const char* method : kMethods) {
        const Image got = correlate(image.view(), on_cuda(options, method));
        // Far shifts are divided by fewer pixels: 41 x 27 are left of 61 x 47.
        expect_near(got, truth, 3 * bound_of(method) * most, method);
      }
    }
}

TEST_F(CorrelateOnCuda, ConstantImagesKeepTheirBound) {
  Image image({400, 300}, Type::f32);
  for (long long k = 0; k < image.info().size.samples(); ++k) image.as<float>().data[k] = 0.7F;
  if (!testing::run_small()) expect_agreement(image, image, {.max_shift = 30});
  // Sums near the end of what f32 holds: squares of spectra are larger still.
  const Image small = random_image({60, 50}, Type::f32, 1);
  Image large({60, 50}, Type::f32);
  for (long long k = 0; k < small.info().size.samples(); ++k)
    large.as<float>().data[k] = 1e17F * small.as<const float>().data[k];
  expect_agreement(large, large, {.max_shift = 20});
}

TEST_F(CorrelateOnCuda, NotFiniteSamplesStayWhereTheyBelong) {
  const float infinity = std::numeric_limits<float>::infinity(),
              nan = std::numeric_limits<float>::quiet_NaN();
  const Size size{70, 45, 1, 4};
  for (const float value : {infinity, -infinity, nan})
    for (const long long place : {0LL, 69LL, 70LL * 44, 70LL * 45 - 1, 70LL * 60 + 30}) {
      Image image = random_image(size, Type::f32, 1);
      image.as<float>().data[place] = value;
      const Image other = random_image(size, Type::f32, 2);
      // One plane of the second image of the batch stays finite.
      const CorrelateOptions options{
          .max_shift = 40, .quadrants = Quadrants::all, .sums = "each", .batch = 2};
      for (const bool cross : {false, true}) {
        const Image& second = cross ? other : image;
        const Image truth = correlate(image.view(), second.view(), by_reference(options));
        for (const char* method : kMethods)
          expect_near(correlate(image.view(), second.view(), on_cuda(options, method)), truth,
                      1e-6 * size.width * size.height, method);
      }
    }
}

TEST_F(CorrelateOnCuda, BatchesGiveTheBitsOfSingleImagesAndOfTheNextRun) {
  const Image all = random_image({90, 70, 1, 10}, Type::f32, 1);
  for (const char* method : kMethods)
    for (const char* sums : {"all", "0:1+2:2,4:3"}) {
      CorrelateOptions options = on_cuda({.max_shift = 50, .sums = sums, .batch = 2}, method);
      const Image together = correlate(all.view(), options);
      EXPECT_EQ(bytes_of_view(together.view()),
                bytes_of_view(testing::short_view(correlate(all.view(), options))));
      options.batch = 1;
      const int maps = together.info().size.planes / 2;
      for (int i = 0; i < 2; ++i) {
        AnyView five = all.view(), map = together.view();
        five.data = five.address(0, 0, 5 * i);
        five.size.planes = 5;
        map.data = map.address(0, 0, maps * i);
        map.size.planes = maps;
        EXPECT_EQ(bytes_of_view(testing::short_view(correlate(five, options))), bytes_of_view(map))
            << method;
      }
    }
}

TEST_F(CorrelateOnCuda, DeviceImagesGiveTheBitsOfHostImages) {
  for (const char* method : kMethods)
    for (const Type type : {Type::u8, Type::f32}) {
      const Image image = random_image({75, 64, 3, 2}, type, 1),
                  other = random_image({75, 64, 3, 2}, type, 2);
      const CorrelateOptions options =
          on_cuda({.max_shift = 33, .quadrants = Quadrants::all, .sums = "joint"}, method);
      Stream stream(0);
      const DeviceImage device_image = testing::upload(image, stream),
                        device_other = testing::upload(other, stream);
      const Correlate plan(device_image.view.info(), options);
      const DeviceImage map(plan.output(), stream);
      plan(device_image.view, device_other.view, map.view, stream);
      EXPECT_EQ(bytes_of_view(testing::short_view(download(map, stream))),
                bytes_of_view(testing::short_view(correlate(image.view(), other.view(), options))))
          << plan.describe();
    }
}

/// A region of an image's channels in, every second pixel of a larger map out.
TEST_F(CorrelateOnCuda, StepsAreFollowedAndNothingElseIsWritten) {
  const Image large = random_image({90, 80, 4, 2}, Type::f32, 1);
  AnyView part = AnyView(large.view()).region(7, 5, 70, 60);
  part.size.channels = 3;
  const Image whole = copy(part);
  for (const char* method : kMethods) {
    const CorrelateOptions options = on_cuda({.max_shift = 31, .sums = "pairs"}, method);
    const Correlate plan(whole.info(), options);
    const Image expected = correlate(whole.view(), options);
    const Guarded map(plan.output().size, Type::f32, 1);
    plan(part, map.view());
    EXPECT_TRUE(map.untouched_outside());
    EXPECT_EQ(bytes_of_view(map.view()), bytes_of_view(expected.view())) << method;

    Stream stream(0);
    const DeviceImage device = testing::upload(large, stream);
    AnyView device_part = AnyView(device.view).region(7, 5, 70, 60);
    device_part.size.channels = 3;
    const Image poison = random_image({2 * 31 + 3, 31 + 2, 1, 3}, Type::f32, 3);
    const DeviceImage device_map = testing::upload(poison, stream);
    AnyMutableView steps = device_map.view.region(1, 1, 31, 31);
    steps.pixel = 2;
    const Correlate device_plan(device_part.info(), options);
    device_plan(device_part, device_part, steps, stream);
    const Image got = download(device_map, stream);
    for (int p = 0; p < 3; ++p)
      for (int y = 0; y < 33; ++y)
        for (int x = 0; x < 65; ++x) {
          const bool made = y >= 1 && y < 32 && x % 2 == 1 && x < 63;
          const float wanted = made ? expected.as<const float>().at((x - 1) / 2, y - 1, 0, p)
                                    : poison.as<const float>().at(x, y, 0, p);
          ASSERT_EQ(got.as<const float>().at(x, y, 0, p), wanted) << method << x << "," << y;
        }
  }
}

TEST_F(CorrelateOnCuda, BothWaysToMakeAKernelGiveTheSameBits) {
  if (!run_time_compiler_found()) GTEST_SKIP() << "no run-time compiler";
  const Image image = random_image({120, 90, 1, 4}, Type::f32, 1),
              other = random_image({120, 90, 1, 4}, Type::f32, 2);
  for (const char* method : kMethods)
    for (const char* sums : {"all", "joint"}) {
      const CorrelateOptions options = on_cuda({.max_shift = 45, .sums = sums}, method);
      const Correlate ahead(image.info(), options);
      EXPECT_NE(ahead.describe().find("ahead of time"), std::string::npos) << ahead.describe();
      setenv("TESSERA_KERNELS", "run-time", 1);
      const Correlate compiled(image.info(), options);
      unsetenv("TESSERA_KERNELS");
      EXPECT_EQ(compiled.describe().find("ahead of time"), std::string::npos)
          << compiled.describe();
      for (const Image* second : {&image, &other}) {
        Image a(ahead.output()), b(ahead.output());
        ahead(image.view(), second->view(), a.view());
        compiled(image.view(), second->view(), b.view());
        EXPECT_EQ(bytes_of_view(a.view()), bytes_of_view(b.view())) << compiled.describe();
      }
    }
}

TEST_F(CorrelateOnCuda, KnobsChangeNoBit) {
  if (!run_time_compiler_found()) GTEST_SKIP() << "no run-time compiler";
  const Image image = random_image({190, 70, 1, 3}, Type::f32, 1),
              other = random_image({190, 70, 1, 3}, Type::f32, 2);
  const auto expect_same = [&](const char* method, const char* site, const Knobs& knobs) {
    const CorrelateOptions options =
        on_cuda({.max_shift = 70, .quadrants = Quadrants::all}, method);
    for (const Image* second : {&image, &other}) {
      const Image usual = correlate(image.view(), second->view(), options);
      const ScopedKnobs forced(site, knobs);
      EXPECT_EQ(
          bytes_of_view(usual.view()),
          bytes_of_view(testing::short_view(correlate(image.view(), second->view(), options))))
          << site;
    }
  };
  expect_same("direct", "correlate.direct@1", {{{"warps_x", 1}, {"warps_y", 1}}});
  expect_same("direct", "correlate.direct@1", {{{"warps_x", 4}, {"warps_y", 2}}});
  expect_same("fft", "correlate.fft@1", {{{"rows", 1}, {"columns", 1}, {"result_rows", 1}}});
  expect_same("fft", "correlate.fft@1", {{{"rows", 8}, {"columns", 4}, {"result_rows", 16}}});
}

TEST_F(CorrelateOnCuda, BatchesLargerThanTheLimitGoInParts) {
  const Image all = random_image({60, 50, 1, 12}, Type::f32, 1);
  const CorrelateOptions options = on_cuda({.max_shift = 20, .batch = 6}, "fft");
  const Correlate plan(all.info(), options);
  Image whole(plan.output()), parts(plan.output());
  plan(all.view(), whole.view());
  Stream small(0, 0, 150 << 10);
  plan(all.view(), all.view(), parts.view(), small);
  small.wait();
  EXPECT_EQ(bytes_of_view(whole.view()), bytes_of_view(parts.view()));
  Stream tiny(0, 0, 1000);
  try {
    plan(all.view(), all.view(), parts.view(), tiny);
    FAIL() << "1000 bytes were enough";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::resources);
  }
}

TEST_F(CorrelateOnCuda, MemoryIsFlatOverManyCalls) {
  const bool small = testing::run_small();
  const Image image = random_image(small ? Size{40, 36} : Size{256, 200}, Type::f32, 1);
  for (const char* method : kMethods) {
    const Correlate plan(image.info(), on_cuda({.max_shift = 30}, method));
    Image map(plan.output());
    Stream stream(0);
    const auto call = [&] { plan(image.view(), image.view(), map.view(), stream); };
    for (int i = 0; i < 5; ++i) call();
    stream.wait();
    const std::size_t before = device_stream(stream).pool_bytes();
    for (int i = 0; i < (small ? 10 : 500); ++i) call();
    stream.wait();
    EXPECT_GT(before, 0U);
    EXPECT_EQ(device_stream(stream).pool_bytes(), before) << method;
  }
}

TEST_F(CorrelateOnCuda, ColumnsTooLongForSharedMemoryAreLeftToDirect) {
  const ImageInfo info{{6, 20000}};
  const CorrelateOptions options{.max_shift = 2, .backend = Backend::cuda};
  EXPECT_THROW(Correlate(info, on_cuda(options, "fft")), Error);
  EXPECT_EQ(Correlate(info, options).method(), "direct");
  const Image image = random_image(info.size, Type::f32, 1);
  const Image truth = correlate(image.view(), by_reference(options));
  expect_near(correlate(image.view(), options), truth, 1e-6 * 40000, "direct");
}

}  // namespace
}  // namespace tessera
