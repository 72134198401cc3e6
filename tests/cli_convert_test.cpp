// SPDX-License-Identifier: Apache-2.0
// convert: parts, types and ranges, by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "io/formats.hpp"
#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/tool.hpp"

namespace tessera::testing {
namespace {

class CliConvert : public ::testing::Test {
 protected:
  Image convert(AnyView image, const std::vector<std::string>& options,
                const std::string& name = "out.npy") {
    write_image(folder_.path("in.npy"), image, {.force = true});
    std::vector<std::string> arguments{"convert", folder_.path("in.npy"), folder_.path(name),
                                       "--force"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = run_tool(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return read_image(folder_.path(name));
  }
  TemporaryFolder folder_;
};

template <class T>
std::vector<T> samples(const Image& image) {
  const T* data = image.as<T>().data;
  return {data, data + image.info().size.samples()};
}

Image row_of(const std::vector<float>& values) {
  Image image(Size{static_cast<int>(values.size()), 1}, Type::f32);
  std::copy(values.begin(), values.end(), image.as<float>().data);
  return image;
}

TEST_F(CliConvert, KeepsBytesByDefault) {
  const Image image = random_image({33, 21, 3}, Type::u16, 2);
  const Image back = convert(image.view(), {}, "out.png");
  EXPECT_EQ(samples<unsigned short>(back), samples<unsigned short>(image));
}

TEST_F(CliConvert, RoundsToEvenAndSaturates) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  const Image made =
      convert(testing::short_view(row_of({-3, 0.5F, 1.5F, 2.5F, 254.6F, 300, nan, inf, -inf})),
              {"--type", "u8"});
  EXPECT_EQ(samples<unsigned char>(made),
            (std::vector<unsigned char>{0, 0, 2, 2, 255, 255, 0, 255, 0}));
}

TEST_F(CliConvert, SignedIntegersAreWrittenAndReadAsFloats) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Image values = row_of({-3.5F, -2.5F, -0.5F, 0.5F, 1.5F, 40000, -40000, nan});
  for (const char* name : {"out.npy", "out.tif", "out.fits"}) {
    if (!can_write(std::string(name).substr(3))) continue;
    EXPECT_EQ(samples<float>(convert(values.view(), {"--type", "i16"}, name)),
              (std::vector<float>{-4, -2, 0, 0, 2, 32767, -32768, 0}))
        << name;
    EXPECT_EQ(samples<double>(convert(values.view(), {"--type", "i32"}, name)),
              (std::vector<double>{-4, -2, 0, 0, 2, 40000, -40000, 0}))
        << name;
  }
  const Image ends = row_of({0, 1});
  EXPECT_EQ(samples<float>(convert(ends.view(), {"--type", "i16", "--range", "0,1"})),
            (std::vector<float>{0, 32767}));
}

TEST_F(CliConvert, RangeGivenAndFound) {
  const Image values = row_of({-2, 0, 1, 2});
  EXPECT_EQ(samples<unsigned char>(convert(values.view(), {"--type", "u8", "--range", "0,1"})),
            (std::vector<unsigned char>{0, 0, 255, 255}));
  EXPECT_EQ(samples<unsigned short>(convert(values.view(), {"--type", "u16", "--range", "auto"})),
            (std::vector<unsigned short>{0, 32768, 49151, 65535}));
  EXPECT_EQ(samples<float>(convert(values.view(), {"--range", "2,-2"})),
            (std::vector<float>{1, 0.5F, 0.25F, 0}));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(samples<unsigned char>(convert(testing::short_view(row_of({nan, 3, 3})),
                                           {"--type", "u8", "--range", "auto"})),
            (std::vector<unsigned char>{0, 0, 0}));
}

TEST_F(CliConvert, CropPlaneAndChannelInStrips) {
  const Image image = random_image({40, 30, 3, 2}, Type::f32, 5);
  const Image made = convert(image.view(), {"--crop", "7,5,20x11", "--plane", "1", "--channel", "2",
                                            "--memory-limit", "20k"});
  ASSERT_EQ(made.info().size, (Size{20, 11, 1, 1}));
  for (int y = 0; y < 11; ++y)
    for (int x = 0; x < 20; ++x)
      ASSERT_EQ(made.as<float>().at(x, y), image.as<float>().at(x + 7, y + 5, 2, 1));
}

TEST_F(CliConvert, CropWithoutAPlaceIsTheMiddle) {
  const Image image = random_image({40, 30}, Type::f32, 5);
  const Image middle = convert(image.view(), {"--crop", "20x11"});
  EXPECT_EQ(samples<float>(middle), samples<float>(copy(image.view().region(10, 9, 20, 11))));
}

}  // namespace
}  // namespace tessera::testing
