// SPDX-License-Identifier: Apache-2.0
// Several files of a batch at the same time: the same promises as one after the other.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <stdexcept>

#include "io/output.hpp"
#include "jobs/batch.hpp"
#include "jobs/batch_files.hpp"
#include "tests/support/files.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using namespace testing;
using Words = std::vector<std::string>;

class BatchesAtOnce : public ::testing::Test {
 protected:
  static constexpr int kFiles = 20;
  void SetUp() override {
    fs::create_directory(in_);
    for (int i = 0; i < kFiles; ++i) write_bytes(in_ + "/" + name(i), "file " + std::to_string(i));
  }
  static std::string name(int i) { return std::to_string(100 + i) + ".npy"; }
  BatchResult run_at_once(int at_once, const BatchWork& work, const Progress& progress = {}) {
    return run_batch({in_, out_, "", "p", false, at_once}, work, progress);
  }
  BatchResult copy_at_once(int at_once, const Progress& progress = {}) {
    return run_at_once(
        at_once,
        [](const BatchItem& item, bool replace, const Progress& inner) {
          const std::string bytes = read_bytes(item.input);
          if (bytes.find("bad") != std::string::npos)
            throw Error(ErrorKind::input, item.input + ": is bad");
          for (int i = 0; inner && i <= 10; ++i) inner(i, 10);
          write_text(item.output, bytes, replace);
          return Words{};
        },
        progress);
  }
  std::vector<nlohmann::json> manifest() const {
    std::vector<nlohmann::json> lines;
    std::istringstream text(read_bytes(out_ + kManifestName));
    for (std::string line; std::getline(text, line);) lines.push_back(nlohmann::json::parse(line));
    return lines;
  }

  TemporaryFolder folder_;
  std::string in_ = folder_.path("in"), out_ = folder_.path("out/");
};

TEST_F(BatchesAtOnce, AreReallyAtOnceAndShare) {
  std::barrier four(4);
  std::atomic<int> met{0};
  const BatchResult result =
      run_at_once(4, [&](const BatchItem& item, bool replace, const Progress&) {
        EXPECT_EQ(item.sharers, 4);
        if (++met <= 4) four.arrive_and_wait();  // for ever, were there not four at a time
        write_text(item.output, "x", replace);
        return Words{};
      });
  EXPECT_EQ(result.done, kFiles);
}

TEST_F(BatchesAtOnce, HaveResultsAndManifestOfAllFiles) {
  const BatchResult result = copy_at_once(7);
  EXPECT_EQ(result.done, kFiles);
  std::set<std::string> ok;
  for (const auto& line : manifest())
    if (line["state"] == "ok") ok.insert(line["output"].get<std::string>());
  EXPECT_EQ(ok.size(), std::size_t{kFiles});
  for (int i = 0; i < kFiles; ++i) {
    EXPECT_EQ(result.files[static_cast<std::size_t>(i)].input, in_ + "/" + name(i)) << "in order";
    EXPECT_EQ(read_bytes(out_ + name(i)), "file " + std::to_string(i));
  }
  EXPECT_EQ(copy_at_once(3).had, kFiles);
}

TEST_F(BatchesAtOnce, OneFailureDoesNotStopOthers) {
  for (const int i : {0, 7, 13}) write_bytes(in_ + "/" + name(i), "bad");
  const BatchResult result = copy_at_once(5);
  EXPECT_EQ(result.done, kFiles - 3);
  EXPECT_EQ(result.failed, 3);
  EXPECT_EQ(result.exit_code(), 4);
  EXPECT_EQ(result.complaints(),
            (Words{in_ + "/100.npy: is bad", in_ + "/107.npy: is bad", in_ + "/113.npy: is bad"}));
  for (const int i : {0, 7, 13}) write_bytes(in_ + "/" + name(i), "good");
  const BatchResult next = copy_at_once(5);
  EXPECT_EQ(next.done, 3);
  EXPECT_EQ(next.had, kFiles - 3);
}

TEST_F(BatchesAtOnce, ProgressGoesForwardToTheEnd) {
  std::vector<long long> seen;
  long long all = 0;
  copy_at_once(4, [&](long long done, long long of) {
    seen.push_back(done);
    all = of;
  });
  EXPECT_TRUE(std::ranges::is_sorted(seen));
  EXPECT_EQ(seen.back(), all);
}

TEST_F(BatchesAtOnce, FilesWithTooLittleMemoryAreTriedAgainAlone) {
  std::atomic<int> under_way{0}, alone{0};
  const BatchResult result =
      run_at_once(4, [&](const BatchItem& item, bool replace, const Progress&) {
        const int now = ++under_way;
        struct Leave {
          std::atomic<int>& count;
          ~Leave() { --count; }
        } leave{under_way};
        if (item.input.ends_with("4.npy") && item.sharers > 1)
          throw Error(ErrorKind::resources, "its part is too small");
        if (item.sharers == 1) {
          EXPECT_EQ(now, 1);
          ++alone;
        }
        write_text(item.output, "x", replace);
        return Words{};
      });
  EXPECT_EQ(result.done, kFiles);
  EXPECT_EQ(alone, 2);
  EXPECT_EQ(result.complaints(), Words{});
}

// An error thrown by the progress function ends the batch; files finished before have their lines.
TEST_F(BatchesAtOnce, EndedOnesGoOn) {
  int calls = 0;
  EXPECT_THROW(copy_at_once(3,
                            [&](long long, long long) {
                              if (++calls > 60) throw std::runtime_error("enough");
                            }),
               std::runtime_error);
  int ok = 0;
  for (const auto& line : manifest())
    if (line["state"] == "ok") {
      ++ok;
      EXPECT_TRUE(fs::exists(out_ + line["output"].get<std::string>()));
    }
  EXPECT_GT(ok, 0);
  EXPECT_LT(ok, kFiles);
  const BatchResult next = copy_at_once(3);
  EXPECT_EQ(next.had, ok);
  EXPECT_EQ(next.done, kFiles - ok);
}

TEST(BatchSharing, ThreadsAndMemoryAreDivided) {
  RunSettings settings{.threads = 8, .memory_limit = {1000}};
  EXPECT_EQ(files_at_once({}, settings), 8);
  EXPECT_EQ(files_at_once({.files_at_once = 3}, settings), 3);
  expect_error([&] { files_at_once({.files_at_once = 0}, settings); }, ErrorKind::usage,
               "--files-at-once: 0 is less than 1");
  settings.sharers = 3;
  EXPECT_EQ(settings.stream(kHost).threads(), 2);
  EXPECT_EQ(settings.stream(kHost).memory_limit(), 333U);
  EXPECT_EQ(settings.reader_bytes(), 333);
  settings.sharers = 20;
  EXPECT_EQ(settings.stream(kHost).threads(), 1);
  const RunSettings alone;
  EXPECT_EQ(alone.reader_bytes(), 0) << "what is free";
}

}  // namespace
}  // namespace tessera
