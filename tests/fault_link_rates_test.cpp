// SPDX-License-Identifier: Apache-2.0
// Rates of copies are measured once, kept in the cache folder, and decide between backends.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "io/formats.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/few_cores.hpp"
#include "tests/support/files.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/tool.hpp"
#include "tests/support/views.hpp"

namespace tessera::testing {
namespace {

using Json = nlohmann::json;

class CliLinkRates : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!FaultyDevice::built()) GTEST_SKIP() << "built without CUDA";
    ::unsetenv("TESSERA_BACKEND");
    write_image(folder_.path("in.npy"),
                testing::short_view(random_image({1500, 1400}, Type::f32, 5)));
  }
  Outcome tool(const Words& words, const std::string& cache = "cache") {
    Words all{"env", "TESSERA_CACHE=" + folder_.path(cache), TESSERA_CLI};
    all.insert(all.end(), words.begin(), words.end());
    return Process(all).wait();
  }
  Json convolve(const Words& more = {}) {
    Words words{"convolve", folder_.path("in.npy"), "box:9x9", folder_.path("out.npy"), "--json",
                "--force"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = tool(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out);
  }
  /// "cpu" or "cuda", of "convolve 1500x1400 f32 by 9x9: cuda direct, …".
  std::string backend(const Words& more = {}) {
    const std::string ran = convolve(more)["ran"], word = ran.substr(ran.find(": ") + 2);
    return word.substr(0, word.find(' '));
  }
  Json device() { return Json::parse(tool({"info", "--json"}).out)["devices"][0]; }
  std::string rates() const { return folder_.path("cache/copies.tsv"); }
  std::string kept() const { return read_bytes(rates()); }
  /// Replaces both measured rates.
  void set_rates(const std::string& text) {
    std::string line = kept();
    line.resize(line.rfind('\t'));
    line.resize(line.rfind('\t') + 1);
    write_bytes(rates(), line + text + "\n");
  }

  TemporaryFolder folder_;
  FaultyDevice device_;
};

TEST_F(CliLinkRates, AreMeasuredByTheFirstChoiceAndKept) {
  EXPECT_FALSE(device()["copies_measured"]);
  EXPECT_FALSE(std::filesystem::exists(rates())) << "info measured without being told";
  convolve();
  const std::string first = kept();
  EXPECT_NE(first.find('\t'), std::string::npos) << first;
  const Json after = device();
  EXPECT_TRUE(after["copies_measured"]);
  EXPECT_GT(after["upload_bytes_per_second"], 1e6);
  convolve();
  EXPECT_EQ(kept(), first);
}

// A process of a job that is bound to a core must choose as its neighbours do.
TEST_F(CliLinkRates, AreThoseOfTheMachineForABoundProcess) {
  if (allowed_cores().size() < 2) GTEST_SKIP() << "one core";
  {
    const FewCores one(1);
    convolve();
    EXPECT_FALSE(std::filesystem::exists(rates())) << "one core measured for the machine";
  }
  convolve();
  for (const char* both : {"1e6\t1e6", "1e13\t1e13"}) {
    set_rates(both);
    const std::string all = backend();
    const FewCores one(1);
    EXPECT_EQ(backend(), all) << both;
    EXPECT_EQ(backend({"--threads", "1"}), all) << both;
  }
}

TEST_F(CliLinkRates, DecideBetweenBackends) {
  convolve();
  set_rates("1e6\t1e6");  // two seconds per direction
  EXPECT_EQ(backend(), "cpu");
  EXPECT_EQ(backend({"--backend", "cuda"}), "cuda");
  set_rates("1e13\t1e13");
  EXPECT_EQ(backend(), "cuda");
  EXPECT_EQ(backend({"--backend", "cpu"}), "cpu");
}

TEST_F(CliLinkRates, AreNotMeasuredForAGivenBackendOfTheHost) {
  convolve({"--backend", "cpu"});
  EXPECT_FALSE(std::filesystem::exists(rates()));
}

TEST_F(CliLinkRates, ThatAreDamagedAreMeasuredAgain) {
  convolve();
  for (const char* text : {"-5\t1e9", "nan\t1e9", "1e9", "1e9\t1e9\t1e9", "x\ty"}) {
    set_rates(text);
    EXPECT_FALSE(device()["copies_measured"]) << text;
    convolve();
    EXPECT_TRUE(device()["copies_measured"]) << text;
  }
}

TEST_F(CliLinkRates, ThatOthersMayWriteAreIgnored) {
  convolve();
  set_rates("1e6\t1e6");
  std::filesystem::permissions(rates(), std::filesystem::perms::all);
  EXPECT_FALSE(device()["copies_measured"]);
}

TEST_F(CliLinkRates, ThatCannotBeKeptAreEstimates) {
  write_bytes(folder_.path("file"), "");
  const Outcome outcome =
      tool({"convolve", folder_.path("in.npy"), "box:9x9", folder_.path("out.npy")}, "file/cache");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(tool({"info"}, "file/cache").out.find("back, estimated"), std::string::npos);
}

TEST_F(CliLinkRates, AreNamedInTheHistoryOfAFileIfTheyDecided) {
  if (!can_write(".fits")) GTEST_SKIP() << "not in this build";
  const std::string out = folder_.path("out.fits");
  const auto history = [&](const Words& more) {
    Words words{"convolve", folder_.path("in.npy"), "box:9x9", out, "--force"};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(tool(words).code, 0);
    return read_bytes(out).substr(0, 5760);
  };
  EXPECT_NE(history({}).find("HISTORY copies between host and device 0: "), std::string::npos);
  EXPECT_EQ(history({"--backend", "cpu"}).find("copies between"), std::string::npos);
  EXPECT_EQ(history({"--backend", "cuda"}).find("copies between"), std::string::npos);
}

}  // namespace
}  // namespace tessera::testing
