// SPDX-License-Identifier: Apache-2.0
// `tessera demo` as users run it.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/support/poison.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/text_has.hpp"
#include "tests/support/tool.hpp"

namespace tessera::testing {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

const Words kParts{"convolve",   "rank",    "correlate", "enhance", "cells",  "faraday",
                   "channelise", "xengine", "noise",     "beam",    "sources"};
constexpr std::uintmax_t kMostPageBytes = 15'000'000;

/// A path as one word of a shell.
std::string quoted(const std::string& path) { return "'" + path + "'"; }

class CliDemo : public ::testing::Test {
 protected:
  void SetUp() override {
    if (run_small()) GTEST_SKIP() << "it runs whole operations";
  }
  Outcome demo(const Words& more) const {
    Words words{"demo", "--output", out_, "--quick"};
    words.insert(words.end(), more.begin(), more.end());
    return run_tool(words);
  }
  Json json() const { return Json::parse(read_bytes(out_ + "/demo.json")); }

  TemporaryFolder folder_;
  std::string out_ = folder_.path("demo");
};

TEST_F(CliDemo, EveryOperationIsRight) {
  const Outcome outcome = demo({});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(has(outcome.out, "11 of 11 right in ")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, ": " + out_ + "/index.html\n")) << outcome.out;
  const Json all = json();
  ASSERT_EQ(all["parts"].size(), kParts.size());
  for (std::size_t k = 0; k < kParts.size(); ++k) {
    const Json& part = all["parts"][k];
    EXPECT_EQ(part["operation"], kParts[k]);
    EXPECT_TRUE(has(outcome.out, "  " + kParts[k] + " ")) << outcome.out;
    EXPECT_TRUE(part["right"]) << part["check"];
    EXPECT_GT(part["seconds"], 0) << kParts[k];
    for (const char* text : {"field", "title", "story", "python", "backend", "method", "check"})
      EXPECT_NE(part[text], "") << kParts[k] << " " << text;
    EXPECT_FALSE(part["outputs"].empty()) << kParts[k];
    for (const Json& command : part["commands"])
      EXPECT_TRUE(command["line"].get<std::string>().starts_with("tessera ")) << command;
  }
  EXPECT_LT(fs::file_size(out_ + "/index.html"), kMostPageBytes);
}

// Typed one by one in an empty folder, the lines shown make the pictures shown.
TEST_F(CliDemo, CommandsTypedByHandMakeTheSamePictures) {
  ASSERT_EQ(demo({"--only", "noise"}).code, 0);
  const Json part = json()["parts"][0];
  const std::string mine = folder_.path("mine");
  fs::create_directory(mine);
  for (const Json& command : part["commands"]) {
    const std::string words = command["line"].get<std::string>().substr(std::strlen("tessera"));
    const Outcome typed =
        Process({"sh", "-c", "cd " + quoted(mine) + " && " + quoted(TESSERA_CLI) + words}).wait();
    ASSERT_EQ(typed.code, 0) << words << "\n" << typed.err;
  }
  for (const Json& picture : part["outputs"])
    for (const std::string name : picture["files"]) {
      EXPECT_EQ(read_bytes(mine + "/" + name), read_bytes(out_ + "/noise/" + name)) << name;
      EXPECT_NE(read_bytes(mine + "/" + name), "") << name;
    }
}

TEST_F(CliDemo, ABackendIsNamedInCommandsAndPython) {
  ASSERT_EQ(demo({"--backend", "cpu", "--only", "convolve,correlate,enhance,faraday,xengine"}).code,
            0);
  for (const Json& part : json()["parts"]) {
    EXPECT_EQ(part["backend"], "cpu") << part["operation"];
    EXPECT_TRUE(has(part["python"], "backend=\"cpu\"")) << part["operation"];
    for (const Json& command : part["commands"])
      EXPECT_EQ(command["line"].get<std::string>().ends_with(" --backend cpu"), command["is_work"])
          << command;
  }
}

TEST_F(CliDemo, JsonIsTheFile) {
  const Outcome outcome = demo({"--only", "noise", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, read_bytes(out_ + "/demo.json"));
  EXPECT_EQ(json()["parts"].size(), 1U);
  const std::string page = read_bytes(out_ + "/index.html");
  const std::size_t begin = page.find('>', page.find("id=\"demo\" type")) + 1;
  EXPECT_EQ(Json::parse(page.substr(begin, page.find("</script>", begin) - begin)), json());
}

TEST_F(CliDemo, AnExistingDemoStaysWithoutForce) {
  fs::create_directory(out_);
  write_bytes(out_ + "/index.html", "old");
  const Outcome refused = demo({"--only", "noise"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.err,
            "tessera demo: " + out_ + "/index.html exists; give the option force to replace it\n");
  EXPECT_EQ(read_bytes(out_ + "/index.html"), "old");
  EXPECT_FALSE(fs::exists(out_ + "/noise"));
  const Outcome forced = demo({"--only", "noise", "--force", "--quiet"});
  EXPECT_EQ(forced.code, 0) << forced.err;
  EXPECT_EQ(forced.out + forced.err, "");
  EXPECT_TRUE(has(read_bytes(out_ + "/index.html"), "noise/"));
}

TEST_F(CliDemo, WhatIsNotKnownIsNamed) {
  const Outcome part = demo({"--only", "nose"});
  EXPECT_EQ(part.code, 2);
  EXPECT_EQ(
      part.err,
      "tessera demo: --only: 'nose' is not known (did you mean noise?); it can be convolve, "
      "rank, correlate, enhance, cells, faraday, channelise, xengine, noise, beam or sources\n");
  EXPECT_EQ(demo({"--backend", "gpu"}).code, 2);
  EXPECT_EQ(demo({"--seed", "one"}).code, 2);
  EXPECT_FALSE(fs::exists(out_));
}

TEST_F(CliDemo, ASeedIsItsData) {
  std::vector<std::string> pictures;
  for (const char* seed : {"1", "2"}) {
    ASSERT_EQ(demo({"--only", "noise", "--force", "--seed", seed}).code, 0);
    const Json part = json()["parts"][0];
    EXPECT_EQ(json()["seed"], std::stoi(seed));
    pictures.push_back(
        read_bytes(out_ + "/noise/" + part["inputs"][0]["files"][0].get<std::string>()));
  }
  EXPECT_NE(pictures[0], pictures[1]);
}

// The current folder is a part's then: hidden files of the page and of the part must both be found.
TEST_F(CliDemo, AnInterruptLeavesNoHalfFiles) {
  fs::create_directory(out_);
  Process running(
      {"sh", "-c",
       "cd " + quoted(folder_.path()) + " && exec " + quoted(TESSERA_CLI) + " demo --force"});
  for (int tries = 0; tries < 6000 && !fs::exists(out_ + "/convolve"); ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  kill(running.id(), SIGTERM);
  EXPECT_EQ(running.wait().code, 128 + SIGTERM);
  EXPECT_FALSE(fs::exists(out_ + "/index.html"));
  for (const auto& file : fs::recursive_directory_iterator(out_))
    EXPECT_FALSE(has(file.path().filename(), ".tessera-")) << file.path();
}

}  // namespace
}  // namespace tessera::testing
