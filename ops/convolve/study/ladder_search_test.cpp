// SPDX-License-Identifier: Apache-2.0
#include "ops/convolve/study/ladder_search.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "core/machine.hpp"
#include "ops/convolve/study/convolve_search.hpp"
#include "ops/convolve/study/convolve_study.hpp"
#include "ops/convolve/study/ladder_report.hpp"
#include "tests/support/files.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/text_has.hpp"

namespace tessera {
namespace {

using testing::has;

constexpr int kShared = 232448;

// Larger tiles are faster in it, and the process is killed before it times candidate `fatal`.
class PlayedTimer : public CandidateTimer {
 public:
  explicit PlayedTimer(int fatal = 0) : fatal_(fatal) {}
  void prepare(const SearchTask&, const std::vector<LadderCandidate>& candidates) override {
    prepared_ += static_cast<int>(candidates.size());
  }
  LadderRecord time(const SearchTask& task, const LadderCandidate& c) override {
    if (++timed_ == fatal_) ::kill(::getpid(), SIGKILL);
    LadderRecord record{task.rung->id, task.filter, c, 1.0 / (c.block_y * c.tiles),
                        0.01,          "verified"};
    if (c.tiles == 3 && task.rung->id == "8")
      record = {task.rung->id, task.filter, c, {}, {}, "wrong: it is"};
    return record;
  }
  int prepared() const { return prepared_; }
  int timed() const { return timed_; }

 private:
  int fatal_, prepared_ = 0, timed_ = 0;
};

std::vector<std::string> lines_of(const std::string& path) {
  return split_text(testing::read_bytes(path), '\n');
}

TEST(LadderSpace, IsThePapers) {
  EXPECT_EQ(searched_rung("8").candidates.size(), 110U);
  EXPECT_EQ(searched_rung("s1").candidates.size(), 220U);
  EXPECT_EQ(searched_rung("s2").candidates.size(), 220U);
  std::set<std::pair<int, int>> blocks;
  for (const LadderCandidate& c : searched_rung("8").candidates) {
    blocks.insert({c.block_x, c.block_y});
    EXPECT_LE(c.block_x * c.block_y, 1024);
  }
  EXPECT_EQ(blocks.size(), 11U);
  EXPECT_TRUE(blocks.contains({16, 64})) << "the paper's fastest kernel has it";
  EXPECT_FALSE(blocks.contains({16, 4}));
}

TEST(LadderSpace, SizesAreThePapersOrThoseNamed) {
  EXPECT_EQ(search_sizes("squares").size(), 21U);
  const std::vector<StudySize> all = search_sizes("all");
  EXPECT_EQ(all.size(), 441U);
  EXPECT_EQ(all[20], (StudySize{43, 43})) << "squares come first";
  EXPECT_EQ(search_sizes("squares,17x43,32x32,3").size(), 23U) << "3x3 is there once";
  testing::expect_error([] { search_sizes("17x44"); }, ErrorKind::usage, "--sizes");
}

// Every kernel is known before a GPU is: names differ, and threads of a block bound registers.
TEST(LadderSpace, CandidatesHaveTheirOwnKernels) {
  for (const SearchTask& task : search_tasks({"8", "s1", "s2"}, {{17, 43}})) {
    std::set<std::string> bodies;
    for (const LadderCandidate& c : task.rung->candidates) {
      const KernelName name = task.rung->kernel(task.filter, task.rung->shape(task.filter, c));
      bodies.insert(name.body);
      EXPECT_EQ(name.bounds, std::to_string(c.block_x * c.block_y));
    }
    EXPECT_EQ(bodies.size(), task.rung->candidates.size()) << task.rung->id;
  }
}

TEST(LadderSearch, PassesAreSearchedOncePerSide) {
  const auto tasks = search_tasks({"1", "8", "s1", "s2"}, {{3, 3}, {3, 5}, {5, 3}});
  std::vector<std::string> names;
  for (const SearchTask& task : tasks)
    names.push_back(task.rung->id + " " + std::to_string(task.filter.width) + "x" +
                    std::to_string(task.filter.height));
  EXPECT_EQ(names, (std::vector<std::string>{"1 3x3", "8 3x3", "s1 3x1", "s2 1x3", "1 3x5", "8 3x5",
                                             "s2 1x5", "1 5x3", "8 5x3", "s1 5x1"}));
}

TEST(LadderSearch, CountsInfeasibleCandidatesOnTheHost) {
  const auto tasks = search_tasks({"8"}, {{43, 43}});
  const LadderJournal none("", "", 4096);
  EXPECT_EQ(count_candidates(tasks, none, kShared).infeasible, 0) << "64x16 x10 takes 157 KB";
  const SearchCounts of_2012 = count_candidates(tasks, none, 48 * 1024);
  EXPECT_EQ(of_2012.all, 110);
  EXPECT_EQ(of_2012.missing(), 110 - of_2012.infeasible);
  EXPECT_GT(of_2012.infeasible, 30);
  EXPECT_EQ(count_candidates(search_tasks({"8"}, {{3, 3}}), none, 1 << 20).infeasible, 0);
}

TEST(LadderJournal, RecordsAreWhatWasWritten) {
  const LadderRecord timed{"8", {17, 43}, {16, 64, 6}, 0.651231, 0.0042, "verified"};
  EXPECT_EQ(record_text(timed), "8\t17x43\t16x64\t6\t0.651231\t0.0042\tverified");
  EXPECT_EQ(parse_record("", record_text(timed)), timed);
  const LadderRecord infeasible{"s2", {1, 3}, {64, 4, 20}, {}, {}, "infeasible: its tile …"};
  EXPECT_EQ(parse_record("", record_text(infeasible)), infeasible);
  const LadderRecord failed{"8", {3, 3}, {16, 8, 1}, {}, {}, "failed: two\tcells\nof it"};
  EXPECT_EQ(parse_record("", record_text(failed)).outcome, "failed: two cells of it");
  for (const char* line : {"8\t3x3", "8\t3\t16x8\t1\t1\t0\tverified", "8\t3x3\t16x8\tx\t1\t0\tok"})
    testing::expect_error([&] { parse_record("it line 2", line); }, ErrorKind::input, "it line 2");
}

TEST(LadderJournal, RefusesWhatItCannotContinue) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.path("times.tsv");
  testing::expect_error([&] { LadderJournal(path, "", 4096); }, ErrorKind::input, "cannot be read");
  { const LadderJournal first(path, "a GPU", 4096); }
  const std::string begun = testing::read_bytes(path);
  testing::expect_error([&] { LadderJournal(path, "another", 4096); }, ErrorKind::input,
                        "it was measured on a GPU, and this is another");
  testing::expect_error([&] { LadderJournal(path, "a GPU", 300); }, ErrorKind::input, "300x300");
  EXPECT_EQ(testing::read_bytes(path), begun);
  testing::write_bytes(path, "not a journal\n");
  testing::expect_error([&] { LadderJournal(path, "a GPU", 4096); }, ErrorKind::input,
                        "first line");
  EXPECT_EQ(testing::read_bytes(path), "not a journal\n");
}

TEST(LadderSearch, MeasuresNothingTwiceAfterAKill) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.path("new/times.tsv");
  const auto tasks = search_tasks({"1", "8"}, {{3, 3}, {43, 43}});
  const pid_t child = ::fork();
  if (child == 0) {
    LadderJournal journal(path, "a GPU", 4096);
    PlayedTimer timer(150);
    run_search(tasks, kShared, journal, timer, {});
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  const std::string kept = testing::read_bytes(path);
  testing::write_bytes(path, kept + "8\t43x43\t64x1");  // a line that the kill cut short
  PlayedTimer timer;
  {
    LadderJournal journal(path, "a GPU", 4096);
    long long told = 0, all = 0;
    const long long added =
        run_search(tasks, kShared, journal, timer, [&](long long d, long long a) {
          told = d;
          all = a;
        });
    EXPECT_EQ(all, 222);
    EXPECT_EQ(told, all);
    EXPECT_EQ(added + std::count(kept.begin(), kept.end(), '\n') - 1, all);
    const SearchCounts counts = count_candidates(tasks, journal, kShared);
    EXPECT_EQ(timer.timed() + 149, counts.all - counts.infeasible);
    EXPECT_EQ(timer.prepared(), timer.timed());
    EXPECT_EQ(counts.missing(), 0);
    EXPECT_EQ(counts.wrong, 22);
  }
  std::vector<std::string> lines = lines_of(path);
  EXPECT_EQ(lines.size(), 2U + 222U) << "the first line, and nothing after the last";
  std::sort(lines.begin(), lines.end());
  EXPECT_EQ(std::adjacent_find(lines.begin(), lines.end()), lines.end());
  LadderJournal journal(path, "a GPU", 4096);
  PlayedTimer idle;
  EXPECT_EQ(run_search(tasks, kShared, journal, idle, {}), 0);
  EXPECT_EQ(idle.timed(), 0);
}

// A machine without a GPU prints the journal of another one.
TEST(LadderReport, ReadsAJournalOfAnotherMachine) {
  if (!this_machine().devices.empty()) GTEST_SKIP() << "there is a device";
  const testing::TemporaryFolder folder;
  const std::string path = folder.path("times.tsv");
  {
    LadderJournal journal(path, "a GPU", 64);
    PlayedTimer timer;
    run_search(search_tasks({"1", "8", "s1"}, search_sizes("squares")), kShared, journal, timer,
               {});
  }
  const StudyOptions options{.sizes = "squares,17x43",
                             .rungs = "8,s1",
                             .side = 64,
                             .search = 110,
                             .own = {{"journal", path}}};
  const StudyResult result = run_convolve_study(options, {});
  EXPECT_EQ(result.device, "a GPU");
  EXPECT_EQ(result.summary.size(), 21U);
  EXPECT_EQ(result.summary[0].over_first.value_or(0), 20) << "a block of 64 rows, ten times";
  EXPECT_TRUE(has(result.verdict, "21 of the paper's 441 filters are searched whole"))
      << result.verdict;
  EXPECT_TRUE(has(result.verdict, "111 candidates have no time, and timing them needs a GPU"))
      << result.verdict;
  for (const char* part :
       {"21.3% GTX680 §5", "4.16 GTX680 §5", "100.0%", "9.14 GTX680 §6, 8.3 K20 §6",
        "32x4 x4 GTX680", "the most common block, 16x64", "2 GTX480 §6, 1 K20 §6"})
    EXPECT_TRUE(has(result.tables, part)) << part << "\n" << result.tables;
  // Within 48 KB the largest tiles of large filters do not fit.
  StudyOptions of_2012 = options;
  of_2012.own["shared"] = "48K";
  EXPECT_GT(*run_convolve_study(of_2012, {}).summary.back().over_first, 0);
  EXPECT_LT(*run_convolve_study(of_2012, {}).summary.back().over_first,
            *result.summary.back().over_first);
}

TEST(LadderReport, SharesCountWholeSearchesOfThePapersGrid) {
  const auto tasks = search_tasks({"8"}, {{3, 3}, {5, 5}, {32, 32}});
  LadderJournal journal("", "a GPU", 64);
  PlayedTimer timer;
  run_search(tasks, kShared, journal, timer, {});
  for (const LadderCandidate& c : searched_rung("8").candidates)  // 9x9 is fastest with 16x32 x5
    journal.add({"8", {9, 9}, c, c == LadderCandidate{16, 32, 5} ? 1 : 2, 0, "verified"});
  journal.add({"8", {7, 7}, {16, 32, 2}, 1e-6, 0, "verified"});
  const auto best = best_candidates(search_tasks({"8"}, {{3, 3}, {5, 5}, {9, 9}, {32, 32}, {7, 7}}),
                                    journal, kShared);
  ASSERT_EQ(best.size(), 5U);
  EXPECT_FALSE(best[4].whole);
  const SearchShares shares = search_shares(best);
  EXPECT_EQ(shares.filters, 3) << "32 is even, and 7x7 lacks candidates";
  EXPECT_EQ(shares.tiles_2 + shares.tiles_4, 0);
  EXPECT_NEAR(shares.tiles_over_4, 100, 1e-9);
  EXPECT_NEAR(shares.width_16, 100, 1e-9);
  EXPECT_NEAR(shares.block_16x64, 200.0 / 3, 1e-9);
  EXPECT_NEAR(shares.block_16x32, 100.0 / 3, 1e-9);
  EXPECT_NEAR(shares.mean_tiles, 25.0 / 3, 1e-9);
  EXPECT_EQ(shares.least_tiles, 5);
  EXPECT_EQ(shares.most_tiles, 10);
  EXPECT_EQ(shares.common_block, "16x64");
  EXPECT_NEAR(shares.common, 200.0 / 3, 1e-9);
}

TEST(LadderSearch, KernelsThatTakeLongestAreCompiledFirst) {
  const SearchTask task{&searched_rung("8"), {17, 43}};
  const auto kernels = kernels_to_compile(task, {{16, 64, 1}, {16, 64, 10}, {16, 64, 6}});
  ASSERT_EQ(kernels.size(), 3U);
  const auto name = [&](int tiles) {
    return task.rung->kernel(task.filter, task.rung->shape(task.filter, {16, 64, tiles})).body;
  };
  EXPECT_EQ(kernels[0].body, name(6)) << "the largest that is unrolled whole";
  EXPECT_EQ(kernels[1].body, name(1));
  EXPECT_EQ(kernels[2].body, name(10));
  EXPECT_TRUE(kernels_to_compile({&searched_rung("1"), {3, 3}}, {{32, 32, 1}}).empty());
}

TEST(LadderSearch, CompilesForADeviceThatIsAbsent) {
  if (!run_time_compiler_found()) GTEST_SKIP() << "NVRTC is not found";
  const testing::TemporaryFolder folder;
  ::setenv("TESSERA_CACHE", folder.path().c_str(), 1);
  const SearchTask task{&searched_rung("1"), {3, 3}};
  EXPECT_EQ(compile_candidates({task}, "sm_90", kShared, {}).kernels, 0)
      << "it is compiled already";
  SearchedRung few = searched_rung("s1");
  few.candidates.resize(2);
  const std::vector<SearchTask> tasks{{&few, {3, 1}}};
  EXPECT_EQ(compile_candidates(tasks, "sm_90", kShared, {}).fresh, 2);
  const CompiledCandidates again = compile_candidates(tasks, "sm_90", kShared, {});
  EXPECT_EQ(again.kernels, 2);
  EXPECT_EQ(again.fresh, 0);
  ::unsetenv("TESSERA_CACHE");
}

}  // namespace
}  // namespace tessera
