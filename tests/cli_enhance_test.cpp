// SPDX-License-Identifier: Apache-2.0
// enhance from the command line gives the bytes of the library, in strips and plane after plane
// too, with its histogram and its picture.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "io/formats.hpp"
#include "tessera/enhance.hpp"
#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/tool.hpp"

namespace tessera::testing {
namespace {

using Words = std::vector<std::string>;
using Json = nlohmann::ordered_json;

/// Values from 40 to 167 of a u8: something to stretch.
Image dull_image(Size size, Type type, unsigned seed) {
  Image image = random_image(size, type, seed);
  for (long long i = 0; i < size.samples(); ++i)
    if (type == Type::u8)
      image.as<std::uint8_t>().data[i] =
          static_cast<std::uint8_t>(40 + image.as<std::uint8_t>().data[i] / 2);
    else
      image.as<std::uint16_t>().data[i] =
          static_cast<std::uint16_t>(9000 + image.as<std::uint16_t>().data[i] / 4);
  return image;
}

class CliEnhance : public ::testing::Test {
 protected:
  void SetUp() override { write_image(in_, image_.view()); }
  std::string bytes_of_image(const Image& image) {
    write_image(folder_.path("expected.npy"), image.view(), {.force = true});
    return read_bytes(folder_.path("expected.npy"));
  }
  Outcome run(Words words) {
    words.insert(words.begin(), {"enhance", in_, out_});
    words.push_back("--force");
    return run_tool(words);
  }

  TemporaryFolder folder_;
  Image image_ = dull_image({97, 61, 3}, Type::u8, 7);
  std::string in_ = folder_.path("in.png"), out_ = folder_.path("out.npy");
};

TEST_F(CliEnhance, SameBytesAsTheLibraryAndChecked) {
  const Outcome outcome = run({"--check", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(read_bytes(out_), bytes_of_image(enhance(image_.view())));
  const Json said = Json::parse(outcome.out);
  EXPECT_EQ(said["check"]["rows"], 61);
  EXPECT_EQ(said["check"]["max_error"], 0);
  EXPECT_EQ(said["sweeps"], 1);
  EXPECT_NE(said["ran"].get<std::string>().find("grey, contrast, smooth"), std::string::npos);
  EXPECT_GT(said["seconds"]["all"].get<double>(), 0);
  const Enhance plan(image_.info());
  const EnhanceState state = plan.examine(image_.view(), thread_stream(plan.device()));
  EXPECT_EQ(said["low"], *state.findings()[0].low);
  EXPECT_EQ(said["high"], *state.findings()[0].high);
}

TEST_F(CliEnhance, EveryOptionReachesTheLibrary) {
  EnhanceOptions options;
  options.steps = "contrast,grey,smooth,clahe,equalise";
  options.grey = "bt709";
  options.rule = ContrastRule::threshold;
  options.threshold = 3;
  options.channels = ChannelCurves::each;
  options.tiles = {3, 2};
  options.clip = 0.03;
  options.smooth = "binomial:3";
  const Outcome outcome = run({"--steps",    options.steps, "--grey", "bt709",      "--rule",
                               "threshold",  "--threshold", "3",      "--channels", "each",
                               "--tiles",    "3,2",         "--clip", "0.03",       "--smooth",
                               "binomial:3", "--threads",   "3",      "--backend",  "cpu"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(read_bytes(out_), bytes_of_image(enhance(image_.view(), options)));
}

// One row at a time and more, kept in memory or decoded again for every sweep.
TEST_F(CliEnhance, StripsOfAnySizeGiveTheSameBytes) {
  for (const char* steps : {"grey,contrast,smooth", "equalise,smooth,contrast", "grey,clahe",
                            "smooth,grey", "clahe,histogram"}) {
    const std::string whole =
        bytes_of_image(enhance(image_.view(), EnhanceOptions{.steps = steps}));
    for (const char* limit : {"8k", "12k", "20k", "30k", "100M"}) {
      const Outcome outcome = run({"--steps", steps, "--memory-limit", limit});
      ASSERT_EQ(outcome.code, 0) << outcome.err;
      EXPECT_EQ(read_bytes(out_), whole) << steps << " with " << limit;
    }
  }
}

TEST_F(CliEnhance, PlanesAreImagesOfTheirOwn) {
  const Image stack = dull_image({50, 40, 1, 3}, Type::u16, 3);
  const std::string expected = bytes_of_image(enhance(stack.view()));
  for (const char* ending : {".npy", ".tif"}) {
    const std::string file = folder_.path(std::string("stack") + ending);
    try {
      write_image(file, stack.view());
    } catch (const Error&) {
      continue;  // this build has no TIFF
    }
    for (const char* limit : {"20k", "100M"}) {
      const Outcome outcome = run_tool(
          {"enhance", file, out_, "--force", "--memory-limit", limit, "--json", "--check"});
      ASSERT_EQ(outcome.code, 0) << outcome.err;
      EXPECT_EQ(read_bytes(out_), expected) << ending << " with " << limit;
      const Json found = Json::parse(outcome.out)["found"];
      ASSERT_EQ(found.size(), 3U);
      for (int plane = 0; plane < 3; ++plane) EXPECT_EQ(found[plane]["plane"], plane);
    }
  }
}

// Counts and curves of 16-bit planes take a megabyte each: not of all planes at once.
TEST_F(CliEnhance, PlanesDoNotAddUpInMemory) {
  const std::string stack = folder_.path("stack.npy");
  write_image(stack, testing::short_view(random_image({2, 2, 1, 2000}, Type::u16, 5)));
  const Outcome outcome = run_tool(
      {"enhance", stack, out_, "--steps", "equalise", "--memory-limit", "50M", "--threads", "1"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  EXPECT_LT(used.ru_maxrss, 600'000) << "kB of the largest child so far";
}

TEST_F(CliEnhance, WeightsFromAFile) {
  Image weights({3, 3}, Type::f64);
  std::iota(weights.as<double>().data, weights.as<double>().data + 9, 1.0);
  write_image(folder_.path("weights.npy"), weights.view());
  const Outcome outcome = run({"--steps", "smooth", "--smooth", folder_.path("weights.npy")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Enhance plan(image_.info(), {.steps = "smooth"}, weights.view());
  Image expected(plan.output());
  plan(image_.view(), expected.view());
  EXPECT_EQ(read_bytes(out_), bytes_of_image(expected));
}

// Floats may round to the level next to the reference's; whole numbers may not.
TEST_F(CliEnhance, FloatWeightsAreCheckedToALevel) {
  write_image(in_, testing::short_view(random_image({200, 300, 3}, Type::u8, 3)), {.force = true});
  const Outcome outcome = run({"--smooth", "gauss:2", "--check", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(Json::parse(outcome.out)["check"]["bound"], 0.5);
}

TEST_F(CliEnhance, ThroughPipes) {
  const Outcome outcome = run_tool({"enhance", "-", "-", "--steps", "grey"}, read_bytes(in_));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.out == bytes_of_image(enhance(image_.view(), {.steps = "grey"})));
}

TEST_F(CliEnhance, HistogramsAreWhatTheStepCounted) {
  const std::string csv = folder_.path("h.csv");
  const Outcome outcome = run({"--histogram", csv, "--memory-limit", "10k"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Image grey = enhance(image_.view(), {.steps = "grey"});
  const auto before = histogram(grey.view())[0].counts;
  const auto after = histogram(testing::short_view(enhance(image_.view())))[0].counts;
  std::string expected = "value,count,result\n";
  for (std::size_t v = 0; v < 256; ++v)
    expected +=
        std::to_string(v) + "," + std::to_string(before[v]) + "," + std::to_string(after[v]) + "\n";
  EXPECT_EQ(read_bytes(csv), expected);
}

TEST_F(CliEnhance, HistogramsOfChannels) {
  const std::string csv = folder_.path("h.csv"), text = folder_.path("h.json");
  ASSERT_EQ(run({"--steps", "contrast", "--channels", "each", "--histogram", csv}).code, 0);
  EXPECT_TRUE(
      read_bytes(csv).starts_with("value,red,green,blue,result_red,result_green,result_blue\n0,"));
  const Outcome outcome =
      run({"--steps", "contrast", "--channels", "each", "--histogram", text, "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json file = Json::parse(read_bytes(text)), said = Json::parse(outcome.out);
  EXPECT_EQ(file["step"], "contrast");
  ASSERT_EQ(file["before"].size(), 3U);
  for (int c = 0; c < 3; ++c) {
    EXPECT_EQ(file["before"][c]["low"], said["found"][c]["low"]);
    EXPECT_EQ(file["before"][c]["counts"], Json(histogram(image_.view())[c].counts));
  }
  EXPECT_EQ(said["histogram"], text);
}

TEST_F(CliEnhance, HistogramsArePictures) {
  ::setenv("TESSERA_GNUPLOT", "/no/gnuplot", 1);
  const Outcome without = run({"--histogram", folder_.path("h.svg")});
  ::unsetenv("TESSERA_GNUPLOT");
  ASSERT_EQ(without.code, 0) << without.err;
  EXPECT_NE(without.out.find("gnuplot was not found"), std::string::npos) << without.out;
  EXPECT_NE(read_bytes(folder_.path("h.gp")).find("'low "), std::string::npos);
  EXPECT_TRUE(read_bytes(folder_.path("h.tsv")).starts_with("histogram\tvalue\tbefore\tafter\n"));
  const Outcome drawn = run({"--histogram", folder_.path("h.svg")});
  ASSERT_EQ(drawn.code, 0) << drawn.err;
  if (!std::filesystem::exists(folder_.path("h.svg"))) GTEST_SKIP() << "gnuplot is missing";
  const std::string picture = read_bytes(folder_.path("h.svg"));
  for (const char* word : {"before", "after", "low ", "high "})
    EXPECT_NE(picture.find(word), std::string::npos) << word;
}

// Flat fields have flat means, whatever the scale; the left one is the input.
TEST_F(CliEnhance, BeforeAndAfterSideBySide) {
  Image wide({4000, 300, 3}, Type::u16);
  std::uint16_t* to = wide.as<std::uint16_t>().data;
  for (long long i = 0; i < wide.info().size.pixels(); ++i) {
    const bool right = i % 4000 >= 2000;
    for (int c = 0; c < 3; ++c) *to++ = static_cast<std::uint16_t>(257 * (right ? 90 + c : 30));
  }
  const std::string file = folder_.path("wide.npy"), both = folder_.path("both.png");
  write_image(file, wide.view());
  const Outcome outcome = run_tool({"enhance", file, out_, "--before-after", both, "--steps",
                                    "grey,contrast", "--memory-limit", "600k"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Image picture = read_image(both);
  EXPECT_EQ(picture.info().size, (Size{1600, 59, 3}));
  const View<const std::uint8_t> pixels = picture.as<std::uint8_t>();
  for (int c = 0; c < 3; ++c) {
    EXPECT_EQ(pixels.at(10, 30, c), 30);
    EXPECT_EQ(pixels.at(700, 30, c), 90 + c);
    EXPECT_EQ(pixels.at(800, 30, c), 255) << "the gap";
    EXPECT_EQ(pixels.at(900, 30, c), 0) << "black of the result";
    EXPECT_EQ(pixels.at(1590, 30, c), 255) << "white of the result";
  }
}

TEST_F(CliEnhance, SmallPicturesStayAsTheyAre) {
  const std::string both = folder_.path("both.png");
  ASSERT_EQ(run({"--before-after", both, "--memory-limit", "10k"}).code, 0);
  const Image picture = read_image(both), result = enhance(image_.view());
  EXPECT_EQ(picture.info().size, (Size{97 + 16 + 97, 61, 3}));
  for (int y = 0; y < 61; ++y)
    for (int x = 0; x < 97; ++x)
      for (int c = 0; c < 3; ++c) {
        ASSERT_EQ(picture.as<std::uint8_t>().at(x, y, c), image_.as<std::uint8_t>().at(x, y, c));
        ASSERT_EQ(picture.as<std::uint8_t>().at(x + 113, y, c), result.as<std::uint8_t>().at(x, y));
      }
}

TEST_F(CliEnhance, Batches) {
  const std::string scans = folder_.path("scans"), done = folder_.path("done/");
  std::filesystem::create_directory(scans);
  for (int i = 0; i < 5; ++i)
    write_image(scans + "/" + std::to_string(i) + ".png",
                testing::short_view(dull_image({90, 70, 3}, Type::u8, i)));
  const Outcome outcome = run_tool({"enhance", scans, done, "--to", ".npy"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(read_bytes(done + std::to_string(i) + ".npy"),
              bytes_of_image(enhance(testing::short_view(dull_image({90, 70, 3}, Type::u8, i)))));
  const Outcome refused = run_tool({"enhance", scans, done, "--histogram", "h.csv"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("--histogram needs a single image"), std::string::npos) << refused.err;
}

TEST_F(CliEnhance, LimitsOfIntegersAreIntegers) {
  const Json said = Json::parse(run({"--json"}).out);
  EXPECT_TRUE(said["low"].is_number_integer());
  EXPECT_TRUE(said["found"][0]["high"].is_number_integer());
}

TEST_F(CliEnhance, ColoursFollowTheirValue) {
  for (const char* steps : {"contrast", "equalise", "clahe"})
    for (const char* limit : {"20k", "100M"}) {
      const Outcome outcome =
          run({"--steps", steps, "--channels", "value", "--memory-limit", limit, "--check"});
      ASSERT_EQ(outcome.code, 0) << outcome.err;
      EXPECT_EQ(read_bytes(out_),
                bytes_of_image(
                    enhance(image_.view(), {.steps = steps, .channels = ChannelCurves::value})));
    }
  const std::string csv = folder_.path("h.csv");
  ASSERT_EQ(run({"--steps", "contrast", "--channels", "value", "--histogram", csv}).code, 0);
  EXPECT_TRUE(read_bytes(csv).starts_with("value,count,result\n0,"));
}

// Beside the result nothing is left of a run that was refused.
TEST_F(CliEnhance, BatchesSayWhichFileFailed) {
  const std::string scans = folder_.path("scans");
  std::filesystem::create_directory(scans);
  write_image(scans + "/floats.npy", testing::short_view(Image({4, 4}, Type::f32)));
  const Outcome outcome =
      run_tool({"enhance", scans, folder_.path("done/"), "--steps", "histogram"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err,
            "tessera enhance: " + scans +
                "/floats.npy: enhance: histogram counts every value, and the image is f32; floats "
                "take grey, contrast, clahe and smooth, or convert them to u16\n");
}

TEST_F(CliEnhance, BadWordsAreRefusedBeforeAnythingIsMade) {
  write_bytes(folder_.path("old.csv"), "precious");
  const Words reports{folder_.path("old.csv"), folder_.path("x.txt"), out_};
  for (const auto& [more, part] :
       {std::pair<Words, std::string>{{"--histogram", reports[0]}, "old.csv"},
        {{"--histogram", reports[1]}, "end it with .csv, .json, .svg or .png"},
        {{"--before-after", reports[1]}, "x.txt"},
        {{"--before-after", out_}, "would be made twice"},
        {{"--before-after", folder_.path("./out.npy")}, "would be made twice"},
        {{"--smooth", "gauss:2", "--steps", "smooth,contrast", "--check"}, "the last step"},
        {{"--steps", "smooth", "--histogram", folder_.path("h.csv")}, "add histogram to --steps"},
        {{"--steps", "grry"}, "grey"},
        {{"--low", "60", "--high", "40"}, "60"},
        {{"--smooth", folder_.path("none.npy")}, "none.npy"}}) {
    Words words{"enhance", in_, out_};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run_tool(words);
    EXPECT_EQ(outcome.code, part == "none.npy" ? 3 : 2) << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(out_));
  }
  EXPECT_EQ(read_bytes(reports[0]), "precious");
}

TEST_F(CliEnhance, HelpFitsTheTerminal) {
  const std::string help = run_tool({"enhance", "--help"}).out;
  EXPECT_NE(help.find("tessera enhance map.png readable.png"), std::string::npos) << help;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
}

}  // namespace
}  // namespace tessera::testing
