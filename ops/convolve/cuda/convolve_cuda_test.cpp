// SPDX-License-Identifier: Apache-2.0
// What only a GPU can get wrong: images that live on it, kernels made in two ways, memory that
// grows, images larger than its memory limit.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <tuple>

#include "core/compare.hpp"
#include "core/device.hpp"
#include "core/kernel.hpp"
#include "core/machine.hpp"
#include "tessera/convolve.hpp"
#include "tessera/error.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/device_image.hpp"
#include "tests/support/filter_for.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

using testing::bytes_of_view;
using testing::DeviceImage;
using testing::limit_for;
using testing::random_image;
using testing::run_small;
using testing::streamed;

class ConvolveOnCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    if (this_machine().devices.empty())
      GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  }
};

TEST_F(ConvolveOnCuda, DeviceImagesGiveTheBitsOfHostImages) {
  for (const Type type : {Type::u8, Type::u16, Type::f32, Type::f64})
    for (const int channels : {1, 3, 4}) {
      const Image in = random_image({131, 77, channels, 2}, type, 1),
                  filter = random_image({7, 5}, Type::f64, 2);
      const ConvolveOptions options{
          .border = Border::wrap, .scale = 0.05, .backend = Backend::cuda};
      const Image expected = convolve(in.view(), filter.view(), options);
      Stream stream(0);
      const DeviceImage device_in = testing::upload(in, stream);
      const Convolve plan(device_in.view.info(), filter.view(), options);
      const DeviceImage device_out(plan.output(), stream);
      plan(Piece{device_in.view, 0}, MutablePiece{device_out.view, 0}, stream);
      EXPECT_EQ(bytes_of_view(testing::short_view(download(device_out, stream))),
                bytes_of_view(expected.view()));
    }
}

TEST_F(ConvolveOnCuda, VolumesAreWithinTheBoundOfTheCpu) {
  for (const Type type : {Type::u8, Type::u16, Type::f32, Type::f64})
    for (const Border border : {Border::constant, Border::reflect, Border::valid}) {
      const Image in = random_image({83, 61, 1, run_small() ? 7 : 45}, type, 1),
                  filter = random_image({5, 3, 1, run_small() ? 4 : 37}, Type::f64, 2);
      ConvolveOptions options{
          .border = border, .constant = 2, .scale = 0.01, .backend = Backend::cpu};
      const Convolve on_cpu(in.info(), filter.view(), options);
      options.output_type = Type::f64;
      const Image truth = convolve(in.view(), filter.view(), options);
      options.output_type = {};
      options.backend = Backend::cuda;
      const Image made = convolve(in.view(), filter.view(), options);
      Stream stream(0);
      const DeviceImage device_in = testing::upload(in, stream);
      const Convolve plan(device_in.view.info(), filter.view(), options);
      const DeviceImage device_out(plan.output(), stream);
      plan(Piece{device_in.view, 0}, MutablePiece{device_out.view, 0}, stream);
      EXPECT_EQ(bytes_of_view(testing::short_view(download(device_out, stream))),
                bytes_of_view(made.view()))
          << plan.describe();
      const double bound = on_cpu.error_bound(largest_magnitude(in.view()));
      EXPECT_EQ(compare(truth.view(), made.view(), 2 * bound).disagreement, "") << plan.describe();
    }
}

TEST_F(ConvolveOnCuda, DeviceImagesRefuseTheCpu) {
  const ImageInfo info{{64, 64}, Type::f32, 0};
  EXPECT_THROW(Convolve(info, testing::short_view(gaussian(1)), {.backend = Backend::cpu}), Error);
  EXPECT_EQ(Convolve(info, testing::short_view(gaussian(1))).device(), 0);
}

/// One problem for the kernel of a filter's size and the kernel for any.
struct TwoWays {
  Size filter;
  Type type;
  int channels;
  Border border;
};

void expect_same_bits_both_ways(const TwoWays& t, Size size) {
  size.channels = t.channels;
  const Image in = random_image(size, t.type, 1), filter = random_image(t.filter, Type::f64, 2);
  const ConvolveOptions options{.border = t.border,
                                .constant = 0.5,
                                .scale = 0.01,
                                .backend = Backend::cuda,
                                .method = "direct"};
  const Image ahead = convolve(in.view(), filter.view(), options);
  setenv("TESSERA_KERNELS", "run-time", 1);
  const Convolve plan(in.info(), filter.view(), options);
  unsetenv("TESSERA_KERNELS");
  EXPECT_EQ(plan.describe().find("for any filter"), std::string::npos) << plan.describe();
  Image at_run_time(plan.output());
  plan(in.view(), at_run_time.view());
  EXPECT_EQ(bytes_of_view(ahead.view()), bytes_of_view(at_run_time.view())) << plan.describe();
  // Strips begin at rows that no tile begins with.
  EXPECT_EQ(bytes_of_view(ahead.view()),
            bytes_of_view(testing::short_view(streamed(plan, in, 1, limit_for(plan, 7)))));
}

TEST_F(ConvolveOnCuda, KernelsForASizeGiveTheBitsOfTheOneForAny) {
  if (!run_time_compiler_found()) GTEST_SKIP() << "no run-time compiler";
  const std::vector<TwoWays> all{
      {{3, 3}, Type::f32, 1, Border::replicate},  {{5, 5}, Type::u8, 3, Border::reflect_101},
      {{9, 9}, Type::f32, 1, Border::inside},     {{4, 6}, Type::u16, 2, Border::constant},
      {{15, 15}, Type::f32, 1, Border::wrap},     {{43, 17}, Type::f32, 1, Border::reflect},
      {{1, 7}, Type::u8, 1, Border::valid},       {{31, 2}, Type::u8, 4, Border::replicate},
      {{60, 60}, Type::f32, 1, Border::constant}, {{17, 17}, Type::u16, 3, Border::wrap}};
  for (const TwoWays& t : all)
    for (const Size size : {Size{301, 75}, Size{256, 64}})
      if (!testing::run_small() || (t.filter.width < 6 && size.height == 64))
        expect_same_bits_both_ways(t, size);
}

/// Many tiles, cut tiles, pixels that are not finite: against direct.
TEST_F(ConvolveOnCuda, TilesAgreeWithDirect) {
  const Size size = testing::run_small() ? Size{140, 130} : Size{611, 507};
  for (const auto& [method, type, channels] : {std::tuple{"fft", Type::f32, 1},
                                               {"fft", Type::u8, 3},
                                               {"fft-library", Type::f32, 2},
                                               {"lowrank", Type::f32, 1},
                                               {"separable", Type::f32, 3}}) {
    Image in = random_image({size.width, size.height, channels}, type, 1);
    if (type == Type::f32) {
      in.as<float>().data[in.info().size.samples() / 3] = std::numeric_limits<float>::infinity();
      in.as<float>().data[in.info().size.samples() / 2] = std::numeric_limits<float>::quiet_NaN();
    }
    const Image filter = testing::filter_for(method, {21, 13}, 2);
    for (const Border border : {Border::constant, Border::reflect_101, Border::valid}) {
      if (testing::run_small() && border != Border::constant) break;
      const ConvolveOptions options{.border = border,
                                    .constant = 0.5,
                                    .output_type = Type::f32,
                                    .backend = Backend::cuda,
                                    .method = method};
      ConvolveOptions with_direct = options;
      with_direct.method = "direct";
      const Convolve plan(in.info(), filter.view(), options);
      const Image got = convolve(in.view(), filter.view(), options),
                  truth = convolve(in.view(), filter.view(), with_direct);
      const double bound = 2 * plan.error_bound(type == Type::u8 ? 255 : 1);
      for (long long k = 0; k < got.info().size.samples(); ++k) {
        const float a = got.as<float>().data[k], b = truth.as<float>().data[k];
        ASSERT_EQ(std::isnan(a), std::isnan(b)) << method << " " << name_of(border) << " " << k;
        ASSERT_EQ(std::isinf(a), std::isinf(b)) << method << " " << name_of(border) << " " << k;
        if (!std::isfinite(b)) continue;
        ASSERT_NEAR(a, b, bound) << method << " " << k;
      }
      EXPECT_EQ(bytes_of_view(got.view()),
                bytes_of_view(testing::short_view(streamed(plan, in, 1, limit_for(plan, 9)))))
          << plan.describe();
    }
  }
}

/// One channel of an image, as a view with steps.
template <class AnyOne>
AnyOne only_channel(AnyOne view, int channel) {
  view.data = view.address(0, 0, 0) + channel * bytes_of(view.type);
  view.size.channels = 1;
  return view;
}

TEST_F(ConvolveOnCuda, ChannelsOfDeviceImagesAreImages) {
  const Image colour = random_image({90, 70, 3}, Type::f32, 1);
  const Image grey = copy(only_channel(AnyView(colour.view()), 1));
  for (const char* method : {"direct", "separable", "lowrank", "fft"}) {
    const Image filter = testing::filter_for(method, {7, 9}, 2);
    const ConvolveOptions options{.backend = Backend::cuda, .method = method};
    const Image expected = convolve(grey.view(), filter.view(), options);
    Stream stream(0);
    const DeviceImage in = testing::upload(colour, stream), out = testing::upload(colour, stream);
    ImageInfo info = grey.info();
    info.device = 0;
    const Convolve plan(info, filter.view(), options);
    plan(Piece{only_channel(AnyView(in.view), 1), 0}, MutablePiece{only_channel(out.view, 2), 0},
         stream);
    const Image result = download(out, stream);
    EXPECT_EQ(bytes_of_view(expected.view()),
              bytes_of_view(testing::short_view(copy(only_channel(AnyView(result.view()), 2)))))
        << method;
    EXPECT_EQ(bytes_of_view(testing::short_view(copy(only_channel(AnyView(result.view()), 0)))),
              bytes_of_view(testing::short_view(copy(only_channel(AnyView(colour.view()), 0)))))
        << "the other channels are left alone";
  }
}

// Rows that begin on no boundary, those of the result on another than those of the image: the bits
// of a packed copy, and nothing outside the region is written.
TEST_F(ConvolveOnCuda, RegionsOfDeviceImagesAreImages) {
  const Size part = testing::run_small() ? Size{148, 20} : Size{300, 70};
  setenv("TESSERA_KERNELS", "run-time", 1);
  for (const auto& [method, type, channels] : {std::tuple{"direct", Type::f32, 1},
                                               {"direct", Type::u8, 3},
                                               {"direct", Type::u16, 1},
                                               {"lowrank", Type::f32, 1},
                                               {"separable", Type::u8, 3}}) {
    const Size room{part.width + 4, part.height + 2, channels};
    const Image image = random_image(room, type, 1), before = random_image(room, type, 3),
                filter = testing::filter_for(method, {3, 5}, 2);
    const ConvolveOptions options{.scale = 0.1, .backend = Backend::cuda, .method = method};
    for (const auto& [x_in, x_out] : {std::pair{1, 1}, {1, 0}, {0, 3}, {3, 2}}) {
      const Image expected = convolve(
          testing::short_view(copy(AnyView(image.view()).region(x_in, 1, part.width, part.height))),
          filter.view(), options);
      Stream stream(0);
      const DeviceImage in = testing::upload(image, stream), out = testing::upload(before, stream);
      const AnyView from = AnyView(in.view).region(x_in, 1, part.width, part.height);
      const Convolve plan(from.info(), filter.view(), options);
      plan(Piece{from, 0}, MutablePiece{out.view.region(x_out, 1, part.width, part.height), 0},
           stream);
      const Image result = download(out, stream);
      Image wanted = copy(before.view());
      copy_samples(expected.view(), wanted.view().region(x_out, 1, part.width, part.height));
      EXPECT_EQ(bytes_of_view(result.view()), bytes_of_view(wanted.view()))
          << method << " " << name_of(type) << " from column " << x_in << " to " << x_out;
    }
  }
  unsetenv("TESSERA_KERNELS");
}

TEST_F(ConvolveOnCuda, LargeFiltersAreReadFromMemory) {
  // 61 x 41 weights do not fit the launch's arguments; 90 columns cross three chunks.
  const Image in = random_image({200, 120}, Type::f32, 1);
  for (const Size taps : {Size{61, 41}, Size{90, 3}}) {
    const Image filter = random_image(taps, Type::f64, 2);
    const ConvolveOptions options{
        .border = Border::inside, .scale = 1e-3, .backend = Backend::cuda};
    ConvolveOptions on_cpu = options;
    on_cpu.backend = Backend::cpu;
    const Convolve plan(in.info(), filter.view(), options);
    const Image a = convolve(in.view(), filter.view(), options),
                b = convolve(in.view(), filter.view(), on_cpu);
    for (long long k = 0; k < in.info().size.samples(); ++k)
      ASSERT_NEAR(a.as<float>().data[k], b.as<float>().data[k], 2 * plan.error_bound(1));
  }
}

TEST_F(ConvolveOnCuda, MemoryIsFlatOverAThousandCalls) {
  const bool small = testing::run_small();  // the sanitizer follows every access to shared memory
  const int calls = small ? 20 : 1000;
  const Size size = small ? Size{40, 36} : Size{512, 384};
  const Image in = random_image(size, Type::f32, 1), filter = random_image({43, 43}, Type::f64, 2);
  const Convolve plan(in.info(), filter.view(), {.backend = Backend::cuda});
  Image out(plan.output());
  Stream stream(0);
  const auto call = [&] { plan(Piece{in.view(), 0}, MutablePiece{out.view(), 0}, stream); };
  for (int i = 0; i < 5; ++i) call();
  stream.wait();
  const std::size_t before = device_stream(stream).pool_bytes();
  for (int i = 0; i < calls; ++i) call();
  stream.wait();
  EXPECT_GT(before, 0U);
  EXPECT_EQ(device_stream(stream).pool_bytes(), before);
}

TEST_F(ConvolveOnCuda, ImagesLargerThanTheLimitGoInStrips) {
  const Image in = random_image({300, testing::run_small() ? 220 : 2000}, Type::f32, 1),
              filter = random_image({5, 9}, Type::f64, 2);
  const Convolve plan(in.info(), filter.view(), {.border = Border::wrap, .backend = Backend::cuda});
  Image whole(plan.output()), strips(plan.output());
  plan(in.view(), whole.view());
  Stream small(0, 0, 100 * 300 * 4);
  plan(Piece{in.view(), 0}, MutablePiece{strips.view(), 0}, small);
  small.wait();
  EXPECT_EQ(bytes_of_view(whole.view()), bytes_of_view(strips.view()));
  Stream tiny(0, 0, 1000);
  EXPECT_THROW(plan(Piece{in.view(), 0}, MutablePiece{strips.view(), 0}, tiny), Error);
}

TEST_F(ConvolveOnCuda, WithoutMemoryTheCpuMakesTheWholeImage) {
  // Copies cost the GPU more than small filters cost a CPU: large ones in double leave no doubt.
  const Image in = random_image({2048, 1024}, Type::f64, 1),
              filter = random_image({255, 255}, Type::f64, 2);
  const Convolve plan(in.info(), filter.view());
  if (plan.backend() != Backend::cuda) GTEST_SKIP() << "the CPU is faster: " << plan.describe();
  Image out(plan.output()), strip({2048, 512}, Type::f64);
  Stream tiny(0, 0, 1000);
  EXPECT_THROW(plan(Piece{in.view(), 0}, MutablePiece{strip.view(), 0}, tiny), Error)
      << "rows of an image are left to the caller";
  plan(in.view(), out.view(), tiny);
  const Image truth = convolve(in.view(), filter.view(), {.backend = Backend::cpu});
  EXPECT_EQ(bytes_of_view(out.view()), bytes_of_view(truth.view()));
  EXPECT_NE(plan.describe().find("the device ran out of memory, cpu "), std::string::npos);
}

TEST_F(ConvolveOnCuda, ManyPlanesNeedSeveralLaunches) {
  if (testing::run_small()) GTEST_SKIP() << "too large for the sanitizer";
  const Image in = random_image({3, 2, 1, 70000}, Type::u8, 1),
              filter = random_image({3, 3}, Type::f64, 2);
  const ConvolveOptions gpu{.scale = 0.1, .output_type = Type::f32, .backend = Backend::cuda};
  ConvolveOptions cpu = gpu;
  cpu.backend = Backend::cpu;
  const Image a = convolve(in.view(), filter.view(), gpu),
              b = convolve(in.view(), filter.view(), cpu);
  for (long long k = 0; k < in.info().size.samples(); ++k)
    ASSERT_NEAR(a.as<float>().data[k], b.as<float>().data[k], 1e-4) << k;
}

}  // namespace
}  // namespace tessera
