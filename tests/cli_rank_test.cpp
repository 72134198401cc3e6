// SPDX-License-Identifier: Apache-2.0
// median and rank from the command line give the bytes of the library.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "io/formats.hpp"
#include "tessera/rank_filter.hpp"
#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/tool.hpp"

namespace tessera::testing {
namespace {

class CliRank : public ::testing::Test {
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

TEST_F(CliRank, SameBytesAsTheLibraryAndChecked) {
  const Outcome three = run_tool({"median", in_, "3", out_, "--check", "--json"});
  ASSERT_EQ(three.code, 0) << three.err;
  EXPECT_EQ(read_bytes(out_),
            bytes_of_image(median(image_.view(), testing::short_view(box_element(3, 3)))));
  const auto check = nlohmann::json::parse(three.out)["check"];
  EXPECT_EQ(check["rows"], 61);
  EXPECT_EQ(check["max_error"], 0);
  const Outcome wide = run_tool({"median", in_, "5x2", out_, "--force"});
  ASSERT_EQ(wide.code, 0) << wide.err;
  EXPECT_EQ(read_bytes(out_),
            bytes_of_image(median(image_.view(), testing::short_view(box_element(5, 2)))));
  EXPECT_NE(wide.out.find("median 97x61"), std::string::npos) << wide.out;
}

TEST_F(CliRank, EveryOptionReachesTheLibrary) {
  write_image(folder_.path("window.npy"), testing::short_view(line_element(9, 30)));
  const Outcome outcome = run_tool({"rank",      in_,         folder_.path("window.npy"),
                                    out_,        "--rank",    "-2",
                                    "--border",  "constant",  "--constant",
                                    "99",        "--anchor",  "0,2",
                                    "--method",  "bisect",    "--memory-limit",
                                    "40k",       "--threads", "3",
                                    "--backend", "cpu"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  RankOptions options;
  options.rank = -2;
  options.border = Border::constant;
  options.constant = 99;
  options.anchor = Point{0, 2};
  EXPECT_EQ(read_bytes(out_),
            bytes_of_image(
                rank_filter(image_.view(), testing::short_view(line_element(9, 30)), options)));
  ASSERT_EQ(run_tool({"rank", in_, "disk:2", out_, "--percentile", "20", "--force"}).code, 0);
  EXPECT_EQ(read_bytes(out_),
            bytes_of_image(rank_filter(image_.view(), testing::short_view(disk_element(2)),
                                       {.percentile = 20.0})));
}

TEST_F(CliRank, ThroughPipesAndInBatches) {
  const Outcome piped = run_tool({"median", "-", "7", "-"}, read_bytes(in_));
  ASSERT_EQ(piped.code, 0) << piped.err;
  EXPECT_TRUE(piped.out ==
              bytes_of_image(median(image_.view(), testing::short_view(box_element(7, 7)))));
  const Outcome batch = run_tool({"median", in_, "3", folder_.path("done/")});
  ASSERT_EQ(batch.code, 0) << batch.err;
  EXPECT_TRUE(std::filesystem::exists(folder_.path("done/in.png")));
}

TEST_F(CliRank, BadWordsAreRefused) {
  EXPECT_EQ(run_tool({"median", in_, "0", out_}).code, 2);
  EXPECT_EQ(run_tool({"median", in_, "3x", out_}).code, 2);
  EXPECT_EQ(run_tool({"median", in_, "2000", out_}).code, 2);
  EXPECT_EQ(run_tool({"median", in_, "3", out_, "--rank", "1"}).code, 2);
  EXPECT_EQ(run_tool({"median", in_, folder_.path("none.npy"), out_}).code, 3);
  const Outcome beyond = run_tool({"rank", in_, "3", out_, "--rank", "9"});
  EXPECT_EQ(beyond.code, 2);
  EXPECT_NE(beyond.err.find("rank: rank 9 is not offered for 9 pixels; it can be -9 to 8"),
            std::string::npos)
      << beyond.err;
  EXPECT_FALSE(std::filesystem::exists(out_));
  const Outcome kept = run_tool({"median", in_, "3", "-", "--check"});
  EXPECT_EQ(kept.code, 2);
  EXPECT_NE(kept.err.find("median: --check reads the output again"), std::string::npos) << kept.err;
}

TEST_F(CliRank, HelpNamesWindows) {
  for (const char* name : {"median", "rank"}) {
    const std::string help = run_tool({name, "--help"}).out;
    for (const FilterUsage& usage : element_usages())
      EXPECT_NE(help.find(usage.form), std::string::npos) << usage.form;
    EXPECT_NE(help.find(std::string("tessera ") + name + " photo.png"), std::string::npos) << help;
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
  }
}

}  // namespace
}  // namespace tessera::testing
