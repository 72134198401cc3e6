// SPDX-License-Identifier: Apache-2.0
// Batches and ensembles in parts: whole files, one manifest, and inputs that cannot be read.
#include <gtest/gtest.h>

#include "report/json.hpp"
#include "tests/support/cli_folder.hpp"
#include "tests/support/tool.hpp"

namespace tessera::testing {
namespace {

namespace fs = std::filesystem;

class CliPartBatches : public CliFolder {
 protected:
  void SetUp() override {
    fs::create_directory(inputs_);
    for (int i = 0; i < 9; ++i)
      write_image(inputs_ + "/" + std::to_string(i) + ".npy",
                  short_view(random_image({40 + i, 30}, Type::u8, static_cast<unsigned>(i))));
  }
  Words erode(const std::string& out, const Words& more = {}) const {
    Words words{"erode", inputs_, "box:3x3", folder_.path(out), "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  void make_parts(int parts, const Words& more = {}) const {
    for (int part = 1; part <= parts; ++part) {
      Words words = erode("parts/", {"--part", std::to_string(part) + "/" + std::to_string(parts)});
      words.insert(words.end(), more.begin(), more.end());
      const Outcome outcome = run_tool(words);
      EXPECT_EQ(outcome.code, 0) << outcome.err;
    }
  }
  Outcome join() const { return run_tool({"join", folder_.path("parts/"), "--json"}); }
  void expect_same_files() const {
    for (int i = 0; i < 9; ++i) {
      const std::string name = std::to_string(i) + ".npy";
      EXPECT_EQ(read_bytes(folder_.path("parts/" + name)), read_bytes(folder_.path("one/" + name)));
    }
  }

  std::string inputs_ = folder_.path("inputs");
};

TEST_F(CliPartBatches, AreJoinedToOneManifest) {
  ASSERT_EQ(run_tool(erode("one/")).code, 0);
  make_parts(4);
  const Outcome joined = join();
  EXPECT_EQ(joined.code, 0) << joined.err;
  const Json result = Json::parse(joined.out);
  EXPECT_EQ(result.at("done"), 9);
  EXPECT_EQ(result.at("failed"), 0);
  expect_same_files();
  // The manifest of the batch knows what the parts made.
  fs::remove(folder_.path("parts/5.npy"));
  const Json again = Json::parse(run_tool(erode("parts/")).out);
  EXPECT_EQ(again.at("had"), 8);
  EXPECT_EQ(again.at("done"), 1);
}

TEST_F(CliPartBatches, PartsContinueAndAreMissed) {
  ASSERT_EQ(run_tool(erode("one/")).code, 0);
  make_parts(2);
  fs::remove_all(folder_.path("parts.part-1-of-2"));
  expect_failure({"join", folder_.path("parts/")}, 3, "1 part of 2 is missing: 1");
  // The manifest of the part says that its files are there.
  fs::remove(folder_.path("parts/2.npy"));
  const Outcome part = run_tool(erode("parts/", {"--part", "1/2"}));
  EXPECT_EQ(part.code, 0) << part.err;
  EXPECT_EQ(Json::parse(part.out).at("units"), 1);
  EXPECT_EQ(join().code, 0);
  expect_same_files();
}

TEST_F(CliPartBatches, DamagedFilesAreNamed) {
  make_parts(2);
  write_bytes(folder_.path("parts/3.npy"), "damaged");
  const Outcome joined = join();
  EXPECT_EQ(joined.code, 4) << joined.err;
  EXPECT_NE(joined.err.find("3.npy has 7 bytes"), std::string::npos) << joined.err;
  EXPECT_EQ(Json::parse(joined.out).at("failed"), 1);
}

TEST_F(CliPartBatches, FilesThatFailAreFailuresOfTheirPart) {
  write_bytes(inputs_ + "/bad.npy", "not an image");  // the tenth
  EXPECT_EQ(run_tool(erode("parts/", {"--part", "1/2"})).code, 0);
  const Outcome part = run_tool(erode("parts/", {"--part", "2/2"}));
  EXPECT_EQ(part.code, 4);
  EXPECT_NE(part.err.find("bad.npy"), std::string::npos) << part.err;
  const Outcome joined = join();
  EXPECT_EQ(joined.code, 4);
  EXPECT_NE(joined.err.find("bad.npy"), std::string::npos) << joined.err;
  EXPECT_EQ(Json::parse(joined.out).at("done"), 9);
}

TEST_F(CliPartBatches, OtherInputsAreRefused) {
  make_parts(2);
  write_image(inputs_ + "/new.npy", short_view(random_image({40, 30}, Type::u8, 3)));
  const Outcome joined = join();
  EXPECT_EQ(joined.code, 3);
  EXPECT_NE(joined.err.find("the parts saw other files"), std::string::npos) << joined.err;
}

// Maps of the noise of several images, and tracks of several films with their table.
TEST_F(CliPartBatches, NoiseAndFilms) {
  for (const char* name : {"fields", "films"}) fs::create_directory(folder_.path(name));
  for (const std::string seed : {"1", "2", "3"}) {
    const Words words[] = {{"sample", "points", folder_.path("fields/s" + seed + ".npy"), "--size",
                            "120x100", "--seed", seed},
                           {"sample", "cells", folder_.path("films/f" + seed + ".npy"), "--size",
                            "160x120", "--frames", "12", "--cells", "2", "--seed", seed}};
    for (const Words& one : words) ASSERT_EQ(run_tool(one).code, 0);
    fs::remove(folder_.path("films/f" + seed + ".csv"));
  }
  const auto commands = [&](const std::string& out) {
    return std::vector<Words>{
        {"noise", folder_.path("fields"), "-o", folder_.path(out + "n/"), "--box", "16"},
        {"cells", "track", folder_.path("films"), "-o", folder_.path(out + "c/")}};
  };
  for (const Words& words : commands("one_")) ASSERT_NE(run_tool(words).code, 1);
  for (Words words : commands("parts_")) {
    for (const char* part : {"2/2", "1/2"}) {
      Words with = words;
      with.insert(with.end(), {"--part", part});
      const Outcome outcome = run_tool(with);
      EXPECT_TRUE(outcome.code == 0 || outcome.code == 4) << outcome.err;
    }
    const Outcome joined =
        run_tool({"join", words[std::ranges::find(words, "-o") - words.begin() + 1]});
    EXPECT_TRUE(joined.code == 0 || joined.code == 4) << joined.err;
  }
  for (const std::string file :
       {"n/s1_rms.npy", "n/s2_bkg.npy", "n/s3_snr.npy", "c/f1/tracks.csv", "c/f3/tracks.csv"})
    EXPECT_EQ(read_bytes(folder_.path("parts_" + file)), read_bytes(folder_.path("one_" + file)))
        << file;
  const std::string table = read_bytes(folder_.path("parts_c/films.csv"));
  EXPECT_EQ(std::ranges::count(table, '\n'), 4) << table;
}

// Images that cannot be read are left out and reported, as by one process; a part may have none.
TEST_F(CliPartBatches, EnsemblesWithBadImages) {
  for (int i = 10; i < 30; ++i)
    ASSERT_EQ(run_tool({"sample", "scene", folder_.path("s" + std::to_string(i) + ".npy"), "--size",
                        "90x70", "--seed", std::to_string(i)})
                  .code,
              0);
  write_bytes(folder_.path("s10.npy"), "not an image");
  const auto words = [&](const std::string& out) {
    return Words{"correlate", folder_.path("s*.npy"), "-o", folder_.path(out), "--max-shift", "20"};
  };
  const Outcome one = run_tool(words("one.npy"));
  EXPECT_EQ(one.code, 4);
  for (const char* part : {"4/4", "3/4", "2/4", "1/4"}) {
    Words with = words("c.npy");
    with.insert(with.end(), {"--part", part});
    const Outcome outcome = run_tool(with);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
  }
  const Outcome joined = run_tool({"join", folder_.path("c.npy")});
  EXPECT_EQ(joined.code, 4);
  EXPECT_NE(joined.err.find("s10.npy"), std::string::npos) << joined.err;
  for (const std::string ending : {".npy", ".csv", ".json"})
    EXPECT_EQ(read_bytes(folder_.path("c" + ending)), read_bytes(folder_.path("one" + ending)));
  EXPECT_FALSE(fs::exists(folder_.path("c.npy.partial")));
}

}  // namespace
}  // namespace tessera::testing
