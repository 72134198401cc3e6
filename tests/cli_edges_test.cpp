// SPDX-License-Identifier: Apache-2.0
// edges from the command line gives the bytes of the library; American spellings are read.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "io/formats.hpp"
#include "tessera/convolve.hpp"
#include "tessera/edges.hpp"
#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/tool.hpp"

namespace tessera::testing {
namespace {

class CliEdges : public ::testing::Test {
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

TEST_F(CliEdges, SameBytesAsTheLibraryAndChecked) {
  for (const char* filters : {"sobel", "gauss:2.5"}) {
    const Outcome outcome = run_tool({"edges", in_, filters, out_, "--check", "--json", "--force"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(read_bytes(out_), bytes_of_image(edges(image_.view(), filters)));
    EXPECT_EQ(nlohmann::json::parse(outcome.out)["check"]["rows"], 61);
  }
}

TEST_F(CliEdges, EveryOptionReachesTheLibrary) {
  const Outcome outcome = run_tool(
      {"edges",     in_,   "prewitt",       out_,  "--border",       "constant", "--constant", "99",
       "--scale",   "3",   "--output-type", "f32", "--memory-limit", "40k",      "--threads",  "3",
       "--backend", "cpu", "--method",      "pair"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(
      read_bytes(out_),
      bytes_of_image(edges(
          image_.view(), "prewitt",
          {.border = Border::constant, .constant = 99, .scale = 3, .output_type = Type::f32})));
  EXPECT_NE(outcome.out.find("edges 97x61"), std::string::npos) << outcome.out;
}

TEST_F(CliEdges, ThroughPipesAndInBatches) {
  const Outcome piped = run_tool({"edges", "-", "scharr", "-"}, read_bytes(in_));
  ASSERT_EQ(piped.code, 0) << piped.err;
  EXPECT_TRUE(piped.out == bytes_of_image(edges(image_.view(), "scharr")));
  const Outcome batch = run_tool({"edges", in_, "sobel", folder_.path("done/")});
  ASSERT_EQ(batch.code, 0) << batch.err;
  EXPECT_TRUE(std::filesystem::exists(folder_.path("done/in.png")));
}

TEST_F(CliEdges, BadWordsAreRefused) {
  const Outcome unknown = run_tool({"edges", in_, "sobel:x", out_});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("'sobel:x' is not known (did you mean sobel?)"), std::string::npos)
      << unknown.err;
  EXPECT_EQ(run_tool({"edges", in_, "sobel", out_, "--backend", "cuda"}).code, 2);
  const Outcome kept = run_tool({"edges", in_, "sobel", "-", "--check"});
  EXPECT_EQ(kept.code, 2);
  EXPECT_NE(kept.err.find("edges: --check reads the output again"), std::string::npos) << kept.err;
  EXPECT_FALSE(std::filesystem::exists(out_));
}

TEST_F(CliEdges, HelpNamesFilters) {
  const std::string help = run_tool({"edges", "--help"}).out;
  for (const FilterUsage& usage : edge_usages())
    EXPECT_NE(help.find(usage.form), std::string::npos) << usage.form;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
}

TEST_F(CliEdges, NamesOfOtherLibrariesAndAmericanSpellings) {
  ASSERT_EQ(run_tool({"convolve", in_, "gaussian:2", out_, "--border", "mirror"}).code, 0);
  EXPECT_EQ(read_bytes(out_), bytes_of_image(convolve(image_.view(), short_view(gaussian(2)))));
  const Outcome american = run_tool(
      {"enhance", in_, out_, "--steps", "gray,equalize", "--gray", "bt601", "--force", "--json"});
  ASSERT_EQ(american.code, 0) << american.err;
  const std::string bytes = read_bytes(out_);
  ASSERT_EQ(
      run_tool({"enhance", in_, out_, "--steps", "grey,equalise", "--grey", "bt601", "--force"})
          .code,
      0);
  EXPECT_EQ(read_bytes(out_), bytes);
  const std::string help = run_tool({"enhance", "--help"}).out;
  EXPECT_EQ(help.find("--gray"), std::string::npos) << help;
  EXPECT_EQ(run_tool({"--help"}).out.find("polarized"), std::string::npos);
  EXPECT_EQ(run_tool({"sample", "polarized", folder_.path("sky.npy"), "--size", "20x20",
                      "--channels", "4", "--sources", "1"})
                .code,
            0);
}

}  // namespace
}  // namespace tessera::testing
