// SPDX-License-Identifier: Apache-2.0
// erode, dilate and what is made of both, from the command line, give the bytes of the library.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "io/formats.hpp"
#include "tessera/morphology.hpp"
#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/tool.hpp"

namespace tessera::testing {
namespace {

class CliMorphology : public ::testing::Test {
 protected:
  void SetUp() override { write_image(in_, image_.view()); }
  std::string bytes_of_image(const Image& image) {
    write_image(folder_.path("expected.npy"), image.view(), {.force = true});
    return read_bytes(folder_.path("expected.npy"));
  }

  TemporaryFolder folder_;
  Image image_ = random_image({97, 61, 3}, Type::u8, 7);
  std::string in_ = folder_.path("in.png"), out_ = folder_.path("out.npy");
};

TEST_F(CliMorphology, SameBytesAsTheLibraryAndChecked) {
  const Outcome low = run_tool({"erode", in_, "disk:3", out_, "--check", "--json"});
  ASSERT_EQ(low.code, 0) << low.err;
  EXPECT_EQ(read_bytes(out_),
            bytes_of_image(erode(image_.view(), testing::short_view(disk_element(3)))));
  const auto check = nlohmann::json::parse(low.out)["check"];
  EXPECT_EQ(check["rows"], 61);
  EXPECT_EQ(check["max_error"], 0);
  EXPECT_EQ(check["bound"], 0);
  const Outcome high = run_tool({"dilate", in_, "box:5x15", out_, "--force"});
  ASSERT_EQ(high.code, 0) << high.err;
  EXPECT_EQ(read_bytes(out_),
            bytes_of_image(dilate(image_.view(), testing::short_view(box_element(5, 15)))));
  EXPECT_NE(high.out.find("dilate 97x61"), std::string::npos) << high.out;
}

TEST_F(CliMorphology, EveryOptionReachesTheLibrary) {
  write_image(folder_.path("element.npy"), testing::short_view(line_element(9, 30)));
  const Outcome outcome =
      run_tool({"dilate", in_, folder_.path("element.npy"), out_, "--border", "constant",
                "--constant", "99", "--anchor", "0,2", "--flip", "--method", "direct",
                "--memory-limit", "40k", "--threads", "3", "--backend", "cpu"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  MorphologyOptions options;
  options.border = Border::constant;
  options.constant = 99;
  options.anchor = Point{0, 2};
  options.flip = true;
  EXPECT_EQ(
      read_bytes(out_),
      bytes_of_image(dilate(image_.view(), testing::short_view(line_element(9, 30)), options)));
}

TEST_F(CliMorphology, ThroughPipes) {
  const Outcome outcome = run_tool({"erode", "-", "cross:2", "-"}, read_bytes(in_));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.out ==
              bytes_of_image(erode(image_.view(), testing::short_view(cross_element(2)))));
}

TEST_F(CliMorphology, BadWordsAreRefused) {
  EXPECT_EQ(run_tool({"erode", in_, "disk:x", out_}).code, 2);
  const Outcome missing = run_tool({"erode", in_, folder_.path("none.npy"), out_});
  EXPECT_EQ(missing.code, 3);
  const Outcome kept = run_tool({"dilate", in_, "disk:2", "-", "--check"});
  EXPECT_EQ(kept.code, 2);
  EXPECT_NE(kept.err.find("dilate: --check reads the output again"), std::string::npos) << kept.err;
}

TEST_F(CliMorphology, TwoPassesGiveTheBytesOfTheLibraryInStripsToo) {
  const Image element = line_element(9, 30);
  const MorphologyOptions wrap{.border = Border::wrap};
  const std::pair<const char*, Image (*)(AnyView, AnyView, const MorphologyOptions&)> words[] = {
      {"opening", opening},
      {"closing", closing},
      {"white-tophat", white_tophat},
      {"black-tophat", black_tophat},
      {"gradient", morphological_gradient}};
  for (const auto& [name, function] : words) {
    const Outcome outcome =
        run_tool({name, in_, "line:9,30", out_, "--border", "wrap", "--memory-limit", "100k",
                  "--force", "--check", "--json", "--backend", "cpu"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(read_bytes(out_), bytes_of_image(function(image_.view(), element.view(), wrap)))
        << name;
    const auto told = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(told["check"]["max_error"], 0);
    EXPECT_NE(outcome.out.find(std::string(name) + " 97x61x3 u8 by 9x5"), std::string::npos)
        << outcome.out;
  }
}

TEST_F(CliMorphology, HelpNamesElements) {
  for (const char* name :
       {"erode", "dilate", "opening", "closing", "white-tophat", "black-tophat", "gradient"}) {
    const std::string help = run_tool({name, "--help"}).out;
    for (const FilterUsage& usage : element_usages())
      EXPECT_NE(help.find(usage.form), std::string::npos) << usage.form;
    EXPECT_NE(help.find(std::string("tessera ") + name + " photo.png"), std::string::npos) << help;
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
  }
}

TEST_F(CliMorphology, ConstantsMayBeNan) {
  const Image floats = random_image({40, 30}, Type::f32, 3);
  const std::string in = folder_.path("floats.npy"), part = folder_.path("part.npy");
  write_image(in, floats.view());
  write_image(part, floats.view().region(3, 4, 5, 6));
  const std::vector<std::pair<std::string, std::string>> commands{
      {"convolve", "box:3"}, {"edges", "sobel"}, {"erode", "disk:1"},     {"dilate", "disk:1"},
      {"opening", "disk:1"}, {"median", "3"},    {"gradient", "box:3x3"}, {"match", part}};
  for (const auto& each : commands) {
    const std::string& command = each.first;
    const auto words = [&](const std::string& input) -> std::vector<std::string> {
      return {command,    input,        each.second, out_,      "--border",
              "constant", "--constant", "nan",       "--check", "--force"};
    };
    const Outcome outcome = run_tool(words(in));
    EXPECT_EQ(outcome.code, 0) << command << outcome.err;
    if (command == "erode") {
      const MorphologyOptions options{.border = Border::constant, .constant = NAN};
      EXPECT_EQ(
          read_bytes(out_),
          bytes_of_image(erode(floats.view(), testing::short_view(disk_element(1)), options)));
    }
    if (command == "match") continue;
    expect_failure(words(in_), 2, command + ": constant is nan, which u8 does not have");
  }
  expect_failure({"erode", in, "disk:1", out_, "--constant", "inf"}, 2,
                 "--constant: 'inf' is not a finite number");
  expect_failure({"convolve", in, "box:3", out_, "--scale", "nan"}, 2,
                 "--scale: 'nan' is not a finite number");
}

}  // namespace
}  // namespace tessera::testing
