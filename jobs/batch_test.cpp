// SPDX-License-Identifier: Apache-2.0
// The files of a batch, what is skipped, and the lines of the manifest.
#include "jobs/batch.hpp"

#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>

#include "io/output.hpp"
#include "jobs/batch_files.hpp"
#include "jobs/batch_manifest.hpp"
#include "tests/support/files.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using namespace testing;
using Words = std::vector<std::string>;

class BatchTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(in_);
    for (const char* name : {"a.npy", "b.PNG", "c.npy"}) write_bytes(in_ + "/" + name, name);
    write_bytes(in_ + "/notes.txt", "no image");
    write_bytes(in_ + "/.hidden.npy", "no input");
  }
  /// Copies files as a job would; "bad" in a file makes it fail.
  BatchResult run(const std::string& parameters = "copy 1") {
    worked_.clear();
    return run_batch({input_, out_, to_, parameters, force_},
                     [this](const BatchItem& item, bool replace, const Progress& progress) {
                       return copy(item, replace, progress);
                     });
  }
  Words copy(const BatchItem& item, bool replace, const Progress& progress) {
    worked_.push_back(fs::path(item.input).filename());
    const std::string bytes = read_bytes(item.input);
    if (bytes.find("bad") != std::string::npos)
      throw Error(ErrorKind::input, item.input + ": is bad");
    if (bytes.find("memory") != std::string::npos) throw std::bad_alloc();
    Output output(item.output, replace);
    output.file().write_all(0, bytes.data(), static_cast<long long>(bytes.size()));
    output.finish();
    if (progress) progress(1, 1);
    return bytes.find("short") == std::string::npos ? Words{} : Words{item.input + ": is short"};
  }
  std::vector<nlohmann::json> manifest() const {
    std::vector<nlohmann::json> lines;
    std::istringstream text(read_bytes(out_ + kManifestName));
    for (std::string line; std::getline(text, line);) lines.push_back(nlohmann::json::parse(line));
    return lines;
  }
  void touch_input(const std::string& name, const std::string& bytes) {
    write_bytes(in_ + "/" + name, bytes);
  }

  TemporaryFolder folder_;
  std::string in_ = folder_.path("in"), input_ = in_, out_ = folder_.path("deep/out/"), to_;
  bool force_ = false;
  Words worked_;
};

TEST_F(BatchTest, TakesTheImagesOfAFolderInOrder) {
  const BatchResult result = run();
  EXPECT_EQ(worked_, (Words{"a.npy", "b.PNG", "c.npy"}));
  EXPECT_EQ(result.done, 3);
  EXPECT_EQ(result.exit_code(), 0);
  EXPECT_EQ(read_bytes(out_ + "b.PNG"), "b.PNG");
}

TEST_F(BatchTest, TakesPatternsAndSingleFiles) {
  for (const auto& [input, expected] :
       {std::pair<std::string, Words>{in_ + "/[ab].*", {"a.npy", "b.PNG"}},
        {folder_.path("*/c.npy"), {"c.npy"}},
        {in_ + "/?.npy", {"a.npy", "c.npy"}},
        {in_ + "/a.npy", {"a.npy"}}}) {
    fs::remove_all(out_);
    input_ = input;
    run();
    EXPECT_EQ(worked_, expected) << input;
  }
  write_bytes(in_ + "/odd[1].npy", "odd");
  input_ = in_ + "/odd[1].npy";
  run();
  EXPECT_EQ(worked_, Words{"odd[1].npy"}) << "an existing name is not a pattern";
}

TEST_F(BatchTest, RefusesWhatCannotBeMeant) {
  const auto refused = [&](ErrorKind kind, const std::string& part) {
    expect_error([&] { run(); }, kind, part);
    EXPECT_EQ(worked_, Words{});
    EXPECT_FALSE(fs::exists(out_ + "a.npy")) << part;
  };
  to_ = ".txt";
  refused(ErrorKind::usage, "--to: '.txt' is not the ending of a format");
  to_ = "npy";
  touch_input("a.png", "twin");
  refused(ErrorKind::usage, in_ + "/a.npy and " + in_ + "/a.png would both become");
  to_ = "";
  input_ = folder_.path("*.none");
  refused(ErrorKind::input, "no file matches");
  input_ = folder_.path("empty");
  fs::create_directory(input_);
  refused(ErrorKind::input, "the folder contains no image file");
  input_ = "-";
  refused(ErrorKind::usage, "standard input has no name");
  input_ = in_;
  out_ = in_ + "/";
  expect_error([&] { run(); }, ErrorKind::usage, "is both the input and the output");
}

TEST_F(BatchTest, KnowsAFolderByItsNameOrBecauseItIsThere) {
  EXPECT_TRUE(is_batch("nowhere/", {}));
  EXPECT_TRUE(is_batch(folder_.path(), {}));
  EXPECT_FALSE(is_batch(folder_.path("out.npy"), {}));
  EXPECT_FALSE(is_batch("-", {}));
  expect_error([&] { is_batch("out.npy", {.to = ".npy"}); }, ErrorKind::usage, "end it with /");
  expect_error([&] { is_batch("out.npy", {.to = "", .files_at_once = 2}); }, ErrorKind::usage,
               "--files-at-once needs an output folder");
}

// A manifest says which files may be replaced, not where links lead.
TEST_F(BatchTest, OutputsOfTheManifestThatBecameLinksAreNotFollowed) {
  const std::string victim = folder_.path("victim.npy");
  write_bytes(victim, "precious");
  run();
  fs::remove(out_ + "a.npy");
  fs::create_symlink(victim, out_ + "a.npy");
  touch_input("a.npy", "longer than before");
  const BatchResult refused = run();
  EXPECT_EQ(refused.failed, 1);
  EXPECT_NE(refused.complaints().front().find("a.npy: it is a symbolic link"), std::string::npos);
  EXPECT_EQ(read_bytes(victim), "precious");
  force_ = true;
  EXPECT_EQ(run().done, 1);
  EXPECT_EQ(read_bytes(victim), "longer than before");
}

TEST_F(BatchTest, DoesOnlyWhatChangedTheNextTime) {
  run();
  BatchResult again = run();
  EXPECT_EQ(worked_, Words{});
  EXPECT_EQ(again.had, 3);
  EXPECT_EQ(again.exit_code(), 0);
  touch_input("b.PNG", "longer than before");
  run();
  EXPECT_EQ(worked_, Words{"b.PNG"});
  EXPECT_EQ(read_bytes(out_ + "b.PNG"), "longer than before");
  fs::last_write_time(in_ + "/a.npy", fs::file_time_type::clock::now());
  run();
  EXPECT_EQ(worked_, Words{"a.npy"}) << "the time changed";
  fs::remove(out_ + "c.npy");
  run();
  EXPECT_EQ(worked_, Words{"c.npy"}) << "the output is gone";
  run("copy 2");
  EXPECT_EQ(worked_.size(), 3U) << "the parameters changed";
}

// Damage of any kind, with the size and without.
TEST_F(BatchTest, OutputsThatAreNotAsTheyWereMadeAreMadeAgain) {
  for (const char* name : {"a.npy", "b.PNG", "c.npy"}) touch_input(name, std::string(1000, 'x'));
  run();
  std::string flipped(1000, 'x');
  flipped[567] ^= 1;
  write_bytes(out_ + "a.npy", flipped);
  write_bytes(out_ + "b.PNG", "shorter");
  const BatchResult result = run();
  EXPECT_EQ(worked_, (Words{"a.npy", "b.PNG"}));
  EXPECT_EQ(result.exit_code(), 0);
  EXPECT_EQ(result.notes,
            (Words{"made again: the contents of " + out_ + "a.npy are not those that were written",
                   "made again: " + out_ + "b.PNG has 7 bytes, and 1000 were written"}));
  EXPECT_EQ(read_bytes(out_ + "a.npy"), std::string(1000, 'x'));
  EXPECT_EQ(run().had, 3);
  EXPECT_EQ(run().notes, Words{});
}

TEST_F(BatchTest, LinesWithoutDigestsAreNotBelieved) {
  run();
  std::string old;
  for (nlohmann::json line : manifest()) {
    line.erase("files");
    old += line.dump() + "\n";
  }
  write_bytes(out_ + kManifestName, old);
  const BatchResult result = run();
  EXPECT_EQ(result.done, 3);
  EXPECT_EQ(result.notes, Words{"made again: 3 outputs whose lines in " + out_ + kManifestName +
                                " are of an earlier version and have no digests"});
  EXPECT_EQ(run().had, 3);
}

TEST_F(BatchTest, OnlyAnOwnRegularFileIsAManifest) {
  fs::create_directories(out_);
  const std::string path = out_ + kManifestName;
  const std::pair<const char*, std::function<void()>> cases[] = {
      {"it is a pipe", [&] { ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0); }},
      {"it is a folder", [&] { fs::create_directory(path); }},
      {"it is a symbolic link", [&] { fs::create_symlink(folder_.path("other"), path); }}};
  for (const auto& [part, make] : cases) {
    make();
    expect_error([&] { run(); }, ErrorKind::input, path + ": " + part);
    fs::remove(path);
  }
  EXPECT_FALSE(fs::exists(folder_.path("other")));
  run();
  if (::chown(path.c_str(), 54321, 54321) != 0) GTEST_SKIP() << "only root can give files away";
  expect_error([&] { run(); }, ErrorKind::usage, path + ": it belongs to another user");
}

TEST_F(BatchTest, GoesOnAfterFailuresAndTriesThemAgain) {
  touch_input("a.npy", "bad");
  touch_input("c.npy", "memory");
  const BatchResult result = run();
  EXPECT_EQ(result.done, 1);
  EXPECT_EQ(result.failed, 2);
  EXPECT_EQ(result.exit_code(), 4);
  const std::string advice = "; set a memory limit or take a smaller image";
  EXPECT_EQ(result.complaints(),
            (Words{in_ + "/a.npy: is bad", in_ + "/c.npy: memory ran out" + advice}));
  const auto lines = manifest();
  EXPECT_EQ(lines.back()["state"], "failed");
  EXPECT_EQ(lines.back()["kind"], "resources");
  touch_input("a.npy", "good");
  EXPECT_EQ(run().had, 1);
  EXPECT_EQ(worked_, (Words{"a.npy", "c.npy"}));
}

TEST_F(BatchTest, ExitCodeOfABatchWithoutSuccess) {
  for (const char* name : {"a.npy", "b.PNG", "c.npy"}) touch_input(name, "bad");
  EXPECT_EQ(run().exit_code(), 3);
  touch_input("c.npy", "memory");
  EXPECT_EQ(run().exit_code(), 1) << "failed for different reasons";
}

TEST_F(BatchTest, WarningsMakeItPartial) {
  touch_input("a.npy", "short");
  const BatchResult result = run();
  EXPECT_EQ(result.exit_code(), 4);
  EXPECT_EQ(result.complaints(), Words{"warning: " + in_ + "/a.npy: is short"});
}

TEST_F(BatchTest, ReplacesOnlyWhatItMade) {
  fs::create_directories(out_);
  write_bytes(out_ + "a.npy", "precious");
  EXPECT_EQ(run().exit_code(), 4);
  EXPECT_EQ(read_bytes(out_ + "a.npy"), "precious");
  EXPECT_EQ(run().failed, 1) << "its failure does not make it known";
  force_ = true;
  EXPECT_EQ(run().done, 1);
  EXPECT_EQ(read_bytes(out_ + "a.npy"), "a.npy");
  force_ = false;
  EXPECT_EQ(run("other parameters").done, 3);
}

TEST_F(BatchTest, AnOutputWithoutItsLineIsMadeAgain) {
  run();
  // As if the process had been killed after the output was in place: only the plan is known.
  std::istringstream text(read_bytes(out_ + kManifestName));
  std::string kept;
  for (std::string line; std::getline(text, line);)
    if (line.find("planned") != std::string::npos) kept += line + "\n";
  write_bytes(out_ + kManifestName, kept);
  EXPECT_EQ(run().done, 3);
}

TEST_F(BatchTest, ATornLastLineIsDropped) {
  run();
  const std::string whole = read_bytes(out_ + kManifestName);
  for (const std::size_t cut : {whole.size() - 1, whole.size() - 20, std::size_t{5}}) {
    write_bytes(out_ + kManifestName, whole.substr(0, cut));
    force_ = true;
    const BatchResult result = run();
    EXPECT_EQ(result.failed, 0);
    EXPECT_EQ(result.done, cut == 5 ? 3 : 1) << cut;
    EXPECT_GE(manifest().size(), 3U);  // every line is JSON again
  }
  write_bytes(out_ + kManifestName, "not JSON\n{\"input\": 3}\n" + whole);
  EXPECT_EQ(run().had, 3);
}

TEST_F(BatchTest, LinesSayWhatWasDone) {
  run("copy 1 x=2");
  const auto lines = manifest();
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_EQ(lines[0]["state"], "planned");
  const auto& line = lines[3];
  EXPECT_EQ(line["input"], in_ + "/a.npy");
  EXPECT_EQ(line["bytes"], 5);
  EXPECT_GT(line["modified_ns"].get<long long>(), 1'000'000'000'000'000'000);
  EXPECT_EQ(line["output"], "a.npy");
  EXPECT_EQ(line["parameters"], "copy 1 x=2");
  EXPECT_GT(line["seconds"].get<double>(), 0);
  EXPECT_EQ(line["state"], "ok");
  ASSERT_EQ(line["files"].size(), 1U);
  EXPECT_EQ(line["files"][0]["name"], "a.npy");
  EXPECT_EQ(line["files"][0]["bytes"], 5);
  EXPECT_EQ(line["files"][0]["digest"].get<std::string>().size(), 16U);
  EXPECT_FALSE(lines[0].contains("files"));
}

TEST_F(BatchTest, NamesThatAreNoTextAreKnownAgain) {
  fs::remove(in_ + "/b.PNG");
  touch_input("\xff\xfe.npy", "bytes");
  EXPECT_EQ(run().done, 3);
  EXPECT_EQ(run().had, 3);
}

TEST_F(BatchTest, OneAtATimeInAFolder) {
  run();
  const Manifest other(out_);
  expect_error([&] { run(); }, ErrorKind::resources, "another batch works in this folder");
}

TEST_F(BatchTest, ProgressRunsOnceOverAllFiles) {
  std::vector<long long> seen;
  long long all = 0;
  run_batch(
      {in_, out_, "", "p"},
      [this](const BatchItem& item, bool replace, const Progress& progress) {
        return copy(item, replace, progress);
      },
      [&](long long done, long long of) {
        seen.push_back(done);
        all = of;
      });
  EXPECT_TRUE(std::ranges::is_sorted(seen));
  EXPECT_EQ(seen.back(), all);
}

TEST(BatchParameters, CountFilesByTheirStamp) {
  const TemporaryFolder folder;
  const std::string file = folder.path("weights.npy");
  EXPECT_EQ(batch_parameters("blur", {"", "a=1"}, {"gauss:2"}),
            "blur " TESSERA_VERSION " a=1 gauss:2");
  write_bytes(file, "12");
  const std::string before = batch_parameters("blur", {}, {file});
  write_bytes(file, "123");
  EXPECT_NE(batch_parameters("blur", {}, {file}), before);
}

}  // namespace
}  // namespace tessera
