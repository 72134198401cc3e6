// SPDX-License-Identifier: Apache-2.0
// Maps of folders and patterns of images, with the bytes of separate runs.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "io/formats.hpp"
#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/tool.hpp"

namespace tessera::testing {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;
using Json = nlohmann::ordered_json;

class CliNoiseBatch : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(in_);
    for (int i = 0; i < kImages; ++i)
      write_image(input(i), testing::short_view(random_image({90, 70}, Type::f32, 3U + i)));
  }
  static constexpr int kImages = 4;
  std::string input(int i) const { return in_ + "/f" + std::to_string(i) + ".npy"; }
  std::string map(int i, const std::string& name) const {
    return out_ + "f" + std::to_string(i) + "_" + name + ".npy";
  }
  Words words(const Words& more = {}) const {
    Words all{"noise", in_, "-o", out_, "--box", "16"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  Json said(const Words& more = {}) const {
    Words all = words(more);
    all.push_back("--json");
    return Json::parse(run_tool(all).out);
  }
  void expect_as_if_alone() const {
    for (int i = 0; i < kImages; ++i) {
      const std::string alone = folder_.path("alone");
      ASSERT_EQ(run_tool({"noise", input(i), "-o", alone, "--box", "16", "--force"}).code, 0);
      for (const char* name : {"bkg", "rms", "snr"})
        EXPECT_EQ(read_bytes(map(i, name)), read_bytes(alone + "_" + name + ".npy")) << i << name;
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(out_), {}), 3 * kImages + 1)
        << "maps and the manifest, nothing else";
  }

  TemporaryFolder folder_;
  std::string in_ = folder_.path("in"), out_ = folder_.path("maps/");
};

TEST_F(CliNoiseBatch, EveryImageAsIfAlone) {
  const Outcome outcome = run_tool(words());
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("4 done, 0 had, 0 failed"), std::string::npos) << outcome.out;
  expect_as_if_alone();
  fs::remove_all(out_);
  const Outcome pattern = run_tool({"noise", in_ + "/*.npy", "-o", out_, "--box", "16",
                                    "--files-at-once", "3", "--memory-limit", "300k"});
  EXPECT_EQ(pattern.code, 0) << pattern.err;
  expect_as_if_alone();
}

TEST_F(CliNoiseBatch, MakesWhatIsMissingOrOther) {
  ASSERT_EQ(run_tool(words()).code, 0);
  EXPECT_EQ(said()["had"], 4);
  fs::remove(map(1, "snr"));
  Json again = said();
  EXPECT_EQ(again["done"], 1);
  EXPECT_EQ(again["files"][1]["state"], "done");
  expect_as_if_alone();
  write_image(input(2), testing::short_view(random_image({80, 60}, Type::f32, 99)),
              {.force = true});
  EXPECT_EQ(said()["done"], 1);
  expect_as_if_alone();
  EXPECT_EQ(said({"--only", "rms"})["done"], 4) << "other choices, other results";
  const std::string mask = folder_.path("mask.npy");
  for (const unsigned seed : {1U, 2U}) {
    fs::remove_all(in_ + "/f2.npy");
    write_image(mask, testing::short_view(random_image({90, 70}, Type::u8, seed)), {.force = true});
    EXPECT_EQ(said({"--mask", mask})["done"], 3) << "another mask, other results";
  }
}

TEST_F(CliNoiseBatch, FilesOfOthersAreKept) {
  fs::create_directory(out_);
  write_bytes(map(1, "rms"), "not a map");
  for (int time = 0; time < 2; ++time) {
    const Outcome outcome = run_tool(words());
    EXPECT_EQ(outcome.code, 4) << outcome.err;
    EXPECT_NE(outcome.err.find("f1_rms.npy exists"), std::string::npos) << outcome.err;
    EXPECT_EQ(read_bytes(map(1, "rms")), "not a map");
    EXPECT_FALSE(fs::exists(map(1, "bkg"))) << "all or none";
  }
  EXPECT_EQ(run_tool(words({"--force"})).code, 0);
  expect_as_if_alone();
}

TEST_F(CliNoiseBatch, GoesOnAfterBeingKilled) {
  Words all = words({"--method", "reference"});
  all.insert(all.begin(), TESSERA_CLI);
  int kills = 0;
  for (; kills < 200; ++kills) {
    Process process(all);
    std::this_thread::sleep_for(std::chrono::milliseconds(20 + 20 * kills));
    ::kill(process.id(), SIGKILL);
    const Outcome outcome = process.wait();
    ASSERT_TRUE(outcome.code == 0 || outcome.code == 128 + SIGKILL) << outcome.err;
    if (outcome.code == 0) break;
  }
  EXPECT_LT(kills, 200);
  expect_as_if_alone();
}

TEST_F(CliNoiseBatch, SentencesForWhatCannotBe) {
  write_image(in_ + "/f1.raw", testing::short_view(random_image({9, 9}, Type::u8, 1)));
  for (const auto& [line, code, part] :
       {std::tuple<Words, int, std::string>{
            {"noise", in_, "-o", folder_.path("x")}, 2, "is not a folder; end it with /"},
        {{"noise", in_ + "/*.npy", "-o", out_, "--picture", "p.png"},
         2,
         "--picture needs a single image"},
        {{"noise", input(0), "-o", out_, "--files-at-once", "2"},
         2,
         "--files-at-once needs several images"},
        {{"noise", in_ + "/f1.*", "-o", out_}, 2, "would both become"},
        {{"noise", in_ + "/*.tif", "-o", out_}, 3, "no file matches"}}) {
    const Outcome outcome = run_tool(line);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
  }
}

TEST_F(CliNoiseBatch, GoodAndBadFiles) {
  write_bytes(in_ + "/bad.npy", "no array at all");
  const Outcome outcome = run_tool(words());
  EXPECT_EQ(outcome.code, 4) << outcome.err;
  EXPECT_NE(outcome.err.find(in_ + "/bad.npy"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.out.find("4 done, 0 had, 1 failed"), std::string::npos) << outcome.out;
  expect_as_if_alone();
}

}  // namespace
}  // namespace tessera::testing
