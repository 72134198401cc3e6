// SPDX-License-Identifier: Apache-2.0
#include "study/score_card.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/machine.hpp"

#include "study/score_questions.hpp"
#include "tests/support/study_rows.hpp"
#include "tests/support/text_has.hpp"

namespace tessera {
namespace {

using testing::has;
using testing::timed_rows;

const ScoreRow& row_on(const ScoreCard& card, const std::string& question) {
  for (const ScoreRow& row : card.rows)
    if (has(row.question, question)) return row;
  throw Error(ErrorKind::failure, "no row " + question);
}

/// Every study's times from a table; others ran nothing.
ScoreCard card_of(const std::map<std::string, std::vector<StudyRow>>& rows) {
  return score_card(
      [&](const std::string& study, const StudyOptions&) -> std::optional<StudyResult> {
        const auto found = rows.find(study);
        if (found == rows.end()) return std::nullopt;
        StudyResult result{.study = study};
        result.rows = found->second;
        return result;
      },
      true);
}

TEST(ScoreCard, TimesDecideResidentAndWithCopies) {
  const ScoreCard card = card_of({{"xengine", timed_rows("c", {{"cpu.threads", 12},
                                                               {"cpu.it", 90},
                                                               {"gpu.shared", 2},
                                                               {"gpu.stream", 60},
                                                               {"cpu.cgemm", 3},
                                                               {"gpu.blas.complex", 2.5}})}});
  const ScoreRow& by_hand = row_on(card, "X-engine (talk");
  ASSERT_EQ(by_hand.sides.size(), 2U);
  EXPECT_EQ(by_hand.sides[0].cpu_rung, "cpu.threads");
  EXPECT_EQ(by_hand.sides[0].ratio, 6);
  EXPECT_EQ(by_hand.sides[0].ratio_with_copies, 0.2);
  EXPECT_EQ(by_hand.answer, "resident GPU, with copies CPU");
  EXPECT_TRUE(has(by_hand.published, "6, GTX480/i7-3770K, times as fast")) << by_hand.published;
  const ScoreRow& blas = row_on(card, "by BLAS");
  EXPECT_EQ(blas.sides.size(), 1U);
  EXPECT_EQ(blas.answer, "resident alike");
  EXPECT_EQ(row_on(card, "RM synthesis").answer, "nothing ran");
}

TEST(ScoreCard, OursDecideIfTheyRanOnBothSides) {
  const ScoreCard card = card_of({{"correlate", timed_rows("c", {{"simd.8", 8},
                                                                 {"shared.co.250x2", 1},
                                                                 {"ours.cpu.fft", 2},
                                                                 {"ours.cuda.fft", 4}})}});
  EXPECT_EQ(row_on(card, "Can CPUs").answer, "resident CPU");
  EXPECT_EQ(row_on(card, "Can CPUs").sides[0].ratio, 8);
}

TEST(ScoreCard, FramesAndTransfersAreFigures) {
  const ScoreCard card =
      card_of({{"cells", timed_rows("c", {{"film.openmp", 100}, {"film.cuda", 20}})},
               {"enhance", timed_rows("c", {{"grey.plain", 1},
                                            {"histogram.plain", 2},
                                            {"contrast.plain", 3},
                                            {"smooth.plain", 4},
                                            {"grey.four", 0.5},
                                            {"chain.ours.cuda.fused", 1},
                                            {"chain.ours.cuda.pinned", 4}})}});
  EXPECT_EQ(row_on(card, "Cells").figure,
            "CPU paper 10 frames/s (too slow); GPU paper 50 frames/s");
  const ScoreRow& scan = row_on(card, "A scan");
  EXPECT_EQ(scan.sides[0].cpu_ms, 10);
  EXPECT_FALSE(scan.sides[0].gpu_ms) << "three steps are missing";
  EXPECT_EQ(scan.figure, "75%, ours, page-locked");
  EXPECT_TRUE(has(scan.published, "64%, GTX480")) << scan.published;
}

TEST(ScoreCard, OfTheCpuAloneSaysWhyInEveryRow) {
  if (!this_machine().devices.empty()) GTEST_SKIP() << "there is a device";
  const ScoreCard card = score_card(
      [](const std::string& study, const StudyOptions& options) {
        EXPECT_FALSE(options.rungs.empty());
        StudyResult result{.study = study};
        result.rows = timed_rows("7x7", {{"cpu.threads", 1},
                                         {"cpu.threads.double", 1},
                                         {"cpu.blas.rows.double", 2},
                                         {"cpu.cgemm", 1},
                                         {"cpu.talk", 1},
                                         {"simd.1", 1},
                                         {"film.openmp", 1},
                                         {"grey.plain", 1},
                                         {"histogram.plain", 1},
                                         {"contrast.plain", 1},
                                         {"smooth.plain", 1}});
        return std::optional(result);
      },
      false);
  ASSERT_EQ(card.rows.size(), 8U);
  for (const ScoreRow& row : card.rows) {
    EXPECT_TRUE(row.answer.starts_with("no GPU here: ")) << row.question << ": " << row.answer;
    EXPECT_TRUE(row.sides[0].cpu_ms) << row.question;
  }
  for (const char* part : {"\nX-engine by BLAS", "price i7-3770K 330", "several weeks"})
    EXPECT_TRUE(has(card.describe(), part)) << card.describe();
}

bool names(const std::string& asked, const std::string& rung) {
  if (asked.ends_with('.')) return rung.starts_with(asked);
  if (asked.starts_with('.')) return rung.ends_with(asked);
  return rung == asked;
}

const std::map<std::string, int> kSmallSides{{"cells", 160},  {"convolve", 40}, {"correlate", 32},
                                             {"enhance", 32}, {"faraday", 8},   {"noise", 48},
                                             {"xengine", 4}};

// A rung that is renamed must not leave a hole in the card. Without a device those of the GPU have
// rows, too, which say that they are absent.
TEST(ScoreCard, RunsRungsThereAre) {
  if (!this_machine().devices.empty()) GTEST_SKIP() << "there is a device";
  std::map<std::string, StudyResult> results;
  const ScoreCard card = score_card(
      [&](const std::string& name, StudyOptions options) {
        options.side = kSmallSides.at(name);
        const auto study = std::ranges::find(studies(), name, &Study::name);
        return std::optional(results[name] = run_study(*study, options, {}));
      },
      false);
  for (const ScoreQuestion& asked : score_questions())
    for (const ScoreRungs* side : {&asked.paper, &asked.ours})
      for (const auto* list : {&side->cpu, &side->gpu, &side->copies})
        for (const std::string& rung : *list)
          EXPECT_TRUE(
              std::ranges::any_of(results.at(asked.study).rows,
                                  [&](const StudyRow& row) { return names(rung, row.rung); }))
              << asked.study << " has no rung " << rung;
  for (const ScoreRow& row : card.rows)
    for (const ScoreSide& side : row.sides) {
      EXPECT_GT(side.cpu_ms.value_or(0), 0) << row.question << ", " << side.programs;
      if (side.programs == "paper") {
        EXPECT_GT(side.cpu_lines.value_or(0), 0) << row.question;
      }
      EXPECT_FALSE(side.gpu_ms || side.copies_ms) << row.question;
    }
}

}  // namespace
}  // namespace tessera
