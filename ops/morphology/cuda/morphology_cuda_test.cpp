// SPDX-License-Identifier: Apache-2.0
// What only a GPU can get wrong: images that live on it, kernels made in two ways, elements that do
// not fit a launch, memory that grows, images larger than its memory limit.
#include <gtest/gtest.h>

#include <cstdlib>

#include "core/device.hpp"
#include "core/kernel.hpp"
#include "core/machine.hpp"
#include "tessera/error.hpp"
#include "tessera/morphology.hpp"
#include "tests/support/device_image.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

using testing::bytes_of_view;
using testing::DeviceImage;
using testing::random_image;

class MorphologyOnCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    if (this_machine().devices.empty())
      GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  }

  static std::vector<unsigned char> made(const Image& in, const Image& element,
                                         MorphologyOptions options, Backend backend) {
    options.backend = backend;
    return bytes_of_view(testing::short_view(dilate(in.view(), element.view(), options)));
  }
};

TEST_F(MorphologyOnCuda, DeviceImagesGiveTheBytesOfHostImages) {
  for (const Type type : {Type::u8, Type::u16, Type::f32, Type::f64})
    for (const char* element : {"disk:4", "box:7x5", "box:50x40"}) {
      const Image in = random_image({131, 77, 3, 2}, type, 1), shape = element_from_text(element);
      const MorphologyOptions options{.border = Border::wrap};
      const auto expected = made(in, shape, options, Backend::cpu);
      Stream stream(0);
      const DeviceImage device_in = testing::upload(in, stream);
      const Morphology plan(MorphologyKind::dilate, device_in.view.info(), shape.view(), options);
      EXPECT_EQ(plan.device(), 0);
      const DeviceImage device_out(plan.output(), stream);
      plan(Piece{device_in.view, 0}, MutablePiece{device_out.view, 0}, stream);
      EXPECT_EQ(bytes_of_view(testing::short_view(download(device_out, stream))), expected)
          << plan.describe();
    }
}

TEST_F(MorphologyOnCuda, VolumesGiveTheBytesOfTheCpu) {
  Image element({3, 4, 1, 35}, Type::u8);  // more planes than a launch joins, some without pixels
  for (int k = 0; k < 35; k += 2)
    for (int j = 0; j < 4; ++j) element.as<unsigned char>().at(k % 3, j, 0, k) = 1;
  for (const Type type : {Type::u8, Type::u16, Type::f32, Type::f64})
    for (const Border border : {Border::inside, Border::constant, Border::wrap, Border::valid}) {
      const Image in = random_image({70, 41, 1, 50}, type, 3);
      const MorphologyOptions options{.border = border, .constant = 7};
      const auto expected = made(in, element, options, Backend::cpu);
      EXPECT_EQ(made(in, element, options, Backend::cuda), expected) << name_of(border);
      Stream stream(0);
      const DeviceImage device_in = testing::upload(in, stream);
      const Morphology plan(MorphologyKind::dilate, device_in.view.info(), element.view(), options);
      EXPECT_EQ(plan.device(), 0);
      const DeviceImage device_out(plan.output(), stream);
      plan(Piece{device_in.view, 0}, MutablePiece{device_out.view, 0}, stream);
      EXPECT_EQ(bytes_of_view(testing::short_view(download(device_out, stream))), expected)
          << plan.describe();
    }
}

TEST_F(MorphologyOnCuda, BothWaysToMakeAKernelGiveTheSameBytes) {
  if (!run_time_compiler_found()) GTEST_SKIP() << "no run-time compiler";
  const Image in = random_image({90, 70, 3}, Type::f32, 1);
  for (const char* element : {"disk:6", "box:9x9", "box:60x3"}) {
    const Image shape = element_from_text(element);
    const auto ahead = made(in, shape, {}, Backend::cuda);
    setenv("TESSERA_KERNELS", "run-time", 1);
    const Morphology plan(MorphologyKind::dilate, in.info(), shape.view(),
                          {.backend = Backend::cuda});
    unsetenv("TESSERA_KERNELS");
    EXPECT_EQ(plan.describe().find("ahead of time"), std::string::npos) << plan.describe();
    Image at_run_time(plan.output());
    plan(in.view(), at_run_time.view());
    EXPECT_EQ(ahead, bytes_of_view(at_run_time.view()));
  }
}

TEST_F(MorphologyOnCuda, LargeElementsAreReadFromMemory) {
  // Every second pixel is a run of its own: 1764 of them; the cross crosses 49 chunks.
  const Image in = random_image(testing::run_small() ? Size{120, 20} : Size{200, 120}, Type::u8, 1);
  Image holes({84, 42}, Type::u8);
  for (int y = 0; y < 42; ++y)
    for (int x = y % 2; x < 84; x += 2) holes.as<unsigned char>().at(x, y) = 1;
  for (const Image& element : {std::move(holes), cross_element(110)})
    EXPECT_EQ(made(in, element, {}, Backend::cuda), made(in, element, {}, Backend::cpu));
}

TEST_F(MorphologyOnCuda, LargeBoxesTakeSeveralPasses) {
  const Image in = random_image({700, 650, 2}, Type::u16, 1);
  for (const Size box : {Size{33, 1}, Size{1, 129}, Size{63, 63}, Size{600, 500}})
    for (const Border border : {Border::inside, Border::reflect_101, Border::valid}) {
      if (testing::run_small() && border != Border::inside) break;
      const Image element = box_element(box.width, box.height);
      EXPECT_EQ(made(in, element, {.border = border, .method = "separable"}, Backend::cuda),
                made(in, element, {.border = border, .method = "separable"}, Backend::cpu))
          << box.width << "x" << box.height << " " << name_of(border);
    }
}

TEST_F(MorphologyOnCuda, MemoryIsFlatOverManyCalls) {
  const bool small = testing::run_small();  // the sanitizer follows every access to shared memory
  const Image in = random_image(small ? Size{40, 36} : Size{512, 384}, Type::f32, 1);
  const Morphology plan(MorphologyKind::erode, in.info(), testing::short_view(box_element(43, 43)),
                        {.backend = Backend::cuda});
  Image out(plan.output());
  Stream stream(0);
  const auto call = [&] { plan(Piece{in.view(), 0}, MutablePiece{out.view(), 0}, stream); };
  for (int i = 0; i < 5; ++i) call();
  stream.wait();
  const std::size_t before = device_stream(stream).pool_bytes();
  for (int i = 0; i < (small ? 20 : 1000); ++i) call();
  stream.wait();
  EXPECT_GT(before, 0U);
  EXPECT_EQ(device_stream(stream).pool_bytes(), before);
}

TEST_F(MorphologyOnCuda, ImagesLargerThanTheLimitGoInStrips) {
  const Image in = random_image({300, testing::run_small() ? 220 : 2000}, Type::f32, 1);
  const Morphology plan(MorphologyKind::erode, in.info(), testing::short_view(disk_element(4)),
                        {.border = Border::wrap, .backend = Backend::cuda});
  Image whole(plan.output()), strips(plan.output());
  plan(in.view(), whole.view());
  Stream small(0, 0, 100 * 300 * 4);
  plan(Piece{in.view(), 0}, MutablePiece{strips.view(), 0}, small);
  small.wait();
  EXPECT_EQ(bytes_of_view(whole.view()), bytes_of_view(strips.view()));
  Stream tiny(0, 0, 1000);
  EXPECT_THROW(plan(Piece{in.view(), 0}, MutablePiece{strips.view(), 0}, tiny), Error);
}

TEST_F(MorphologyOnCuda, ManyPlanesNeedSeveralLaunches) {
  if (testing::run_small()) GTEST_SKIP() << "too large for the sanitizer";
  const Image in = random_image({3, 2, 1, 70000}, Type::u8, 1);
  for (const char* element : {"disk:1", "box:3x3"})
    EXPECT_EQ(made(in, element_from_text(element), {}, Backend::cuda),
              made(in, element_from_text(element), {}, Backend::cpu));
}

}  // namespace
}  // namespace tessera
