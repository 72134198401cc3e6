// SPDX-License-Identifier: Apache-2.0
// The tool gives the bytes of the library, whatever the road: files, pipes, strips, threads.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "io/formats.hpp"
#include "tessera/convolve.hpp"
#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/tool.hpp"

namespace tessera::testing {
namespace {

class CliConvolve : public ::testing::Test {
 protected:
  void SetUp() override { write_image(in_, image_.view()); }
  Outcome convolve(std::vector<std::string> more, const std::string& output) {
    std::vector<std::string> arguments{"convolve", in_, "gauss:1.5", output, "--border", "reflect"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_tool(arguments);
  }
  std::string expected_bytes(ConvolveOptions options = {}) {
    options.border = Border::reflect;
    write_image(folder_.path("expected.npy"),
                testing::short_view(
                    tessera::convolve(image_.view(), testing::short_view(gaussian(1.5)), options)),
                {.force = true});
    return read_bytes(folder_.path("expected.npy"));
  }

  TemporaryFolder folder_;
  Image image_ = random_image({97, 61, 3}, Type::u8, 7);
  std::string in_ = folder_.path("in.png"), out_ = folder_.path("out.npy");
};

TEST_F(CliConvolve, SameBytesAsTheLibrary) {
  const Outcome outcome = convolve({}, out_);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(read_bytes(out_), expected_bytes());
  EXPECT_NE(outcome.out.find("convolve 97x61"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find(out_), std::string::npos) << outcome.out;
}

TEST_F(CliConvolve, SignedResultsAreChecked) {
  // Fractions are rounded, and the second are outside the range of i16.
  for (const char* scale : {"1", "900"})
    for (const char* name : {"signed.npy", "signed.tif"}) {
      const Outcome outcome = run_tool({"convolve", in_, "dog:1,3", folder_.path(name), "--scale",
                                        scale, "--output-type", "i16", "--check", "--force"});
      EXPECT_EQ(outcome.code, 0) << outcome.err;
      EXPECT_NE(outcome.out.find("check: 61 of 61 rows agree"), std::string::npos) << outcome.out;
    }
}

TEST_F(CliConvolve, EveryOptionReachesTheLibrary) {
  const Outcome outcome = run_tool({"convolve", in_, "gauss:1.5", out_, "--border", "constant",
                                    "--constant", "-7.5", "--anchor", "0,2", "--scale", "-3",
                                    "--flip", "--output-type", "f64", "--method", "reference"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  ConvolveOptions options;
  options.border = Border::constant;
  options.constant = -7.5;
  options.anchor = Point{0, 2};
  options.scale = -3;
  options.flip = true;
  options.output_type = Type::f64;
  options.method = "reference";
  write_image(folder_.path("expected.npy"),
              testing::short_view(
                  tessera::convolve(image_.view(), testing::short_view(gaussian(1.5)), options)));
  EXPECT_EQ(read_bytes(out_), read_bytes(folder_.path("expected.npy")));
}

TEST_F(CliConvolve, StripsAndThreadsChangeNothing) {
  for (const std::vector<std::string>& road : {std::vector<std::string>{"--memory-limit", "40k"},
                                               {"--memory-limit", "0.1M"},
                                               {"--threads", "1"},
                                               {"--threads", "3", "--memory-limit", "30K"}}) {
    std::vector<std::string> more = road;
    more.push_back("--force");
    const Outcome outcome = convolve(more, out_);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(read_bytes(out_), expected_bytes()) << road[1];
  }
}

TEST_F(CliConvolve, ThroughPipes) {
  const Outcome outcome =
      run_tool({"convolve", "-", "gauss:1.5", "-", "--border", "reflect"}, read_bytes(in_));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.out == expected_bytes());
  EXPECT_NE(outcome.err.find("convolve 97x61"), std::string::npos) << outcome.err;
}

TEST_F(CliConvolve, InPlaceWithForce) {
  const std::string both = folder_.path("both.npy");
  write_image(both, image_.view());
  const Outcome outcome =
      run_tool({"convolve", both, "gauss:1.5", both, "--border", "reflect", "--force", "--check"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(read_bytes(both), expected_bytes());
}

TEST_F(CliConvolve, FilterFromFile) {
  write_image(folder_.path("weights.npy"), testing::short_view(gaussian(1.5)));
  const Outcome outcome =
      run_tool({"convolve", in_, folder_.path("weights.npy"), out_, "--border", "reflect"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(read_bytes(out_), expected_bytes());
}

TEST_F(CliConvolve, JsonSaysWhatRan) {
  const Outcome outcome = convolve({"--json", "--check", "--output-type", "f32"}, out_);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["output"], out_);
  EXPECT_EQ(json["check"]["rows"], 61);
  EXPECT_LE(json["check"]["max_error"].get<double>(), json["check"]["bound"].get<double>());
  EXPECT_GT(json["seconds"]["all"].get<double>(), 0);
  EXPECT_EQ(outcome.err, "");
}

TEST_F(CliConvolve, CheckOfBandsOfALargerImage) {
  write_image(folder_.path("large.npy"),
              testing::short_view(random_image({1500, 1100}, Type::f32, 3)));
  const Outcome outcome =
      run_tool({"convolve", folder_.path("large.npy"), "box:43x43", out_, "--check", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto check = nlohmann::json::parse(outcome.out)["check"];
  EXPECT_LT(check["rows"].get<int>(), 1100);
  EXPECT_GT(check["rows"].get<int>(), 8);
}

TEST_F(CliConvolve, QuietSaysNothing) {
  const Outcome outcome = convolve({"--quiet"}, out_);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out + outcome.err, "");
}

TEST_F(CliConvolve, InterruptLeavesNothingBehind) {
  write_image(folder_.path("large.npy"),
              testing::short_view(random_image({2000, 2000}, Type::f32, 3)));
  Process process({TESSERA_CLI, "convolve", folder_.path("large.npy"), "gauss:12", out_, "--method",
                   "reference"});
  const auto temporaries = [&] {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      count += entry.path().filename().string().starts_with(".out.npy");
    return count;
  };
  for (int tries = 0; temporaries() == 0 && tries < 500; ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  ASSERT_EQ(temporaries(), 1);
  ::kill(process.id(), SIGINT);
  EXPECT_EQ(process.wait().code, 130);
  EXPECT_EQ(temporaries(), 0);
  EXPECT_FALSE(std::filesystem::exists(out_));
}

TEST_F(CliConvolve, BrokenPipeIsQuiet) {
  const std::string line =
      std::string(TESSERA_CLI) + " convolve " + in_ + " box:3x3 - --quiet | head -c 9";
  const Outcome outcome = Process({"sh", "-c", line}).wait();
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
}

}  // namespace
}  // namespace tessera::testing
