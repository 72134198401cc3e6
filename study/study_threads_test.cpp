// SPDX-License-Identifier: Apache-2.0
#include "study/study_threads.hpp"

#include <gtest/gtest.h>

#include "core/parallel.hpp"
#include "core/pinning.hpp"
#include "study/studies.hpp"
#include "study/study_loops.hpp"
#include "tests/support/files.hpp"
#include "tests/support/text_has.hpp"

namespace tessera {
namespace {

using testing::expect_error;
using testing::has;
using Counts = std::vector<int>;

/// A case that remembers the threads of the streams on which its rungs ran.
struct CountedCase {
  mutable Counts ran;
  mutable bool bound = false;
  std::string name() const { return "counted"; }
  void poison(const PreparedRung&, Stream&) const {}
  std::string disagreement(const PreparedRung&, Stream&) const { return ""; }
};

std::vector<Rung<CountedCase>> counted_rungs() {
  const auto prepare = [](const CountedCase& c, Stream&) {
    PreparedRung rung;
    rung.run = [&c](Stream& on) {
      c.ran.push_back(on.threads());
      c.bound = pinned_cpus() != nullptr;
    };
    return rung;
  };
  return {{"one", "one thread", {}, prepare}, {"all", "on all threads", {}, prepare, true}};
}

std::vector<std::string> ids_of(const std::vector<Rung<CountedCase>>& rungs) {
  std::vector<std::string> ids;
  for (const auto& rung : rungs) ids.push_back(rung.id);
  return ids;
}

TEST(StudyThreads, ListsAreParsed) {
  EXPECT_EQ(parse_threads("auto"), Counts{});
  EXPECT_EQ(parse_threads("8,1,2,2"), (Counts{1, 2, 8}));
  for (const char* wrong : {"0", "1,", "", "two", "1025", "-1"})
    expect_error([&] { parse_threads(wrong); }, ErrorKind::usage, "--threads");
}

TEST(StudyThreads, WithoutAListTheyDouble) {
  const Counts counts = thread_counts();
  EXPECT_EQ(counts.front(), 1);
  EXPECT_EQ(counts.back(), available_threads());
  const ScopedStudyThreads scope({{1, 3}});
  EXPECT_EQ(thread_counts(), (Counts{1, 3}));
}

TEST(StudyThreads, ThreadedRungsAreFollowedByOnesOnTheUsersThreads) {
  using Ids = std::vector<std::string>;
  EXPECT_EQ(ids_of(rungs_by_threads(counted_rungs)), (Ids{"one", "all"}));
  const ScopedStudyThreads scope({{1, 3}});
  const auto& rungs = rungs_by_threads(counted_rungs);
  ASSERT_EQ(ids_of(rungs), (Ids{"one", "all", "all.1", "all.3"}));
  EXPECT_EQ(rungs[3].title, "on 3 threads");
  EXPECT_EQ(title_on_threads("the product's fft", 1), "the product's fft, 1 thread");
  const CountedCase problem;
  Stream stream(kHost, 2);
  const StudyRow row = run_rung(rungs[3], problem, stream, {});
  EXPECT_EQ(row.threads, 3);
  for (const int threads : problem.ran) EXPECT_EQ(threads, 3);
  EXPECT_FALSE(problem.ran.empty());
  EXPECT_FALSE(run_rung(rungs[1], problem, stream, {}).threads);
  EXPECT_FALSE(problem.bound);
}

TEST(StudyThreads, AreBoundWhileARungRuns) {
  EXPECT_EQ(pinned_text(), "");
  const ScopedStudyThreads scope({{}, true});
  const CountedCase problem;
  Stream stream(kHost, 2);
  run_rung(rungs_by_threads(counted_rungs)[0], problem, stream, {});
  EXPECT_TRUE(problem.bound);
  EXPECT_EQ(pinned_cpus(), nullptr);
  EXPECT_TRUE(has(pinned_text(), "in this order: ")) << pinned_text();
}

const Study& study_named(const std::string& name) {
  for (const Study& study : studies())
    if (study.name == name) return study;
  throw Error(ErrorKind::failure, "no study " + name);
}

TEST(StudyThreads, EveryStudyHasRungsOnThem) {
  const std::pair<const char*, StudyOptions> runs[] = {
      {"convolve", {.sizes = "3", .rungs = "cpu", .side = 48}},
      {"correlate", {.rungs = "simd,ours.cpu", .side = 32}},
      {"enhance", {.rungs = "chain.ours", .side = 32}},
      {"faraday", {.rungs = "cpu.threads,cpu.ours.gemm", .side = 8}},
      {"xengine", {.rungs = "cpu.threads,cpu.ours", .side = 4}},
      {"noise", {.rungs = "cpu.threads,cpu.ours", .side = 48}},
      {"cells", {.rungs = "detect.openmp,detect.ours", .side = 160}}};
  for (auto [name, options] : runs) {
    options.backend = Backend::cpu;
    options.threads = "1,3";
    options.pin = true;
    const StudyResult result = run_study(study_named(name), options, {});
    int on_one = 0, on_three = 0;
    for (const StudyRow& row : result.rows) {
      on_one += row.ms && row.threads == 1;
      on_three += row.ms && row.threads == 3;
      EXPECT_FALSE(row.kernel_ms) << row.rung << " has no kernels";
    }
    EXPECT_GE(on_one, 1) << name;
    EXPECT_EQ(on_one, on_three) << name;
    EXPECT_TRUE(result.describe().starts_with("threads bound to one core each")) << name;
  }
  EXPECT_EQ(study_threads(), StudyThreads{});
}

TEST(StudyThreads, AreNotForTheGpu) {
  for (const StudyOptions& options : {StudyOptions{.backend = Backend::cuda, .threads = "1"},
                                      StudyOptions{.backend = Backend::cuda, .pin = true}})
    expect_error([&] { run_study(study_named("noise"), options, {}); }, ErrorKind::usage,
                 "for rungs of the CPU");
}

}  // namespace
}  // namespace tessera
