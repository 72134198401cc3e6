// SPDX-License-Identifier: Apache-2.0
// Kernels compiled for an element, on packed words: the bytes of the CPU wherever rows begin and
// whatever lies outside.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "core/kernel.hpp"
#include "core/machine.hpp"
#include "tessera/morphology.hpp"
#include "tests/support/device_image.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

using testing::bytes_of_view;
using testing::DeviceImage;
using testing::random_image;

class PackedMorphologyOnCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    if (this_machine().devices.empty())
      GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
    if (!run_time_compiler_found()) GTEST_SKIP() << "no run-time compiler";
  }
};

/// While it lives, plans take the kernels compiled for their element, whatever the image's size.
struct RunTimeKernels {
  RunTimeKernels() { setenv("TESSERA_KERNELS", "run-time", 1); }
  ~RunTimeKernels() { unsetenv("TESSERA_KERNELS"); }
  RunTimeKernels(const RunTimeKernels&) = delete;
  RunTimeKernels& operator=(const RunTimeKernels&) = delete;
};

/// Floats of both signs, zeros of both, infinities and NaNs, packed.
Image image_of_specials(Size size) {
  Image image = random_image(size, Type::f32, 5);
  const float specials[] = {0.0F, -0.0F, INFINITY, -INFINITY, NAN, -NAN};
  for (long long k = 0; k < size.samples(); k += 1 + k % 11)
    image.as<float>().data[k] = specials[k % 6];
  return image;
}

// Widths around a tile of words, elements around their samples; every border, all types.
TEST_F(PackedMorphologyOnCuda, PackedWordsGiveTheBytesOfTheCpu) {
  const RunTimeKernels compiled;
  const Border borders[] = {Border::valid,   Border::constant,    Border::replicate,
                            Border::reflect, Border::reflect_101, Border::wrap,
                            Border::inside};
  int turn = 0;
  for (const Type type : {Type::u8, Type::u16, Type::f32})
    for (const char* element : {"box:1x1", "box:3x3", "box:2x9", "box:15x15", "box:63x63",
                                "box:64x1", "box:1x64", "disk:3", "disk:12"}) {
      const Size size{64 + 37 * (turn % 9), 64 + 29 * (turn % 5), 1 + turn % 3, 1 + turn % 2};
      const Image in = type == Type::f32 ? image_of_specials(size) : random_image(size, type, 1);
      const Image shape = element_from_text(element);
      for (const MorphologyKind kind : {MorphologyKind::erode, MorphologyKind::dilate}) {
        MorphologyOptions options{.border = borders[turn++ % 7], .backend = Backend::cuda};
        if (options.border == Border::constant) options.constant = 100;
        const Morphology plan(kind, in.info(), shape.view(), options);
        Image out(plan.output()), expected(plan.output());
        plan(in.view(), out.view());
        options.backend = Backend::cpu;
        Morphology(kind, in.info(), shape.view(), options)(in.view(), expected.view());
        EXPECT_EQ(bytes_of_view(out.view()), bytes_of_view(expected.view()))
            << plan.describe() << " " << element << " " << name_of(type) << " "
            << name_of(options.border) << " " << size.width << "x" << size.height;
      }
    }
}

// Rows that begin on no boundary, those of the result on another than those of the image, and rows
// that each begin on another: the bytes of a packed copy, and nothing outside the region is
// written.
TEST_F(PackedMorphologyOnCuda, RegionsOfDeviceImagesAreImages) {
  const RunTimeKernels compiled;
  const Size part = testing::run_small() ? Size{290, 70} : Size{611, 150};
  for (const Type type : {Type::u8, Type::u16, Type::f32})
    for (const char* element : {"box:5x3", "disk:3"})
      for (const int room_width : {part.width + 5, part.width + 6}) {
        const Size room{room_width, part.height + 2, type == Type::u16 ? 3 : 1};
        const Image image = random_image(room, type, 1), before = random_image(room, type, 3),
                    shape = element_from_text(element);
        for (const auto& [x_in, x_out] : {std::pair{1, 1}, {1, 0}, {0, 3}, {3, 2}}) {
          const MorphologyOptions options{.border = Border::reflect, .backend = Backend::cuda};
          const Image alone = copy(AnyView(image.view()).region(x_in, 1, part.width, part.height));
          const Image expected = copy(testing::short_view(erode(
              alone.view(), shape.view(), {.border = options.border, .backend = Backend::cpu})));
          Stream stream(0);
          const DeviceImage in = testing::upload(image, stream),
                            out = testing::upload(before, stream);
          const AnyView from = AnyView(in.view).region(x_in, 1, part.width, part.height);
          const Morphology plan(MorphologyKind::erode, from.info(), shape.view(), options);
          plan(Piece{from, 0}, MutablePiece{out.view.region(x_out, 1, part.width, part.height), 0},
               stream);
          const Image result = download(out, stream);
          Image wanted = copy(before.view());
          copy_samples(expected.view(), wanted.view().region(x_out, 1, part.width, part.height));
          EXPECT_EQ(bytes_of_view(result.view()), bytes_of_view(wanted.view()))
              << element << " " << name_of(type) << " from column " << x_in << " to " << x_out
              << " in rows of " << room_width;
        }
      }
}

// Large enough that compiling pays without being asked for; one channel of three is not packed.
TEST_F(PackedMorphologyOnCuda, LargeImagesTakeItWherePixelsLieSideBySide) {
  if (testing::run_small()) GTEST_SKIP() << "too large for the sanitizer";
  Stream stream(0);
  for (const int channels : {1, 3})
    for (const char* element : {"box:3x3", "disk:4"}) {
      const Image image = random_image({1031, 1040, channels}, Type::u8, 1),
                  shape = element_from_text(element);
      const DeviceImage device = testing::upload(image, stream);
      AnyView on_host = image.view(), from = device.view;
      on_host.size.channels = from.size.channels = 1;
      const Morphology plan(MorphologyKind::erode, from.info(), shape.view(), {});
      EXPECT_NE(plan.describe().find("packed words"), std::string::npos) << plan.describe();
      const DeviceImage out(plan.output(), stream);
      plan(Piece{from, 0}, MutablePiece{out.view, 0}, stream);
      const Image alone = copy(on_host);
      const Image expected = erode(alone.view(), shape.view(), {.backend = Backend::cpu});
      EXPECT_EQ(bytes_of_view(testing::short_view(download(out, stream))),
                bytes_of_view(expected.view()))
          << element << ", " << channels << " samples per pixel";
    }
}

}  // namespace
}  // namespace tessera
