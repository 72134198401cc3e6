// SPDX-License-Identifier: Apache-2.0
// match from the command line gives the bytes of the library, and says where the best places are.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "io/formats.hpp"
#include "tessera/match_template.hpp"
#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/tool.hpp"

namespace tessera::testing {
namespace {

class CliMatch : public ::testing::Test {
 protected:
  void SetUp() override {
    write_image(in_, image_.view());
    write_image(template_, pattern_.view());
  }
  std::string bytes_of_image(const Image& image) {
    write_image(folder_.path("expected.npy"), image.view(), {.force = true});
    return read_bytes(folder_.path("expected.npy"));
  }

  TemporaryFolder folder_;
  Image image_ = random_image({97, 361, 3}, Type::u8, 7);
  Image pattern_ = copy(image_.view().region(31, 300, 12, 9));
  std::string in_ = folder_.path("in.png"), template_ = folder_.path("t.png"),
              out_ = folder_.path("out.npy");
};

TEST_F(CliMatch, SameBytesAsTheLibraryCheckedAndFound) {
  const Outcome outcome = run_tool({"match", in_, template_, out_, "--check", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(read_bytes(out_), bytes_of_image(match_template(image_.view(), pattern_.view())));
  const auto said = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(said["check"]["rows"], 353);
  ASSERT_EQ(said["peaks"].size(), 1U);
  EXPECT_EQ(said["peaks"][0]["x"], 31);
  EXPECT_EQ(said["peaks"][0]["y"], 300);
  EXPECT_NEAR(said["peaks"][0]["value"], 1, 2e-6);
  const Outcome plain = run_tool({"match", in_, template_, out_, "--force"});
  EXPECT_NE(plain.out.find("match 1.000000 at x 31, y 300\n"), std::string::npos) << plain.out;
}

TEST_F(CliMatch, EveryOptionReachesTheLibrary) {
  Image mask({12, 9}, Type::u8);
  for (int i = 0; i < 60; ++i) mask.as<unsigned char>().data[i] = 1;
  write_image(folder_.path("mask.npy"), mask.view());
  const Outcome outcome = run_tool(
      {"match",     in_,        template_,        out_,  "--mask",        folder_.path("mask.npy"),
       "--border",  "constant", "--constant",     "9",   "--output-type", "f64",
       "--method",  "fft",      "--overlap",      "0.5", "--threads",     "3",
       "--backend", "cpu",      "--memory-limit", "1M",  "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  MatchOptions options{.border = Border::constant, .constant = 9, .overlap = 0.5};
  options.output_type = Type::f64;
  options.method = "fft";
  EXPECT_EQ(read_bytes(out_),
            bytes_of_image(match_template(image_.view(), pattern_.view(), mask.view(), options)));
  const auto place = nlohmann::json::parse(outcome.out)["peaks"][0];
  EXPECT_EQ(place["x"], 31);  // of the template's first pixel, whatever the border
  EXPECT_EQ(place["y"], 300);
}

TEST_F(CliMatch, PeaksAsATable) {
  const std::string table = folder_.path("peaks.csv");
  const std::vector<std::string> words{"match",      in_,  template_,        out_,
                                       "--peaks",    "4",  "--table",        table,
                                       "--distance", "12", "--memory-limit", "500k"};
  ASSERT_EQ(run_tool(words).code, 0);
  const Image map = match_template(image_.view(), pattern_.view());
  std::istringstream lines(read_bytes(table));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "x,y,plane,value");
  for (const MatchPeak& peak : match_peaks(map.view(), {.count = 4, .distance = 12})) {
    std::getline(lines, line);
    EXPECT_TRUE(line.starts_with(std::to_string(peak.x) + "," + std::to_string(peak.y) + ",0,"))
        << line;
  }
  EXPECT_FALSE(std::getline(lines, line));
  std::filesystem::remove(out_);
  EXPECT_EQ(run_tool(words).code, 2);  // the table exists
  EXPECT_FALSE(std::filesystem::exists(out_));
}

TEST_F(CliMatch, PlanesPipesAndBatches) {
  Image film({40, 30, 1, 3}, Type::u8);
  for (int p = 0; p < 3; ++p)
    copy_samples(short_view(random_image({40, 30}, Type::u8, 20 + p)), film.view().only_plane(p));
  const Image part = copy(film.view().only_plane(2).region(5, 6, 8, 7));
  write_image(folder_.path("film.npy"), film.view());
  write_image(folder_.path("part.npy"), part.view());
  for (const char* count : {"1", "2"}) {
    const Outcome outcome = run_tool({"match", folder_.path("film.npy"), folder_.path("part.npy"),
                                      out_, "--json", "--force", "--peaks", count});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto place = nlohmann::json::parse(outcome.out)["peaks"][0];
    EXPECT_EQ(place["plane"], 2);
    EXPECT_EQ(place["x"], 5);
    EXPECT_EQ(place["y"], 6);
  }
  const Outcome piped = run_tool({"match", "-", template_, "-"}, read_bytes(in_));
  ASSERT_EQ(piped.code, 0) << piped.err;
  EXPECT_TRUE(piped.out == bytes_of_image(match_template(image_.view(), pattern_.view())));
  const Outcome batch = run_tool({"match", in_, template_, folder_.path("done/"), "--to", ".npy"});
  ASSERT_EQ(batch.code, 0) << batch.err;
  EXPECT_TRUE(read_bytes(folder_.path("done/in.npy")) == piped.out);
}

TEST_F(CliMatch, BadCallsAreRefused) {
  expect_failure({"match", template_, in_, out_}, 2,
                 "match: the template is 97x361, larger than the image of 12x9");
  expect_failure({"match", in_, folder_.path("none.png"), out_}, 3, "none.png");
  expect_failure({"match", in_, template_, out_, "--backend", "cuda"}, 2,
                 "match: it runs on the CPU only; give backend auto or cpu");
  expect_failure({"match", in_, template_, out_, "--peaks", "0"}, 2,
                 "match: peaks is 0; it can be 1 or more");
  expect_failure({"match", in_, template_, out_, "--table", "peaks.doc"}, 2,
                 "names no format of tables");
  expect_failure({"match", in_, template_, folder_.path("done/"), "--table", "peaks.csv"}, 2,
                 "--table has the peaks of one image");
  expect_failure({"match", in_, template_, "-", "--check"}, 2,
                 "match: --check reads the output again");
  EXPECT_FALSE(std::filesystem::exists(out_));
}

}  // namespace
}  // namespace tessera::testing
