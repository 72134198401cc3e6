// SPDX-License-Identifier: Apache-2.0
// Folders and patterns on the command line, and batches that are ended and go on.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
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

class CliBatch : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(in_);
    for (int i = 0; i < 12; ++i)
      write_image(in_ + name_of_input(i),
                  testing::short_view(random_image({300, 200}, Type::u8, 3U + i)));
  }
  static std::string name_of_input(int i) {
    return "/" + std::to_string(100 + i) + (i % 2 ? ".png" : ".npy");
  }
  Words names(const std::string& folder) const {
    Words found;
    for (const auto& entry : fs::directory_iterator(folder))
      found.push_back(entry.path().filename());
    std::ranges::sort(found);
    return found;
  }
  /// The bytes of a run on one input alone.
  std::string alone(const Words& command, const std::string& input) {
    std::string& bytes = alone_[{command, input}];
    if (!bytes.empty()) return bytes;
    const std::string output = folder_.path("alone.npy");
    Words words = command;
    for (std::string& word : words) word = word == "IN" ? input : word == "OUT" ? output : word;
    words.push_back("--force");
    EXPECT_EQ(run_tool(words).code, 0);
    return bytes = read_bytes(output);
  }
  void expect_whole(const Words& command) {
    for (int i = 0; i < 12; ++i) {
      const fs::path input = in_ + name_of_input(i);
      EXPECT_EQ(read_bytes(out_ + input.stem().string() + ".npy"), alone(command, input)) << input;
    }
    EXPECT_EQ(names(out_).size(), 13U) << "outputs and the manifest, nothing else";
  }
  Words batch(const Words& command, const Words& more = {}) {
    Words words = command;
    for (std::string& word : words) word = word == "IN" ? in_ : word == "OUT" ? out_ : word;
    words.insert(words.end(), {"--to", ".npy"});
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  TemporaryFolder folder_;
  std::string in_ = folder_.path("in"), out_ = folder_.path("out/");
  std::map<std::pair<Words, std::string>, std::string> alone_;
};

TEST_F(CliBatch, EveryFileAsIfAlone) {
  for (const Words& command : {Words{"convert", "IN", "OUT", "--type", "u16"},
                               Words{"convolve", "IN", "gauss:1", "OUT", "--output-type", "f32"}}) {
    fs::remove_all(out_);
    const Outcome outcome = run_tool(batch(command));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("12 done, 0 had, 0 failed"), std::string::npos) << outcome.out;
    expect_whole(command);
  }
}

// The bytes do not depend on how many files there are at a time, nor on what each has of memory.
TEST_F(CliBatch, AnyNumberOfFilesAtOnce) {
  const Words command{"convolve", "IN", "gauss:1", "OUT", "--output-type", "f32"};
  for (const Words& more : {Words{"--files-at-once", "1"}, Words{"--files-at-once", "5"},
                            Words{"--threads", "8", "--memory-limit", "200k"}}) {
    fs::remove_all(out_);
    const Outcome outcome = run_tool(batch(command, more));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    expect_whole(command);
  }
}

// One file's part of the limit is less than a row takes: such files are made alone.
TEST_F(CliBatch, FilesThatNeedTheWholeMemory) {
  write_image(in_ + "/wide.npy", testing::short_view(random_image({20000, 3}, Type::u8, 1)));
  const Outcome outcome = run_tool(batch({"convolve", "IN", "box:3x3", "OUT"},
                                         {"--files-at-once", "4", "--memory-limit", "300k"}));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("13 done"), std::string::npos) << outcome.out;
}

TEST_F(CliBatch, KeepsEndingsAndTakesPatterns) {
  const Outcome outcome = run_tool({"convert", in_ + "/*.png", out_});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(names(out_), (Words{"101.png", "103.png", "105.png", "107.png", "109.png", "111.png",
                                "tessera-batch.jsonl"}));
}

TEST_F(CliBatch, RedoesWhatChangedOnly) {
  const Words command{"convert", "IN", "OUT"};
  ASSERT_EQ(run_tool(batch(command)).code, 0);
  write_image(in_ + "/100.npy", testing::short_view(random_image({50, 20}, Type::u8, 9)),
              {.force = true});
  const auto json =
      nlohmann::json::parse(run_tool(batch(command, {"--json", "--threads", "1"})).out);
  EXPECT_EQ(json["done"], 1);
  EXPECT_EQ(json["had"], 11);
  EXPECT_EQ(json["files"][0]["state"], "done");
  const auto other =
      nlohmann::json::parse(run_tool(batch(command, {"--json", "--type", "f32"})).out);
  EXPECT_EQ(other["done"], 12) << "other options, other results";
}

TEST_F(CliBatch, AFilterFileCounts) {
  const std::string filter = folder_.path("weights.npy");
  const Words command{"convolve", "IN", filter, "OUT"};
  write_image(filter, testing::short_view(random_image({3, 3}, Type::f32, 1)));
  ASSERT_EQ(run_tool(batch(command)).code, 0);
  EXPECT_EQ(nlohmann::json::parse(run_tool(batch(command, {"--json"})).out)["had"], 12);
  write_image(filter, testing::short_view(random_image({5, 5}, Type::f32, 1)), {.force = true});
  EXPECT_EQ(nlohmann::json::parse(run_tool(batch(command, {"--json"})).out)["done"], 12);
}

TEST_F(CliBatch, GoodAndBadFiles) {
  write_bytes(in_ + "/bad.png", "no PNG at all");
  write_bytes(in_ + "/short.npy", read_bytes(in_ + "/100.npy").substr(0, 500));
  const Outcome outcome = run_tool(batch({"convert", "IN", "OUT"}));
  EXPECT_EQ(outcome.code, 4) << outcome.err;
  EXPECT_NE(outcome.err.find("tessera convert: " + in_ + "/bad.png: "), std::string::npos);
  EXPECT_NE(outcome.err.find("tessera convert: " + in_ + "/short.npy: "), std::string::npos);
  EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 2) << outcome.err;
  EXPECT_NE(outcome.out.find("12 done, 0 had, 2 failed"), std::string::npos) << outcome.out;
  const Outcome filled =
      run_tool(batch({"convert", "IN", "OUT"}, {"--allow-truncated", "--quiet"}));
  EXPECT_EQ(filled.code, 4);
  EXPECT_NE(filled.err.find("warning: " + in_ + "/short.npy"), std::string::npos) << filled.err;
}

TEST_F(CliBatch, SentencesForWhatCannotBe) {
  for (const auto& [words, code, part] :
       {std::tuple<Words, int, std::string>{
            {"convert", in_, folder_.path("x.npy"), "--to", ".png"}, 2, "end it with /"},
        {{"convert", in_, out_, "--to", ".xyz"}, 2, "--to: '.xyz'"},
        {{"convert", in_, out_, "--files-at-once", "0"},
         2,
         "files-at-once is 0; it can be 1 or more"},
        {{"convert", in_, folder_.path("x.npy"), "--files-at-once", "2"}, 2, "end it with /"},
        {{"convert", "-", out_}, 2, "standard input"},
        {{"convert", folder_.path("*.tif"), out_}, 3, "no file matches"},
        {{"convert", folder_.path("none.npy"), out_}, 3, "none.npy: cannot be opened"},
        {{"convert", in_, "/proc/out/"}, 2, "/proc/out/: the folder cannot be made"}}) {
    const Outcome outcome = run_tool(words);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
  }
}

// Killed at random until it is through: nothing half made, nothing made twice that was noted.
TEST_F(CliBatch, GoesOnAfterBeingKilled) {
  const Words command{"convolve", "IN", "gauss:2", "OUT"};
  std::mt19937 random(5);
  for (const int signal : {SIGKILL, SIGINT}) {
    fs::remove_all(out_);
    Words words = batch(command);
    words.insert(words.begin(), TESSERA_CLI);
    int kills = 0;
    for (; kills < 200; ++kills) {
      Process process(words);
      std::this_thread::sleep_for(
          std::chrono::milliseconds(15 + random() % 60 + kills * kills / 4));
      ::kill(process.id(), signal);
      const Outcome outcome = process.wait();
      ASSERT_TRUE(outcome.code == 0 || outcome.code == 128 + signal) << outcome.err;
      if (outcome.code == 0) break;
    }
    EXPECT_LT(kills, 200);
    ASSERT_EQ(run_tool(batch(command)).code, 0);
    expect_whole(command);
  }
}

TEST_F(CliBatch, TwoAtOnceAreRefused) {
  Words words = batch({"convolve", "IN", "gauss:12", "OUT"}, {"--method", "reference"});
  words.insert(words.begin(), TESSERA_CLI);
  Process first(words);
  for (int tries = 0; !fs::exists(out_ + "100.npy") && tries < 500; ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const Outcome second = run_tool(batch({"convert", "IN", "OUT"}));
  ::kill(first.id(), SIGTERM);
  EXPECT_EQ(first.wait().code, 143);
  EXPECT_EQ(second.code, 5) << second.err;
  EXPECT_NE(second.err.find("another batch works in this folder"), std::string::npos);
  EXPECT_EQ(std::ranges::count(second.err, '\n'), 1) << second.err;
}

}  // namespace
}  // namespace tessera::testing
