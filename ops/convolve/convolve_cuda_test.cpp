// SPDX-License-Identifier: Apache-2.0
// What only a GPU can get wrong: images that live on it, kernels made in two ways, memory that
// grows, images larger than its memory limit.
#include <gtest/gtest.h>

#include <cstdlib>

#include "core/device.hpp"
#include "core/kernel.hpp"
#include "core/machine.hpp"
#include "tessera/convolve.hpp"
#include "tessera/error.hpp"
#include "tests/support/device_image.hpp"
#include "tests/support/poison.hpp"

namespace tessera {
namespace {

using testing::bytes_of_view;
using testing::DeviceImage;
using testing::random_image;

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
      EXPECT_EQ(bytes_of_view(download(device_out, stream).view()), bytes_of_view(expected.view()));
    }
}

TEST_F(ConvolveOnCuda, DeviceImagesRefuseTheCpu) {
  const ImageInfo info{{64, 64}, Type::f32, 0};
  EXPECT_THROW(Convolve(info, gaussian(1).view(), {.backend = Backend::cpu}), Error);
  EXPECT_EQ(Convolve(info, gaussian(1).view()).device(), 0);
}

TEST_F(ConvolveOnCuda, BothWaysToMakeAKernelGiveTheSameBits) {
  if (!run_time_compiler_found()) GTEST_SKIP() << "no run-time compiler";
  for (const Type type : {Type::u8, Type::u16, Type::f32, Type::f64})
    for (const Border border : {Border::reflect_101, Border::inside}) {
      const Image in = random_image(testing::run_small() ? Size{40, 36, 3} : Size{150, 90, 3}, type,
                                    1),
                  filter = random_image({43, 17}, Type::f64, 2);
      const ConvolveOptions options{.border = border, .scale = 0.01, .backend = Backend::cuda};
      const Image ahead = convolve(in.view(), filter.view(), options);
      setenv("TESSERA_KERNELS", "run-time", 1);
      const Convolve plan(in.info(), filter.view(), options);
      unsetenv("TESSERA_KERNELS");
      EXPECT_EQ(plan.describe().find("ahead of time"), std::string::npos) << plan.describe();
      Image at_run_time(plan.output());
      plan(in.view(), at_run_time.view());
      EXPECT_EQ(bytes_of_view(ahead.view()), bytes_of_view(at_run_time.view()));
    }
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
  const Image in = random_image({300, 2000}, Type::f32, 1),
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

TEST_F(ConvolveOnCuda, ManyPlanesNeedSeveralLaunches) {
  if (testing::run_small()) GTEST_SKIP() << "too large for the sanitizer";
  const Image in = random_image({3, 2, 1, 70000}, Type::u8, 1),
              filter = random_image({3, 3}, Type::f64, 2);
  const ConvolveOptions gpu{.scale = 0.1, .output = Type::f32, .backend = Backend::cuda};
  ConvolveOptions cpu = gpu;
  cpu.backend = Backend::cpu;
  const Image a = convolve(in.view(), filter.view(), gpu),
              b = convolve(in.view(), filter.view(), cpu);
  for (long long k = 0; k < in.info().size.samples(); ++k)
    ASSERT_NEAR(a.as<float>().data[k], b.as<float>().data[k], 1e-4) << k;
}

}  // namespace
}  // namespace tessera
