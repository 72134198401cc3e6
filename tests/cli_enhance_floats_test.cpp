// SPDX-License-Identifier: Apache-2.0
// enhance from the command line, on images of floats.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "io/formats.hpp"
#include "tessera/enhance.hpp"
#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/tool.hpp"

namespace tessera::testing {
namespace {

using FloatWords = std::vector<std::string>;
using FloatJson = nlohmann::ordered_json;

class CliEnhanceFloats : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
  std::string out_ = folder_.path("out.npy");
};

/// f32 and f64 in every format that holds them, whole and in strips.
TEST_F(CliEnhanceFloats, FloatsFromFilesGiveTheSamplesOfTheLibrary) {
  for (const Type type : {Type::f32, Type::f64}) {
    const Image floats = random_image({90, 61, 1, 2}, type, 5);
    for (const char* steps : {"contrast", "clahe", "grey,clahe,contrast", "contrast,smooth"}) {
      const Image expected = enhance(floats.view(), {.steps = steps});
      for (const char* ending : {".npy", ".fits", ".tif"}) {
        const std::string file = folder_.path(std::string("floats") + ending);
        const std::string made = folder_.path(std::string("made") + ending);
        try {
          write_image(file, floats.view(), {.force = true});
        } catch (const Error&) {
          continue;  // this build does not have the format
        }
        for (const char* limit : {"30k", "100M"}) {
          const Outcome outcome = run_tool({"enhance", file, made, "--force", "--steps", steps,
                                            "--memory-limit", limit, "--json", "--check"});
          ASSERT_EQ(outcome.code, 0) << outcome.err;
          EXPECT_EQ(bytes_of_view(testing::short_view(read_image(made))),
                    bytes_of_view(expected.view()))
              << made << " by " << steps << " with " << limit;
        }
      }
    }
  }
}

TEST_F(CliEnhanceFloats, LimitsOfFloatsAreNumbers) {
  Image ramp({101, 1}, Type::f64);
  for (int k = 0; k <= 100; ++k) ramp.as<double>().data[k] = 0.25 * k - 3;
  const std::string file = folder_.path("ramp.npy");
  write_image(file, ramp.view());
  const FloatWords words{"enhance", file, out_, "--steps", "contrast", "--low", "10", "--force"};
  FloatWords as_json = words;
  as_json.push_back("--json");
  const FloatJson said = FloatJson::parse(run_tool(as_json).out);
  EXPECT_EQ(said["sweeps"], 4);
  EXPECT_EQ(said["low"], -0.5);  // the 11th of 101 values
  EXPECT_EQ(said["high"], 22);
  EXPECT_TRUE(said["high"].is_number_float());
  EXPECT_EQ(said["found"][0]["low"], -0.5);
  const std::string text = run_tool(words).out;
  EXPECT_NE(text.find("contrast: -0.5 became black, 22 white"), std::string::npos) << text;
}

TEST_F(CliEnhanceFloats, FloatsHaveNoHistogram) {
  const std::string file = folder_.path("floats.npy");
  write_image(file, testing::short_view(random_image({20, 10}, Type::f32, 1)));
  const Outcome counted = run_tool({"enhance", file, out_, "--histogram", folder_.path("h.csv")});
  EXPECT_EQ(counted.code, 2);
  EXPECT_EQ(counted.err,
            "tessera enhance: --histogram counts every value, and the image is f32; leave it out, "
            "or convert the image to u16\n");
  const Outcome smoothed =
      run_tool({"enhance", file, out_, "--steps", "smooth,contrast", "--check"});
  EXPECT_EQ(smoothed.code, 2);
  EXPECT_NE(smoothed.err.find("the image is f32, and other steps follow it"), std::string::npos)
      << smoothed.err;
}

/// From the darkest to the brightest mean, whatever the values are.
TEST_F(CliEnhanceFloats, PicturesOfFloats) {
  Image ramp({3, 1}, Type::f32);
  const float values[] = {-2e-3F, 0, 2e-3F};
  std::copy_n(values, 3, ramp.as<float>().data);
  const std::string file = folder_.path("ramp.npy"), both = folder_.path("both.png");
  write_image(file, ramp.view());
  const Outcome outcome = run_tool(
      {"enhance", file, out_, "--steps", "contrast", "--low", "0", "--before-after", both});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Image picture = read_image(both);
  const View<const std::uint8_t> pixels = picture.as<std::uint8_t>();
  for (const int first : {0, 19}) {
    EXPECT_EQ(pixels.at(first, 0), 0);
    EXPECT_EQ(pixels.at(first + 1, 0), 128);
    EXPECT_EQ(pixels.at(first + 2, 0), 255);
  }
}

}  // namespace
}  // namespace tessera::testing
