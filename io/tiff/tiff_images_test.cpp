// SPDX-License-Identifier: Apache-2.0
// ImageJ's stacks in which only the first image has a directory.
#include <gtest/gtest.h>

#include "tests/support/format_checks.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/tiff_stacks.hpp"
#include "tests/support/views.hpp"

namespace tessera {
namespace {

using namespace testing;

class TiffImagesTest : public FormatTest {
 protected:
  TiffImagesTest() : FormatTest("TIFF") {}
  const std::string& file(const std::string& bytes) {
    std::filesystem::remove(path_);
    write_bytes(path_, bytes);
    return path_;
  }
  static void expect_samples(const TiffTestStack& stack, const Image& image, int first = 0) {
    for (int p = 0; p < image.info().size.planes; ++p)
      for (int y = 0; y < stack.height; ++y)
        for (int x = 0; x < stack.width; ++x)
          ASSERT_EQ(value_at(image.view(), x, y, p), stack.sample(first + p, x, y))
              << "plane " << p << " at " << x << ", " << y;
  }
  std::string path_ = folder_.path("stack.tif");
};

TEST_F(TiffImagesTest, ImagesWithoutDirectoriesAreRead) {
  for (const bool little : {false, true})
    for (const int directories : {1, 2, 5})
      for (const bool with_sign : {false, true}) {
        const TiffTestStack stack{.description = "ImageJ=1.54f\nimages=5\nframes=5\n",
                                  .images = 5,
                                  .directories = directories,
                                  .little = little,
                                  .with_sign = with_sign};
        const Image image = read_image(file(stack.bytes()));
        ASSERT_EQ(image.info().size.planes, 5) << directories;
        EXPECT_EQ(image.info().type, with_sign ? Type::f32 : Type::u16);
        expect_samples(stack, image);
        const Image page = read_image(path_, {.page = 3});
        ASSERT_EQ(page.info().size.planes, 1);
        expect_samples(stack, page, 3);
        expect_error([&] { read_image(path_, {.page = 5}); }, ErrorKind::usage,
                     "there is no page 5; it has 5, counted from 0");
      }
}

TEST_F(TiffImagesTest, TheyAreShown) {
  const TiffTestStack stack{.description =
                                "ImageJ=1.54f\nimages=4\nslices=2\nframes=2\n"
                                "unit=\\u00B5m\nfinterval=0.25\n",
                            .images = 4,
                            .x_per_unit = 3.125};
  const auto source = open_image(file(stack.bytes()));
  EXPECT_EQ(detail(*source, "pages"), "4, without their own directories");
  EXPECT_EQ(detail(*source, "axes"), "2 frames and 2 slices (ImageJ)");
  EXPECT_EQ(detail(*source, "pixel size"), "0.32 um");
  EXPECT_EQ(detail(*source, "frame interval"), "0.25 s");
  EXPECT_EQ(source->axes().plane(1, 0, 0), 2);
  EXPECT_EQ(open_image(path_, {.page = 0})->axes(), StackAxes());
}

TEST_F(TiffImagesTest, StacksThatAreCutShort) {
  const TiffTestStack stack{.description = "ImageJ=1.54f\nimages=5\n", .images = 5};
  const std::string bytes = stack.bytes();
  const auto cut = [&](int images, int extra) {
    return file(bytes.substr(0, bytes.size() - 96UL * (5 - static_cast<unsigned>(images)) +
                                    static_cast<unsigned>(extra)));
  };
  expect_error([&] { read_image(cut(3, 20)); }, ErrorKind::input,
               "stack.tif: ImageJ's description names 5 images of 96 bytes from byte ");
  expect_error([&] { read_image(cut(3, 20)); }, ErrorKind::input, " bytes, which hold 3");
  std::vector<std::string> warnings;
  const Image image = read_image(cut(3, 20), {.allow_truncated = true}, &warnings);
  ASSERT_EQ(image.info().size.planes, 5);
  EXPECT_EQ(warnings.size(), 2U);
  EXPECT_EQ(value_at(image.view(), 7, 5, 2), stack.sample(2, 7, 5));
  EXPECT_EQ(value_at(image.view(), 7, 5, 3), 0);
  EXPECT_EQ(value_at(image.view(), 7, 5, 4), 0);
  // One image with the description of a stack is a page that was cut out of it.
  EXPECT_EQ(read_image(cut(1, 0)).info().size.planes, 1);
}

TEST_F(TiffImagesTest, DescriptionsAloneMakeNoImages) {
  // Two pages of a stack of nine.
  TiffTestStack stack{.description = "ImageJ=1.54f\nimages=9\n", .images = 2, .directories = 2};
  EXPECT_EQ(read_image(file(stack.bytes())).info().size.planes, 2);
  // Data that other parts of the file follow: the bytes behind the image are not images.
  TiffTestStack behind{.description = "ImageJ=1.54f\nimages=4\n", .images = 3};
  behind.data_first = true;
  EXPECT_EQ(read_image(file(behind.bytes() + std::string(500, 'x'))).info().size.planes, 1);
  behind.images = 4;
  EXPECT_EQ(read_image(file(behind.bytes())).info().size.planes, 4);
  stack.images = 1;
  stack.directories = 1;
  for (const char* images : {"images=99999999999999999999", "images=-3", "images=", "images=1"}) {
    stack.description = std::string("ImageJ=1.54f\n") + images + "\n";
    EXPECT_EQ(read_image(file(stack.bytes())).info().size.planes, 1) << images;
  }
  stack.description = "ImageJ=1.54f\nimages=6\n";
  stack.images = 6;
  expect_error([&] { read_image(file(stack.bytes()), {.limits = {.pages = 5}}); }, ErrorKind::input,
               "it has 6 pages; the limit is 5");
}

// Whatever byte of a stack is wrong, its details and planes are read or refused.
TEST_F(TiffImagesTest, DamagedStacksAreReadOrRefused) {
  for (const char* name : {"imagej_one_directory.tif", "ome_czt.ome.tif"}) {
    const std::string whole =
        read_bytes(std::string(TESSERA_SOURCE_DIR "/tests/data/stacks/") + name);
    for (std::size_t i = 0; i < 1600; i += run_all() ? 1 : 7) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(bytes[i] ^ (i % 2 == 0 ? 0x55 : 0x03));
      try {
        const auto source = open_image(file(bytes), {.allow_truncated = i % 3 == 0});
        source->details();
        const StackAxes axes = source->axes();
        EXPECT_TRUE(!axes.wrong.empty() || axes.consistent()) << name << " " << i;
        for (const int plane : axes.planes) EXPECT_LT(plane, source->info().size.planes);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
      }
    }
  }
}

}  // namespace
}  // namespace tessera
