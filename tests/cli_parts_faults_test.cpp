// SPDX-License-Identifier: Apache-2.0
// Parts that cannot be joined, that cannot be made, and what is left of those that break off.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <functional>
#include <thread>

#include "core/digest.hpp"
#include "report/json.hpp"
#include "tests/support/cli_folder.hpp"
#include "tests/support/tool.hpp"

namespace tessera::testing {
namespace {

namespace fs = std::filesystem;

class CliPartFaults : public CliFolder {
 protected:
  static std::string which(int part, int parts) {
    return std::to_string(part) + "/" + std::to_string(parts);
  }
  Words part_words(int part, int parts, const Words& more = {}) const {
    Words words{"convolve", in_, "gauss:2", out_, "--part", which(part, parts)};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  void make(int part, int parts, const Words& more = {}) const {
    const Outcome outcome = run_tool(part_words(part, parts, more));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
  }
  void make_all(int parts) const {
    for (int part = 1; part <= parts; ++part) make(part, parts);
  }
  std::string part_folder(int part, int parts) const {
    return out_ + ".part-" + std::to_string(part) + "-of-" + std::to_string(parts);
  }
  /// Join is refused in one sentence, and makes nothing.
  void expect_not_joined(int code, const std::string& part) const {
    expect_failure({"join", out_}, code, part);
    EXPECT_FALSE(fs::exists(out_));
  }
  void expect_joined(const Words& more = {}) const {
    Words words{"join", out_};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run_tool(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const std::string joined = read_bytes(out_);
    EXPECT_EQ(run_tool({"convolve", in_, "gauss:2", out_, "--force"}).code, 0);
    EXPECT_TRUE(joined == read_bytes(out_));
    fs::remove(out_);
  }
  /// A record that says something else, with a seal that is right.
  void change_record(int part, int parts, const std::function<void(Json&)>& change) const {
    const std::string path = part_folder(part, parts) + "/part.json";
    Json json = Json::parse(read_bytes(path));
    json.erase("seal");
    change(json);
    const std::string text = json.dump();
    json["seal"] = Digest().add(text.data(), text.size()).text();
    write_bytes(path, json.dump());
  }
  void change_byte(const std::string& path) const {
    std::string bytes = read_bytes(path);
    ASSERT_FALSE(bytes.empty());
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    write_bytes(path, bytes);
  }
};

TEST_F(CliPartFaults, TheWordIsOneOfTheseForms) {
  for (const char* word : {"3", "3/", "/4", "a/4", "3/b", "3/4/5", "-1/4", "1.5/4", "3 / 4", ""})
    expect_failure({"convolve", in_, "gauss:2", out_, std::string("--part=") + word}, 2,
                   *word ? "is not K/N" : "part");
  expect_failure(part_words(5, 4), 2, "there is no part 5 of 4");
  expect_failure(part_words(0, 4), 2, "there is no part 0 of 4");
  expect_failure(part_words(0, 0), 2, "there is no part 0 of 0");
  EXPECT_EQ(files(), Words{"in.npy"});
}

TEST_F(CliPartFaults, SlurmTellsThePart) {
  const auto run = [&](const Words& variables) {
    Words words{"env"};
    words.insert(words.end(), variables.begin(), variables.end());
    words.insert(words.end(), {TESSERA_CLI, "convolve", in_, "gauss:2", out_, "--part", "slurm"});
    return Process(words).wait();
  };
  const auto refused = [&](const Words& variables, const std::string& part) {
    const Outcome outcome = run(variables);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
  };
  refused({}, "SLURM_ARRAY_TASK_ID is not set");
  refused({"SLURM_ARRAY_TASK_ID=three", "SLURM_ARRAY_TASK_MIN=1", "SLURM_ARRAY_TASK_MAX=4"},
          "SLURM_ARRAY_TASK_ID is 'three', which is not a number");
  refused({"SLURM_ARRAY_TASK_ID=3", "SLURM_ARRAY_TASK_MIN=1"}, "SLURM_ARRAY_TASK_MAX is not set");
  refused({"SLURM_ARRAY_TASK_ID=5", "SLURM_ARRAY_TASK_MIN=1", "SLURM_ARRAY_TASK_MAX=4"},
          "task 5 is not one of 1 to 4");
  refused({"SLURM_ARRAY_TASK_ID=3", "SLURM_ARRAY_TASK_MIN=3", "SLURM_ARRAY_TASK_MAX=7",
           "SLURM_ARRAY_TASK_COUNT=2"},
          "the array has 2 tasks");
  const Words steps{"SLURM_ARRAY_TASK_MIN=10", "SLURM_ARRAY_TASK_MAX=16", "SLURM_ARRAY_TASK_STEP=3",
                    "SLURM_ARRAY_TASK_COUNT=3"};
  for (const char* id : {"16", "10", "13"}) {
    Words variables = steps;
    variables.push_back(std::string("SLURM_ARRAY_TASK_ID=") + id);
    EXPECT_EQ(run(variables).code, 0);
  }
  expect_joined();
}

TEST_F(CliPartFaults, MissingPartsAreNamed) {
  expect_not_joined(3, "it has no parts");
  make(2, 5);
  expect_not_joined(3, "4 parts of 5 are missing: 1, 3, 4, 5; make them with --part 1/5");
  for (const int part : {1, 3, 5}) make(part, 5);
  expect_not_joined(3, "1 part of 5 is missing: 4; make it with --part 4/5");
  make(4, 5);
  expect_joined();
  make(1, 3);
  expect_not_joined(3, "there are parts of 3 and parts of 5");
}

TEST_F(CliPartFaults, MorePartsThanUnits) {
  write_image(in_, short_view(random_image({30, 3}, Type::f32, 3)), {.force = true});
  make_all(7);
  EXPECT_EQ(Json::parse(read_bytes(part_folder(7, 7) + "/part.json")).at("units"), 0);
  expect_joined();
}

TEST_F(CliPartFaults, PartsBelongTogether) {
  make_all(2);
  change_record(2, 2, [](Json& json) { json["tessera"] = "0.0.9"; });
  expect_not_joined(3, "it was made by version '0.0.9', and part 1 by");
  change_record(1, 2, [](Json& json) { json["tessera"] = "0.0.9"; });
  expect_not_joined(3, "its parts were made by version 0.0.9, and this is");
  make(1, 2, {"--force"});
  make(2, 2, {"--force", "--border", "wrap"});
  expect_not_joined(3, "it was made by the command 'tessera convolve ");
  make(2, 2, {"--force"});
  fs::rename(part_folder(2, 2), folder_.path("kept"));
  fs::copy(part_folder(1, 2), part_folder(2, 2));
  expect_not_joined(3, "it holds part 1 of 2");
  fs::remove_all(part_folder(2, 2));
  fs::rename(folder_.path("kept"), part_folder(2, 2));
  expect_joined({"--force"});
}

TEST_F(CliPartFaults, TheInputStaysTheSame) {
  make(1, 2);
  write_image(in_, short_view(random_image({1200, 1700}, Type::f32, 4)), {.force = true});
  make(2, 2);
  expect_not_joined(3, "it was made of another " + in_ + " than part 1");
  make(1, 2, {"--force"});
  const std::string bytes = read_bytes(in_);
  fs::remove(in_);
  expect_not_joined(3, "it is not the file that the parts were made of (now it is gone");
  write_bytes(in_, bytes + "more");
  expect_not_joined(3, "it is not the file that the parts were made of");
}

TEST_F(CliPartFaults, DamageIsFound) {
  make_all(2);
  const std::string rows = part_folder(2, 2) + "/rows-1-1.raw", whole = read_bytes(rows);
  change_byte(rows);
  expect_not_joined(3, "rows-1-1.raw: it is damaged: its digest is another one");
  write_bytes(rows, whole.substr(1));
  expect_not_joined(3, "rows-1-1.raw: it has ");
  fs::remove(rows);
  expect_not_joined(3, "rows-1-1.raw: it is missing");
  write_bytes(rows, whole);
  change_byte(part_folder(1, 2) + "/texts.bin");
  expect_not_joined(3, "texts.bin: it is damaged");
  make(1, 2, {"--force"});
  const std::string record = part_folder(1, 2) + "/part.json", text = read_bytes(record);
  for (const std::string& bytes :
       {text.substr(0, 100), std::string("{}"), std::string("nothing")}) {
    write_bytes(record, bytes);
    expect_not_joined(3, "its record is damaged");
  }
  write_bytes(record, text);
  change_byte(record);
  expect_not_joined(3, "its record is damaged");
  fs::remove(record);
  expect_not_joined(3, "part.json");
  make(1, 2, {"--force"});
  change_record(1, 2, [](Json& json) { json["streams"][0]["unit_rows"] = 17; });
  expect_not_joined(3, "it holds other things than this run makes");
  make(1, 2, {"--force"});
  expect_joined();
}

TEST_F(CliPartFaults, NothingIsReplacedWithoutForce) {
  make(1, 2);
  const std::string record = read_bytes(part_folder(1, 2) + "/part.json");
  expect_failure(part_words(1, 2), 2, "out.npy.part-1-of-2 exists");
  EXPECT_EQ(read_bytes(part_folder(1, 2) + "/part.json"), record);
  make(1, 2, {"--force"});
  make(2, 2);
  write_bytes(out_, "old");
  expect_failure(part_words(2, 2), 2, "exists");
  expect_failure({"join", out_}, 2, "out.npy exists");
  EXPECT_EQ(read_bytes(out_), "old");
  EXPECT_EQ(run_tool({"join", out_, "--force"}).code, 0);
  EXPECT_TRUE(read_bytes(out_) != "old");
  fs::remove(out_);
  expect_joined();
}

// The machine that has another SIMD target is this one, told to use another.
TEST_F(CliPartFaults, LastBitsAreNotMixed) {
  const auto make_with = [&](const char* isa, const Words& words) {
    Words all{"env", std::string("TESSERA_ISA=") + isa, TESSERA_CLI};
    all.insert(all.end(), words.begin(), words.end());
    return Process(all).wait();
  };
  const Json info = Json::parse(run_tool({"info", "--json"}).out);
  if (info.at("targets").size() < 2) GTEST_SKIP() << "one SIMD target";
  const auto other = info.at("targets").back().get<std::string>();
  make(1, 2);
  EXPECT_EQ(make_with(other.c_str(), part_words(2, 2)).code, 0);
  expect_not_joined(2, "the last bits may differ");
  EXPECT_EQ(run_tool({"join", out_, "--allow-mixed"}).code, 0);
  fs::remove(out_);
  // Parts of one kind are described as they ran, wherever they are joined.
  EXPECT_EQ(make_with(other.c_str(), part_words(1, 2, {"--force"})).code, 0);
  const Outcome joined = run_tool({"join", out_});
  EXPECT_EQ(joined.code, 0) << joined.err;
  EXPECT_NE(joined.out.find(other), std::string::npos) << joined.out;
  // Integers are exact.
  const std::string bytes = folder_.path("bytes.npy"), least = folder_.path("least.npy");
  write_image(bytes, short_view(random_image({3000, 2100}, Type::u8, 3)));
  EXPECT_EQ(run_tool({"erode", bytes, "box:3x3", least, "--part", "1/2"}).code, 0);
  EXPECT_EQ(make_with(other.c_str(), {"erode", bytes, "box:3x3", least, "--part", "2/2"}).code, 0);
  EXPECT_EQ(run_tool({"join", least}).code, 0);
}

TEST_F(CliPartFaults, AFullDiskLeavesNothing) {
  write_image(in_, short_view(random_image({1200, 9000}, Type::f32, 3)), {.force = true});
  const auto limited = [](const Words& words) {
    std::string line = "ulimit -f 8192; exec " TESSERA_CLI;
    for (const std::string& word : words) line += " " + word;
    return Process({"bash", "-c", line}).wait();
  };
  const Outcome part = limited(part_words(1, 2));
  EXPECT_EQ(part.code, 5) << part.err;
  EXPECT_EQ(sentences(part), 1) << part.err;
  EXPECT_EQ(files(), Words{"in.npy"});
  make_all(2);
  write_bytes(out_, "old");
  const Outcome joined = limited({"join", out_, "--force"});
  EXPECT_EQ(joined.code, 5) << joined.err;
  EXPECT_EQ(sentences(joined), 1) << joined.err;
  EXPECT_EQ(read_bytes(out_), "old");
  EXPECT_EQ(files(), (Words{"in.npy", "out.npy", "out.npy.part-1-of-2", "out.npy.part-2-of-2"}));
}

TEST_F(CliPartFaults, KilledPartsLeaveNothingThatStays) {
  const int kills = run_all() ? 30 : 4;
  for (int i = 0; i < kills; ++i) {
    Words words = part_words(1, 2, {"--force"});
    words.insert(words.begin(), TESSERA_CLI);
    Process process(words);
    std::this_thread::sleep_for(std::chrono::milliseconds(120 * i / kills));
    ::kill(process.id(), i % 2 == 0 ? SIGKILL : SIGTERM);
    process.wait();
    const std::string record = part_folder(1, 2) + "/part.json";
    EXPECT_EQ(fs::exists(part_folder(1, 2)), fs::exists(record));
  }
  make(1, 2, {"--force"});
  make(2, 2, {"--force"});
  EXPECT_EQ(files(), (Words{"in.npy", "out.npy.part-1-of-2", "out.npy.part-2-of-2"}));
  expect_joined();
}

TEST_F(CliPartFaults, AKilledJoinLeavesTheOldFileOrTheNewOne) {
  make_all(2);
  ASSERT_EQ(run_tool({"join", out_}).code, 0);
  const std::string whole = read_bytes(out_);
  const int kills = run_all() ? 30 : 4;
  for (int i = 0; i < kills; ++i) {
    write_bytes(out_, "old");
    Process process({TESSERA_CLI, "join", out_, "--force"});
    std::this_thread::sleep_for(std::chrono::milliseconds(120 * i / kills));
    ::kill(process.id(), i % 2 == 0 ? SIGKILL : SIGTERM);
    const bool ended = process.wait().code == 0;
    const std::string bytes = read_bytes(out_);
    EXPECT_TRUE(bytes == whole || (!ended && bytes == "old"));
  }
  EXPECT_EQ(run_tool({"join", out_, "--force"}).code, 0);
  EXPECT_TRUE(read_bytes(out_) == whole);
  EXPECT_EQ(files(), (Words{"in.npy", "out.npy", "out.npy.part-1-of-2", "out.npy.part-2-of-2"}));
}

TEST_F(CliPartFaults, WhatOneProcessMakesIsNotSplit) {
  const std::string sentence = "this cannot be split";
  expect_failure({"convert", in_, out_, "--part", "1/2"}, 2, sentence);
  expect_failure({"sample", "points", out_, "--part", "1/2"}, 2, sentence);
  expect_failure({"noise", in_, "-o", out_, "--mode", "grid", "--part", "1/2"}, 2,
                 "--mode grid cannot be split into parts");
  expect_failure({"noise", in_, "-o", out_, "--fill", "--part", "1/2"}, 2,
                 "--fill cannot be split into parts");
  expect_failure({"convolve", in_, "gauss:2", "-", "--part", "1/2"}, 2, sentence);
  expect_failure(part_words(1, 2, {"--mpi", "on"}), 2, "the processes of a launcher");
  EXPECT_EQ(files(), Words{"in.npy"});
}

TEST_F(CliPartFaults, AreJoinedFromAnotherFolder) {
  const auto in_folder = [&](const std::string& folder, const std::string& line) {
    return Process({"bash", "-c", "cd " + folder + " && exec " TESSERA_CLI " " + line}).wait();
  };
  for (const std::string part : {"1/2", "2/2"})
    EXPECT_EQ(in_folder(folder_.path(), "convolve in.npy gauss:2 out.npy --part " + part).code, 0);
  const Outcome joined = in_folder("/", "join " + out_ + " --json");
  EXPECT_EQ(joined.code, 0) << joined.err;
  EXPECT_EQ(Json::parse(joined.out).at("output"), "out.npy");
  fs::remove(out_);
  expect_joined();
  fs::create_directory(folder_.path("other"));
  for (const int part : {1, 2})
    fs::rename(part_folder(part, 2),
               folder_.path("other/") + fs::path(part_folder(part, 2)).filename().string());
  expect_failure({"join", folder_.path("other/out.npy")}, 3, "its parts were made in ");
}

TEST_F(CliPartFaults, NamesAreKeptAsTheyAre) {
  const std::string odd = folder_.path("a b'\"$\n\xc3\xa9.npy"), out = folder_.path("x y.npy");
  fs::rename(in_, odd);
  for (const char* part : {"1/2", "2/2"})
    EXPECT_EQ(run_tool({"convolve", odd, "gauss:2", out, "--part", part}).code, 0);
  EXPECT_EQ(run_tool({"join", out}).code, 0);
  EXPECT_TRUE(fs::exists(out));
  const std::string bytes = folder_.path("\xff.npy");
  fs::rename(odd, bytes);
  expect_failure({"convolve", bytes, "gauss:2", out_, "--part", "1/2"}, 2, "not UTF-8");
}

TEST_F(CliPartFaults, SayWhatTheyDid) {
  const Outcome one = run_tool(part_words(1, 3, {"--json"}));
  const Json result = Json::parse(one.out);
  EXPECT_EQ(result.at("part"), 1);
  EXPECT_EQ(result.at("parts"), 3);
  EXPECT_EQ(result.at("units"), 2) << "4 units of 4 MiB in 3 parts";
  EXPECT_EQ(result.at("folder"), part_folder(1, 3));
  EXPECT_NE(result.at("ran").get<std::string>().find("cpu separable"), std::string::npos);
  EXPECT_EQ(run_tool(part_words(2, 3, {"--quiet"})).out, "");
}

}  // namespace
}  // namespace tessera::testing
