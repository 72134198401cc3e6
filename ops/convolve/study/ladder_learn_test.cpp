// SPDX-License-Identifier: Apache-2.0
#include "ops/convolve/study/ladder_learn.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/regular_file.hpp"
#include "ops/convolve/study/convolve_study.hpp"
#include "tests/support/files.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/text_has.hpp"

namespace tessera {
namespace {

using testing::has;

constexpr int kMuchShared = 232448;

// A filter's best factor is half its width; every step away from it costs 10%.
void add_filter(LadderJournal& journal, StudySize filter, double best_tiles) {
  for (const LadderCandidate& c : searched_rung("8").candidates) {
    const double steps = std::abs(c.tiles - best_tiles) + (c.block_x == 16 ? 0 : 1) +
                         std::abs(std::log2(c.block_y / 32.0));
    journal.add({"8", filter, c, filter.width * std::pow(1.1, steps), 0.01, "verified"});
  }
}

LadderJournal journal_of(const std::vector<int>& sides) {
  LadderJournal journal("", "a GPU", 4096);
  for (const int side : sides) add_filter(journal, {side, side}, side / 2.0);
  return journal;
}

TEST(LadderLearn, LossesAreOverTheBestAndOnlyOfWholeSearches) {
  LadderJournal journal = journal_of({4, 8});
  journal.add({"8", {6, 6}, {16, 32, 3}, 1, 0, "verified"});
  const auto searched = searched_filters(searched_rung("8"), journal);
  ASSERT_EQ(searched.size(), 2U) << "6x6 lacks candidates";
  int best = 0;
  for (const double loss : searched[1].losses) best += loss == 0;
  EXPECT_EQ(best, 1);
  const auto order = predicted_order(searched_rung("8"), {8, 8}, searched, kMuchShared);
  EXPECT_NEAR(regret(searched[1], order, 1), 0, 1e-9) << "a filter that was searched decides";
  EXPECT_NEAR(regret(searched[0], {order[0]}, 1), std::pow(1.1, 2) - 1, 1e-6)
      << "factor 4 instead of 2";
  EXPECT_EQ(regret(searched[0], {}, 3), std::numeric_limits<double>::infinity());
}

TEST(LadderLearn, CandidatesThatCannotRunAreNotTried) {
  const SearchedFilter filter{{4, 4}, {std::numeric_limits<double>::quiet_NaN(), std::log(1.5), 0}};
  EXPECT_NEAR(regret(filter, {0, 1, 2}, 1), 0.5, 1e-12);
  EXPECT_NEAR(regret(filter, {0, 1, 2}, 2), 0, 1e-12);
}

TEST(LadderLearn, PredictsBetweenItsNeighbours) {
  const LadderJournal journal = journal_of({4, 8, 16, 20});
  const SearchedRung& rung = searched_rung("8");
  const auto searched = searched_filters(rung, journal);
  const LadderCandidate six =
      rung.candidates[predicted_order(rung, {12, 12}, searched, kMuchShared)[0]];
  EXPECT_GE(six.tiles, 4);
  EXPECT_LE(six.tiles, 8);
  EXPECT_EQ(six.block_x, 16);
  EXPECT_EQ(six.block_y, 32);
  EXPECT_EQ(rung.candidates[predicted_order(rung, {19, 19}, searched, kMuchShared)[0]].tiles, 10);
}

TEST(LadderLearn, LeavesOutTilesThatDoNotFit) {
  const LadderJournal journal = journal_of({16, 20});
  const SearchedRung& rung = searched_rung("8");
  const auto order = predicted_order(rung, {43, 43}, searched_filters(rung, journal), 20000);
  EXPECT_FALSE(order.empty());
  for (const std::size_t c : order)
    EXPECT_LE(rung.shape({43, 43}, rung.candidates[c]).shared_bytes, 20000);
  for (const Prediction& other : predictions())
    EXPECT_EQ(other.order(rung, {43, 43}, searched_filters(rung, journal), 20000).size(),
              order.size())
        << other.name;
}

TEST(LadderLearn, CandidatesWithoutATimeAreNotChosen) {
  LadderJournal journal = journal_of({8, 10});
  for (const int side : {8, 10})
    journal.add({"8", {side, side}, {16, 32, side / 2}, {}, {}, "wrong: it is"});
  const SearchedRung& rung = searched_rung("8");
  const auto order = predicted_order(rung, {8, 8}, searched_filters(rung, journal), kMuchShared);
  EXPECT_EQ(order.size(), 110U) << "factor 4 has a time at 10x10";
  EXPECT_NE(rung.candidates[order[0]].tiles, 5) << "where 10x10 has none, 8x8 decides";
}

TEST(LadderLearn, ReportsRegretAndChoicesOfOtherFilters) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.path("times.tsv");
  {
    LadderJournal journal(path, "a GPU", 64);
    for (const int side : {5, 9, 13}) add_filter(journal, {side, side}, 4);
    add_filter(journal, {43, 43}, 6);
  }
  const StudyOptions options{
      .sizes = "5,7,17x43", .rungs = "8", .side = 64, .own = {{"learn", path}}};
  const StudyResult result = run_convolve_study(options, {});
  EXPECT_EQ(result.device, "a GPU");
  ASSERT_EQ(result.rows.size(), 6U) << "four that were searched, and 7x7 and 17x43";
  EXPECT_EQ(result.rows[3].case_name, "43x43");
  EXPECT_EQ(result.rows[3].tiles, 4) << "what the others suggest";
  EXPECT_TRUE(result.rows[3].ms);
  EXPECT_EQ(result.rows[4].case_name, "7x7");
  EXPECT_FALSE(result.rows[4].ms);
  EXPECT_TRUE(has(result.tables, "21.00%")) << "two steps away\n" << result.tables;
  EXPECT_TRUE(has(result.tables, "one order for all filters"));
  EXPECT_TRUE(has(result.verdict, "4 filters were searched whole")) << result.verdict;
  EXPECT_TRUE(has(result.verdict,
                  "takes 5.25% more time than the exhaustive search's on average "
                  "and 21.00% at most"))
      << result.verdict;
  EXPECT_TRUE(has(result.describe(), "  17x43 ")) << result.describe();
}

TEST(LadderLearn, RefusesWhatItCannotLearnFrom) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.path("times.tsv");
  {
    LadderJournal journal(path, "a GPU", 4096);
    add_filter(journal, {5, 5}, 4);
  }
  StudyOptions options{.own = {{"learn", path}}};
  testing::expect_error([&] { run_convolve_study(options, {}); }, ErrorKind::input,
                        "fewer than two filters were searched whole");
  options.search = kWholeSearch;
  testing::expect_error([&] { run_convolve_study(options, {}); }, ErrorKind::usage, "--learn");
  options = {.own = {{"learn", folder.path("none.tsv")}}};
  testing::expect_error([&] { run_convolve_study(options, {}); }, ErrorKind::input, "none.tsv");
}

// The journal that is shipped with the project: predictions lose little, and less than one choice
// for all filters.
TEST(LadderLearn, PredictsTheH200) {
  const std::string path =
      TESSERA_SOURCE_DIR "/bench/results/nvidia-h200/study-convolve-search.tsv";
  const LadderJournal journal(path, "", 4096);
  const SearchedRung& rung = searched_rung("8");
  const auto searched = searched_filters(rung, journal);
  ASSERT_GE(searched.size(), 12U);
  double lost[3] = {};
  for (const SearchedFilter& filter : searched) {
    auto others = searched;
    std::erase_if(others, [&](const SearchedFilter& f) { return f.filter == filter.filter; });
    for (int k = 0; k < 3; ++k)
      lost[k] += regret(filter,
                        predictions()[static_cast<std::size_t>(k)].order(rung, filter.filter,
                                                                         others, kMuchShared),
                        1) /
                 static_cast<double>(searched.size());
  }
  EXPECT_LT(lost[0], 0.02);
  EXPECT_LT(lost[0], lost[2]);
}

}  // namespace
}  // namespace tessera
