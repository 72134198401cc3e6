// SPDX-License-Identifier: Apache-2.0
// The search on made-up sites: it takes the fastest candidate that is right, counts the others, and
// continues where it was stopped.
#include "tune/search.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "tessera/error.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tune/choice_check.hpp"
#include "tune/found_tables.hpp"
#include "tune/journal.hpp"
#include "tune/table_index.hpp"

namespace tessera {
namespace {

constexpr const char* kSite = "fake.site@1";
constexpr const char* kTimes = "fake.time@1";

Trial sleeping(int milliseconds, const std::string& wrong = "") {
  return {[=] { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }, [] {},
          [=] { return wrong; }};
}

/// Knob a: 1 is slow, 2 faster, 3 fastest and wrong, 4 cannot be made, 5 cannot be run.
Trial fake_trial() {
  const int a = find_knobs(kSite, {}, "m").get("a", 1);
  if (a == 4) throw Error(ErrorKind::failure, "the compiler gave up");
  if (a == 5)
    return {[] { throw Error(ErrorKind::resources, "too many threads"); }, [] {},
            [] { return ""; }};
  return sleeping(a == 1 ? 9 : a == 2 ? 3 : 1, a == 3 ? "differs at 0,0" : "");
}

std::vector<Knobs> knobs_from(std::initializer_list<int> values) {
  std::vector<Knobs> list;
  for (const int value : values) list.push_back({{{"a", value}}});
  return list;
}

TuneTask fake_task(int side, std::vector<Knobs> candidates, std::function<Trial()> prepare) {
  TuneTask task;
  task.label = "fake";
  task.machine = "m";
  task.site = kSite;
  task.time_site = kTimes;
  task.problem = task.time_problem = {{}, {{"fw", side}, {"fh", side}}};
  task.candidates = std::move(candidates);
  task.samples = 1000;
  task.prepare = std::move(prepare);
  return task;
}

/// The gain in "… gain=1.12 …"; 0 if there is none.
double gain_of(const TuningLine& line) {
  const std::size_t at = line.measured.find("gain=");
  return at == std::string::npos ? 0 : std::stod(line.measured.substr(at + 5));
}

SearchRule quick() { return {{3, 0}, 0, "date=2026-01-31"}; }

TEST(Search, TakesTheFastestThatIsRight) {
  Search search(quick());
  const auto lines = search.run({fake_task(7, knobs_from({1, 2, 3, 4, 5}), fake_trial)});
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].site, kTimes);
  EXPECT_NEAR(lines[0].knobs.get("fs", 0) * 1e-15 * 1000, 3e-3, 2.5e-3);
  EXPECT_EQ(lines[1].site, kSite);
  EXPECT_EQ(lines[1].knobs.get("a", 0), 2);
  EXPECT_GT(gain_of(lines[1]), 1.2);
  EXPECT_TRUE(lines[1].is_measured());
  EXPECT_EQ(search.counts().candidates, 5);
  EXPECT_EQ(search.counts().wrong, 1);
  EXPECT_EQ(search.counts().failed, 2);
  EXPECT_EQ(search.notes().size(), 3U);
}

// Operations whose choices follow no table keep knobs alone, and a stopped search of them goes on.
TEST(Search, WithoutATimeSiteKnobsAreKeptAndKnown) {
  TuneTask task = fake_task(7, knobs_from({1, 2}), fake_trial);
  task.time_site.clear();
  Search search(quick());
  const auto lines = search.run({task});
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].site, kSite);
  EXPECT_EQ(lines[0].knobs.get("a", 0), 2);
  Search next(quick());
  next.resume(lines);
  EXPECT_EQ(next.run({task}).size(), 1U);
  EXPECT_EQ(next.counts().resumed, 1);
  EXPECT_EQ(next.counts().candidates, 0);
}

// A moment in which the machine was busy: the defaults are timed again, and stay.
TEST(Search, TheWinnerMustWinAgain) {
  int runs = 0;
  const auto disturbed = [&]() -> Trial {
    const bool usual = find_knobs(kSite, {}, "m").get("a", 1) == 1;
    return {[&runs, usual] {
              const bool busy = usual && runs < 5;  // while the defaults are timed first
              runs += usual;
              std::this_thread::sleep_for(std::chrono::milliseconds(busy ? 20 : usual ? 2 : 5));
            },
            [] {}, [] { return ""; }};
  };
  Search search(quick());
  const auto lines = search.run({fake_task(7, knobs_from({1, 2}), disturbed)});
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[1].knobs.get("a", 0), 1);
  EXPECT_NEAR(gain_of(lines[1]), 1, 1e-9);
}

TEST(Search, NothingRightMeansNoLine) {
  Search search(quick());
  EXPECT_TRUE(search.run({fake_task(7, knobs_from({3, 4}), fake_trial)}).empty());
  EXPECT_EQ(search.counts().measured, 0);
  EXPECT_EQ(search.notes().back(), "fake: no candidate worked");
}

TEST(Search, SizesThatAreNotSearchedTakeTheNearestKnobs) {
  int seen = 0;
  Search search(quick());
  const auto lines =
      search.run({fake_task(7, knobs_from({1, 2}), fake_trial), fake_task(9, {}, [&] {
                    seen = find_knobs(kSite, {}, "m").get("a", 0);
                    return sleeping(1);
                  })});
  EXPECT_EQ(seen, 2);
  EXPECT_EQ(lines.size(), 3U) << "its time is kept, not knobs it did not search";
}

TEST(Search, TasksBeyondTheBudgetAreInterpolatedAndMarked) {
  SearchRule rule = quick();
  rule.budget_seconds = 1e-9;
  Search search(rule);
  search.resume(
      parse_table("m fake.time@1 fw=3 fh=3 | fs=900 | ms=1\n"
                  "m fake.time@1 fw=9 fh=9 | fs=8100 | ms=1\n"
                  "m fake.site@1 fw=3 fh=3 | a=2 | ms=1\n",
                  "earlier"));
  const auto lines = search.run({fake_task(3, {}, fake_trial), fake_task(9, {}, fake_trial),
                                 fake_task(5, knobs_from({1}), fake_trial)});
  EXPECT_EQ(search.counts().resumed, 2);
  EXPECT_EQ(search.counts().measured, 0);
  EXPECT_EQ(search.counts().interpolated, 1);
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_FALSE(lines[3].is_measured());
  EXPECT_NEAR(lines[3].knobs.get("fs", 0), 2500, 300);
  EXPECT_FALSE(lines[4].is_measured());
  EXPECT_EQ(lines[4].knobs.get("a", 0), 2);
}

TEST(Search, LeavesOutMethodsThatRivalsBeatByFar) {
  Search search(quick());
  search.resume(
      parse_table("m fake.time@1 method=a fw=3 | fs=900 | ms=1\n"
                  "m fake.time@1 method=b fw=3 | fs=100 | ms=1\n",
                  "earlier"));
  const ProblemKey a{{{"method", "a"}}, {{"fw", 5}}}, b{{{"method", "b"}}, {{"fw", 5}}};
  TuneTask hopeless = fake_task(5, {}, fake_trial), good = hopeless;
  hopeless.time_problem = good.rivals.emplace_back(a);
  good.time_problem = hopeless.rivals.emplace_back(b);
  good.rivals.push_back({{{"method", "never measured"}}, {{"fw", 5}}});
  const auto lines = search.run({hopeless, good});
  EXPECT_EQ(search.counts().measured, 1);
  EXPECT_EQ(search.counts().interpolated, 1);
  EXPECT_FALSE(search.ran_out());
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[2].problem.words.at("method"), "b");
  EXPECT_FALSE(lines[3].is_measured());
}

TEST(Search, GoesOnWhereItWasStopped) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.path("m.journal");
  std::vector<TuneTask> tasks;
  int runs = 0;
  for (const int side : {3, 5, 7})
    tasks.push_back(fake_task(side, {}, [&] {
      ++runs;
      return sleeping(1);
    }));
  struct Stop {};
  const auto search_on = [&](int most) {
    Journal journal(path, "settings");
    Search search(quick());
    search.resume(journal.lines());
    search.on_step = [&](const SearchStep& step, const std::vector<TuningLine>& lines) {
      journal.add(lines);
      if (step.done >= most) throw Stop();
    };
    return search.run(tasks).size();
  };
  EXPECT_THROW(search_on(2), Stop);
  EXPECT_EQ(runs, 2);
  // The process was killed in the middle of a line.
  testing::write_bytes(path, testing::read_bytes(path) + "m fake.time@1 fw=7 fh=7 | fs=1");
  EXPECT_EQ(search_on(9), 3U);
  EXPECT_EQ(runs, 3);
  EXPECT_EQ(Journal(path, "settings").lines().size(), 3U);
  EXPECT_TRUE(Journal(path, "other settings").lines().empty());
  testing::write_bytes(path, "# other settings\nnonsense\n");
  EXPECT_TRUE(Journal(path, "other settings").lines().empty());
}

TEST(ChoiceCheck, NamesWhatIsSlowerThanTheBest) {
  const auto choice = [](const char* chosen) {
    return ChoiceCase{std::string("the choice of ") + chosen, [chosen] {
                        return Choice{chosen,
                                      {{"quick", [] { return sleeping(4); }},
                                       {"slow", [] { return sleeping(80); }}}};
                      }};
  };
  int told = 0;
  const ChoiceReport bad =
      check_choices({choice("quick"), choice("slow")}, 0, [&](int done, int) { told = done; });
  EXPECT_EQ(told, 2);
  EXPECT_FALSE(bad.holds());
  EXPECT_GT(bad.worst, 1.5);
  ASSERT_EQ(bad.offenders.size(), 1U);
  EXPECT_EQ(bad.offenders[0].rfind("the choice of slow: slow takes ", 0), 0U) << bad.offenders[0];
  const ChoiceReport good = check_choices({choice("quick")}, 0, {});
  EXPECT_TRUE(good.holds());
  EXPECT_EQ(good.mean, 1);
}

}  // namespace
}  // namespace tessera
